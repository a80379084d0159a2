// SPDX-License-Identifier: MIT
// All ops of the `tt` dialect; each family has its file.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPS_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPS_TD

include "flagtree/Dialect/Triton/IR/TritonOpsAtomic.td"
include "flagtree/Dialect/Triton/IR/TritonOpsCast.td"
include "flagtree/Dialect/Triton/IR/TritonOpsDescriptor.td"
include "flagtree/Dialect/Triton/IR/TritonOpsDot.td"
include "flagtree/Dialect/Triton/IR/TritonOpsElementwise.td"
include "flagtree/Dialect/Triton/IR/TritonOpsFunction.td"
include "flagtree/Dialect/Triton/IR/TritonOpsMemory.td"
include "flagtree/Dialect/Triton/IR/TritonOpsProgram.td"
include "flagtree/Dialect/Triton/IR/TritonOpsReduction.td"
include "flagtree/Dialect/Triton/IR/TritonOpsShape.td"

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPS_TD
