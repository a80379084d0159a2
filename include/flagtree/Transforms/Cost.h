// SPDX-License-Identifier: MIT
// What it costs to compute values.
#ifndef FLAGTREE_TRANSFORMS_COST_H
#define FLAGTREE_TRANSFORMS_COST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace flagtree {

/// True for an operation of linalg whose body divides or calls a function of math.
bool hasDearOperation(mlir::Operation *op);

/// True when computing `op`, an operation on tensors, again for each user is
/// no dearer than writing its result to a buffer and reading it back: a few
/// additions, products, comparisons or selections and no division, function of
/// math or reduction. Fills, ranges and copies are cheap too.
bool isCheapToRecompute(mlir::Operation *op);

/// About how many instructions an elementwise operation is on a register of elements.
unsigned costOf(mlir::Operation *op);

} // namespace flagtree

#endif // FLAGTREE_TRANSFORMS_COST_H
