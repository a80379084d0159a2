// SPDX-License-Identifier: MIT
// The `tt` dialect: types, attributes and ops of TTIR text.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITON_H
#define FLAGTREE_DIALECT_TRITON_IR_TRITON_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "flagtree/Dialect/Triton/IR/TritonDialect.h.inc"
#include "flagtree/Dialect/Triton/IR/TritonEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonTypes.h.inc"

#include "flagtree/Dialect/Triton/IR/TritonTraits.h"

#define GET_OP_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonOps.h.inc"

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITON_H
