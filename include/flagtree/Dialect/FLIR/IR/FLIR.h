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
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "flagtree/Dialect/FLIR/IR/FLIRDialect.h.inc"

// What upstream's PartialReductionOpInterface declares names these without their namespace.
namespace flagtree::flir {
using ::mlir::Location, ::mlir::MergeResult, ::mlir::ReductionTilingStrategy, ::mlir::SmallVector,
    ::mlir::TilingResult, ::mlir::Value, ::mlir::ValueRange;
} // namespace flagtree::flir

#include "flagtree/Dialect/FLIR/IR/FLIREnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "flagtree/Dialect/FLIR/IR/FLIRAttrs.h.inc"

#define GET_OP_CLASSES
#include "flagtree/Dialect/FLIR/IR/FLIROps.h.inc"

namespace flagtree::flir {
/// True for an access of this dialect whose block is still a tensor: it has not been tiled and vectorised.
bool isOnTensors(mlir::Operation *op);

/// The body of a combiner of scalars on `operands`, what was combined so far first, then the further
/// elements.
mlir::SmallVector<mlir::Value> inlineCombiner(mlir::OpBuilder &b, mlir::Region &combiner,
                                              mlir::ValueRange operands);
/// True for an atomic access.
bool isAtomic(mlir::Operation *op);
/// True for an atomic access that other accesses must not be moved past.
bool ordersMemory(mlir::Operation *op);
} // namespace flagtree::flir

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIR_H
