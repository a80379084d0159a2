// SPDX-License-Identifier: MIT
// Ops that combine the elements along an axis with a function of the program.
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRCOMBINEOPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRCOMBINEOPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class FLIR_CombineOp<string mnemonic, list<Trait> traits = []> : Op<FLIR_Dialect, mnemonic, traits # [
    SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  code accessors = [{
    ::mlir::RankedTensorType getSourceType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getSources()[0].getType());
    }
    int64_t getRank() { return getSourceType().getRank(); }
    /// Elements along the axis.
    int64_t getAxisSize() { return getSourceType().getDimSize(getAxis()); }
  }];
  let assemblyFormat = "$sources `axis` $axis $combiner attr-dict `:` functional-type($sources, results)";
}

def FLIR_ReduceOp : FLIR_CombineOp<"reduce", [
    DeclareOpInterfaceMethods<TilingInterface, ["getLoopIteratorTypes", "getIterationDomain",
      "getTiledImplementation", "getResultTilePosition"]>,
    DeclareOpInterfaceMethods<PartialReductionOpInterface, ["generateInitialTensorForPartialReduction",
      "tileToPartialReduction", "mergeReductions", "getPartialResultTilePosition"]>]> {
  let summary = "Combine all elements along an axis, of several tensors at once";
  let description = [{
    The region takes one element of each source that was combined so far, then
    one further element of each, and gives the combined ones. It must be
    associative and commutative, since elements meet in no defined order. There
    is no neutral element: the first elements start. Reductions whose combiner
    is one operation with a neutral element are `linalg.reduce` instead.

    ```mlir
    %v, %i = flir.reduce %x, %n axis 1 {
    ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
      %g = arith.cmpf ogt, %a, %c : f32
      %e = arith.select %g, %a, %c : f32
      %f = arith.select %g, %b, %d : i32
      flir.yield %e, %f : f32, i32
    } : (tensor<4x128xf32>, tensor<4x128xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$sources, I64Attr:$axis);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$sources, "int64_t":$axis)>];
  let extraClassDeclaration = accessors;
}

def FLIR_ScanOp : FLIR_CombineOp<"scan", [
    DeclareOpInterfaceMethods<TilingInterface, ["getLoopIteratorTypes", "getIterationDomain",
      "getTiledImplementation", "getResultTilePosition", "generateResultTileValue"]>]> {
  let summary = "Combine the elements up to each place along an axis, of several tensors at once";
  let description = [{
    Element `i` of the results combines the elements 0 to `i`; with `reverse`
    the last down to `i`. The region is that of `flir.reduce`, but need only be
    associative: what was combined so far is on the left. Tiles may be cut along all dimensions but
    the axis; along it, the last combined elements of a tile are carried into
    the next.

    ```mlir
    %s = flir.scan %x axis 0 {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      flir.yield %t : f32
    } : (tensor<128xf32>) -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyStaticShapeTensor>:$sources, I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$sources, "int64_t":$axis, "bool":$reverse)>];
  let extraClassDeclaration = accessors;
  let assemblyFormat =
      "$sources `axis` $axis (`reverse` $reverse^)? $combiner attr-dict `:` functional-type($sources, results)";
}

def FLIR_YieldOp : Op<FLIR_Dialect, "yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "The combined elements";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRCOMBINEOPS_TD
