// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPBASE_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPBASE_TD

include "flagtree/Dialect/Triton/IR/TritonAttrs.td"
include "flagtree/Dialect/Triton/IR/TritonTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Every tensor operand and result has powers of two for dimensions, at most
// 2^20 elements and no encoding.
def BlockTensors : NativeOpTrait<"BlockTensors"> {
  let cppNamespace = "::flagtree::tt";
}

class Triton_Op<string mnemonic, list<Trait> traits = []> : Op<Triton_Dialect, mnemonic, traits # [BlockTensors]>;

// An op on each element of tensors, or on scalars.
class Triton_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Triton_Op<mnemonic, traits # [Elementwise, Scalarizable, Vectorizable, Tensorizable]>;

class SameShapeAs<string a, string b>
    : PredOpTrait<"'" # a # "' and '" # b # "' have the same shape",
        CPred<"::flagtree::tt::haveSameShape($" # a # ".getType(), $" # b # ".getType())">>;

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPBASE_TD
