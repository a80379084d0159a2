// SPDX-License-Identifier: MIT
// Matrix products.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDOT_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDOT_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

def Triton_DotOp : Triton_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "Matrix product added to an accumulator";
  let description = [{
    `c + a · b` on matrices, or on equally many matrices along a first
    dimension. `inputPrecision` is how fp32 operands may be rounded.

    ```mlir
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[TT_Float, TT_Int]>:$a, RankedTensorOf<[TT_Float, TT_Int]>:$b,
                       RankedTensorOf<[TT_Float, TT_Int]>:$c,
                       DefaultValuedAttr<TT_InputPrecision, "InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs RankedTensorOf<[TT_Float, TT_Int]>:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict
    `:` type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Triton_DotScaledOp : Triton_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>]> {
  let summary = "Matrix product of operands in a microscaling format";
  let description = [{
    Each scale holds one exponent for a group of elements along K. `e2m1`
    operands hold two elements a byte, packed along K unless `lhs_k_pack` or
    `rhs_k_pack` is false.

    ```mlir
    %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e5m2 {fastMath = false}
      : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E5M2>, tensor<128x2xi8> -> tensor<128x128xf32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b, TT_FloatTensor:$c,
                       Optional<RankedTensorOf<[I8, F8E4M3FN]>>:$a_scale,
                       Optional<RankedTensorOf<[I8, F8E4M3FN]>>:$b_scale,
                       TT_ScaleDotElemType:$a_elem_type, TT_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
                       DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDOT_TD
