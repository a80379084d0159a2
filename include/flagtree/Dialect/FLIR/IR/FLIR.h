// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIR_H
#define FLAGTREE_DIALECT_FLIR_IR_FLIR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "flagtree/Dialect/FLIR/IR/FLIRDialect.h.inc"

#define GET_OP_CLASSES
#include "flagtree/Dialect/FLIR/IR/FLIROps.h.inc"

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIR_H
