// SPDX-License-Identifier: MIT
// Where the operands of matrix products are read.
#ifndef FLAGTREE_CPU_LIB_PRODUCTOPERANDS_H
#define FLAGTREE_CPU_LIB_PRODUCTOPERANDS_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace flagtree::cpu {

/// The reads of a block, and the branches that choose among them.
struct Blocks {
  llvm::SmallVector<flir::LoadOp> loads;
  llvm::SmallVector<mlir::scf::IfOp> branches;

  /// True for one of these operations.
  bool holds(mlir::Operation *op) const {
    return llvm::is_contained(loads, op) || llvm::is_contained(branches, op);
  }
};

/// The reads of which one gives `value`, as it is. False when it comes from
/// elsewhere, has other uses, or more is done in the branches.
bool collectBlocks(mlir::Value value, Blocks &blocks);

} // namespace flagtree::cpu

#endif // FLAGTREE_CPU_LIB_PRODUCTOPERANDS_H
