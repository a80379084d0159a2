// SPDX-License-Identifier: MIT
// Ops with a region that combines elements, and ops on whole axes.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSREDUCTION_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSREDUCTION_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class Triton_RegionTerminator<string mnemonic, string parent>
    : Triton_Op<mnemonic, [HasParent<parent>, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<TT_Scalar>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

class Triton_AxisOp<string mnemonic> : Triton_Op<mnemonic, [SingleBlock, RecursiveMemoryEffects,
    RecursivelySpeculatable, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  code accessors = [{
    /// Types of the source tensors.
    ::mlir::SmallVector<::mlir::RankedTensorType> getInputTypes() {
      return ::llvm::map_to_vector(getSrcs().getTypes(),
                                   [](::mlir::Type type) { return ::mlir::cast<::mlir::RankedTensorType>(type); });
    }
    /// Their element types.
    ::mlir::SmallVector<::mlir::Type> getElementTypes() {
      return ::llvm::map_to_vector(getSrcs().getTypes(),
                                   [](::mlir::Type type) { return ::mlir::getElementTypeOrSelf(type); });
    }
  }];
}

def Triton_ReduceOp : Triton_AxisOp<"reduce"> {
  let summary = "Combine all elements along an axis, for several tensors at once";
  let description = [{
    The region takes two sets of one element from each source and gives the
    combined set. It must be associative; the order is not defined.

    ```mlir
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32>) -> f32
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_ScalarOrTensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let extraClassDeclaration = accessors;
}

def Triton_ReduceReturnOp : Triton_RegionTerminator<"reduce.return", "ReduceOp"> {
  let summary = "The combined elements of a reduction";
}

def Triton_ScanOp : Triton_AxisOp<"scan"> {
  let summary = "Combine the elements up to each place along an axis";
  let description = [{
    Element `i` of the result combines the elements 0 to `i` of the source, or
    `i` to the last when `reverse` is true. The region is that of `tt.reduce`.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let extraClassDeclaration = accessors;
}

def Triton_ScanReturnOp : Triton_RegionTerminator<"scan.return", "ScanOp"> {
  let summary = "The combined elements of a scan";
}

def Triton_MapElementwiseOp : Triton_Op<"map_elementwise", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Run a region with control flow on each element, or on each `pack` elements";
  let description = [{
    The region takes `pack` elements of the first source, then of the second,
    and so on, and gives `pack` elements of each result in the same way.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Triton_MapElementwiseReturnOp : Triton_RegionTerminator<"map_elementwise.return", "MapElementwiseOp"> {
  let summary = "The elements that a mapped region makes";
}

def Triton_GatherOp : Triton_Op<"gather", [Pure, InferTypeOpAdaptor]> {
  let summary = "Pick elements along an axis by index";
  let description = [{
    `%1 = tt.gather %0[%i] {axis = 0 : i32} : (tensor<32x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Triton_HistogramOp : Triton_Op<"histogram", [Pure,
    TypesMatchWith<"'mask' is a tensor of i1 with the shape of 'src'", "src", "mask",
                   "::flagtree::tt::getMaskType($_self)",
                   "$_op.getNumOperands() < 2 || ::std::equal_to<>()">]> {
  let summary = "Count how often each of 0, 1, … occurs";
  let description = [{
    Bin `i` counts elements equal to `i` whose `mask` is true; other values are not counted.

    `%1 = tt.histogram %0, %mask : tensor<512xi32> -> tensor<64xi32>`
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolTensor>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSREDUCTION_TD
