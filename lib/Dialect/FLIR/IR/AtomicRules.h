// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_DIALECT_FLIR_IR_ATOMICRULES_H
#define FLAGTREE_LIB_DIALECT_FLIR_IR_ATOMICRULES_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

namespace flagtree::flir {

/// `kind` fits the elements of `block`, and the old values, where asked for, have its type.
mlir::LogicalResult verifyUpdate(mlir::Operation *op, AtomicKind kind, mlir::Type block, mlir::Value old);

} // namespace flagtree::flir

#endif // FLAGTREE_LIB_DIALECT_FLIR_IR_ATOMICRULES_H
