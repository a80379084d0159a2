// SPDX-License-Identifier: MIT
// Arithmetic that arith and math lack, and foreign code applied to each element.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSELEMENTWISE_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSELEMENTWISE_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

def Triton_ClampFOp : Triton_ElementwiseOp<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "Limit a value to a range";
  let description = [{
    With `propagateNan = none` a NaN `x` gives `min`; with `all` it gives NaN.
    Where `min > max` or one of them is NaN the result is undefined.

    `%0 = tt.clampf %x, %min, %max, propagateNan = none : tensor<64xf32>`
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

def Triton_PreciseSqrtOp : Triton_ElementwiseOp<"precise_sqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "Square root rounded as IEEE 754 asks";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class Triton_BinaryFloatOp<string mnemonic> : Triton_ElementwiseOp<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def Triton_PreciseDivFOp : Triton_BinaryFloatOp<"precise_divf"> {
  let summary = "Division rounded as IEEE 754 asks";
}

def Triton_ApproxDivFOp : Triton_BinaryFloatOp<"approx_divf"> {
  let summary = "Division that may be off by a few units in the last place";
}

def Triton_MulhiUIOp : Triton_ElementwiseOp<"mulhiui", [Pure, SameOperandsAndResultType]> {
  let summary = "High half of an unsigned product";
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

defvar effectsUnlessPure = [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                            DeclareOpInterfaceMethods<ConditionallySpeculatable>];

def Triton_ExternElementwiseOp : Triton_Op<"extern_elementwise", effectsUnlessPure> {
  let summary = "Call a function of a device library on each element";
  let description = [{
    `%0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"}
       : (tensor<64xf32>) -> tensor<64xf32>`
  }];
  let arguments = (ins Variadic<TT_ScalarOrTensor>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol,
                       BoolAttr:$pure);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def Triton_ElementwiseInlineAsmOp : Triton_Op<"elementwise_inline_asm", effectsUnlessPure> {
  let summary = "Run assembly text on each element, or on each `packed_element` elements";
  let description = [{
    `%0 = tt.elementwise_inline_asm "neg.s32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x
       : tensor<64xi32> -> tensor<64xi32>`
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_ScalarOrTensor>:$args);
  let results = (outs Variadic<TT_ScalarOrTensor>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSELEMENTWISE_TD
