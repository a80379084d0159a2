// SPDX-License-Identifier: MIT
// Making tensors and changing their shape.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSSHAPE_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSSHAPE_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

def Triton_MakeRangeOp : Triton_Op<"make_range", [Pure]> {
  let summary = "The integers from start to end, end excluded";
  let description = "`%0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>`";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Triton_SplatOp : Triton_Op<"splat", [Pure]> {
  let summary = "A tensor with one value everywhere";
  let description = "`%1 = tt.splat %0 : f32 -> tensor<64xf32>`";
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Triton_UnsplatOp : Triton_Op<"unsplat", [Pure, InferTypeOpAdaptor]> {
  let summary = "The element of a tensor that has only one";
  let description = "`%1 = tt.unsplat %0 : tensor<1xf32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Triton_ExpandDimsOp : Triton_Op<"expand_dims", [Pure, InferTypeOpAdaptor]> {
  let summary = "Insert a dimension of size 1";
  let description = "`%1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>`";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_BroadcastOp : Triton_Op<"broadcast", [Pure]> {
  let summary = "Repeat along dimensions of size 1";
  let description = "`%1 = tt.broadcast %0 : tensor<64x1xi32> -> tensor<64x32xi32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_ReshapeOp : Triton_Op<"reshape", [Pure]> {
  let summary = "The same elements in another shape";
  let description = [{
    Elements keep their row-major order, unless `allow_reorder` lets the
    compiler put them in any order.

    `%1 = tt.reshape %0 : tensor<8x8xf32> -> tensor<64xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_TransOp : Triton_Op<"trans", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Permute the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of the source.

    `%1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_CatOp : Triton_Op<"cat", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "Concatenate two tensors; elements may come in any order";
  let description = "`%2 = tt.cat %0, %1 : tensor<64xf32> -> tensor<128xf32>`";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Triton_JoinOp : Triton_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>, InferTypeOpAdaptor]> {
  let summary = "Put two tensors side by side along a new last dimension";
  let description = "`%2 = tt.join %0, %1 : tensor<64xf32> -> tensor<64x2xf32>`";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
}

def Triton_SplitOp : Triton_Op<"split", [Pure, AllTypesMatch<["outLHS", "outRHS"]>, InferTypeOpAdaptor]> {
  let summary = "Take apart the two halves of a last dimension of size 2";
  let description = "`%a, %b = tt.split %0 : tensor<64x2xf32> -> tensor<64xf32>`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasFolder = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSSHAPE_TD
