// SPDX-License-Identifier: MIT
// What a program tells the host: prints and assertions.
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRPROGRAMOPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRPROGRAMOPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRBase.td"

def FLIR_PrintOp : FLIR_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "Print values from a program, a line an element";
  let description = [{
    A line has the program's ids, the element's position, `prefix` and the
    value. `isSigned` has one number an operand: 1 when integers print signed.

    `flir.print " x: " hex = false signed = [1] (%x) : tensor<64xi32>`
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, DenseI32ArrayAttr:$isSigned, Variadic<FLIR_Block>:$values);
  let assemblyFormat = [{
    $prefix `hex` `=` $hex `signed` `=` $isSigned `(` $values `)` attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
}

def FLIR_AssertOp : FLIR_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "End the program and its launch with a message unless the condition holds";
  let description = "`flir.assert %ok, \"index past the end\"`";
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
  let hasCanonicalizeMethod = 1;
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRPROGRAMOPS_TD
