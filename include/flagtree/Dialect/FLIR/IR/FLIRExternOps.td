// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIREXTERNOPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIREXTERNOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"

def FLIR_ExternOp : FLIR_Op<"extern", [Pure] # ElementwiseMappable.traits> {
  let summary = "Call a function of the target's math library on each element";
  let description = [{
    For functions that neither arith nor math has. The symbol is the name that
    the C library gives the function of these types; a target that has no such
    library maps the name to its own. On tensors before the computation becomes
    linalg, on scalars inside of it, on vectors after vectorisation.

    ```mlir
    %y = flir.extern "tgammaf"(%x) : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<AnyType>:$arguments);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$symbol `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)";
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIREXTERNOPS_TD
