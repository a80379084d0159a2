// SPDX-License-Identifier: MIT
// Conversions and pointer arithmetic.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSCAST_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSCAST_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

class Triton_CastOp<string mnemonic, list<Trait> traits = []>
    : Triton_ElementwiseOp<mnemonic, traits # [Pure, SameShapeAs<"src", "result">]> {
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def Triton_IntToPtrOp : Triton_CastOp<"int_to_ptr"> {
  let summary = "The address that an integer holds";
  let description = "`%1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f32>`";
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
}

def Triton_PtrToIntOp : Triton_CastOp<"ptr_to_int"> {
  let summary = "An address as an integer";
  let description = "`%1 = tt.ptr_to_int %0 : !tt.ptr<f32> -> i64`";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let hasFolder = 1;
}

def Triton_BitcastOp : Triton_CastOp<"bitcast"> {
  let summary = "The same bits as another type of the same width";
  let description = "`%1 = tt.bitcast %0 : tensor<64xf32> -> tensor<64xi32>`";
  let arguments = (ins TT_ScalarOrTensor:$src);
  let results = (outs TT_ScalarOrTensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Triton_FpToFpOp : Triton_CastOp<"fp_to_fp"> {
  let summary = "Convert between floating-point types, 8-bit ones or with a given rounding";
  let description = [{
    `rounding` is given when and only when the result is narrower.

    `%1 = tt.fp_to_fp %0, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>`
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def Triton_AddPtrOp : Triton_ElementwiseOp<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>,
                                                      SameShapeAs<"ptr", "offset">]> {
  let summary = "Move an address by a number of elements";
  let description = "`%1 = tt.addptr %p, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>`";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSCAST_TD
