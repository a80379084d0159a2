// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRATTRS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRATTRS_TD

include "flagtree/Dialect/FLIR/IR/FLIRDialect.td"
include "mlir/IR/AttrTypeBase.td"

def FLIR_HintAttr : AttrDef<FLIR_Dialect, "Hint"> {
  let mnemonic = "hint";
  let summary = "What a kernel's author says about an operation";
  let description = [{
    `#flir.hint<unroll, 2>`: the name, then the arguments, each a whole number
    or a word. An operation has its hints as the array `flir.hints`; the pass
    `flir-read-hints` makes them of the text that the front end wrote. They
    change nothing that is computed, and may be dropped anywhere.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, OptionalArrayRefParameter<"::mlir::Attribute">:$args);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Argument `position` as a number; nothing when it is a word or was left out.
    std::optional<int64_t> getNumber(unsigned position);
    /// As it is written in the source: `unroll=2`, `layout(row, col)`.
    std::string getText();
  }];
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRATTRS_TD
