// SPDX-License-Identifier: MIT
// The `ttg` dialect, reduced to what TTIR text contains.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_H
#define FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "flagtree/Dialect/Triton/IR/TritonGPUDialect.h.inc"
#include "flagtree/Dialect/Triton/IR/TritonGPUEnums.h.inc"

#define GET_OP_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonGPUOps.h.inc"

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_H
