// SPDX-License-Identifier: MIT
// The program among its grid, assertions, printing, dependent launches.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSPROGRAM_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSPROGRAM_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

class Triton_GridOp<string mnemonic> : Triton_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_Axis:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "int":$axis), [{
    build($_builder, $_state, $_builder.getI32Type(), static_cast<Axis>(axis));
  }]>];
  let extraClassDeclaration = [{
    /// 0 for x, 1 for y, 2 for z.
    int32_t getAxisAsInt() { return static_cast<int32_t>(getAxis()); }
  }];
}

def Triton_GetProgramIdOp : Triton_GridOp<"get_program_id"> {
  let summary = "Index of this program along an axis of the grid";
  let description = "`%0 = tt.get_program_id x : i32`";
}

def Triton_GetNumProgramsOp : Triton_GridOp<"get_num_programs"> {
  let summary = "Number of programs along an axis of the grid";
  let description = "`%0 = tt.get_num_programs x : i32`";
}

def Triton_AssertOp : Triton_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "Stop the kernel with a message unless the condition holds everywhere";
  let description = "`tt.assert %ok, \"index past the end\" : tensor<64xi1>`";
  let arguments = (ins TT_IntLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasCanonicalizeMethod = 1;
}

def Triton_PrintOp : Triton_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "Print values from the kernel";
  let description = [{
    `isSigned` has one number an argument: 1 when integers print signed.

    `tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<64xi32>`
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_ScalarOrTensor>:$args,
                       DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

class Triton_GridDependencyOp<string mnemonic> : Triton_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
}

def Triton_GridDependencyWaitOp : Triton_GridDependencyOp<"grid_dependency_wait"> {
  let summary = "Wait until the launches that this one depends on have finished";
}

def Triton_GridDependencyLaunchDependentsOp : Triton_GridDependencyOp<"grid_dependency_launch_dependents"> {
  let summary = "Let the launches that depend on this one start";
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSPROGRAM_TD
