// SPDX-License-Identifier: MIT
// Ops that move or count the elements of a block by their position or value.
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRSHUFFLEOPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRSHUFFLEOPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def FLIR_XorShuffleOp : Op<FLIR_Dialect, "xor_shuffle", [Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<TilingInterface, ["getLoopIteratorTypes", "getIterationDomain",
      "getTiledImplementation", "getResultTilePosition", "generateResultTileValue"]>]> {
  let summary = "Exchange the elements whose positions differ in given bits";
  let description = [{
    Element `i` of the result is element `i xor distance` of the source, whose
    size is a power of two. A power of two as distance is one step of a sorting
    network or of a butterfly; one less than the size turns the order around.
    A tile of it is the tile of the source at the exchanged offset, with its
    elements exchanged by the lower bits.

    ```mlir
    %y = flir.xor_shuffle %x, 8 : tensor<64xf32>
    ```
  }];
  let arguments = (ins 1DTensorOf<[AnyType]>:$source, I64Attr:$distance);
  let results = (outs 1DTensorOf<[AnyType]>:$result);
  let assemblyFormat = "$source `,` $distance attr-dict `:` type($source)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def FLIR_HistogramOp : Op<FLIR_Dialect, "histogram", [Pure]> {
  let summary = "Count how often each of 0, 1, … occurs";
  let description = [{
    Element `i` of the result is the number of elements of the source that
    equal `i` and whose `mask`, where there is one, is not 0. Others are not
    counted. The mask is made of bytes, since it is read one by one.

    ```mlir
    %h = flir.histogram %x mask %m : tensor<512xi8> : tensor<512xi32> -> tensor<64xi32>
    ```
  }];
  let arguments = (ins 1DTensorOf<[AnySignlessInteger]>:$source, Optional<1DTensorOf<[I8]>>:$mask);
  let results = (outs 1DTensorOf<[AnySignlessInteger]>:$result);
  let assemblyFormat = "$source (`mask` $mask^ `:` type($mask))? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRSHUFFLEOPS_TD
