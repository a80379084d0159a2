// SPDX-License-Identifier: MIT
// Sums of scalars, compared as such.
#ifndef FLAGTREE_TRANSFORMS_LINEARFORM_H
#define FLAGTREE_TRANSFORMS_LINEARFORM_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"

namespace flagtree {

/// constant + Σ factor · value, of numbers that do not wrap around. A vector is
/// the sum of its scalars and, `lanes` times, the number of each lane.
struct LinearForm {
  /// Adds `factor` times `value`, taken apart as far as it is a sum.
  void add(mlir::Value value, int64_t factor = 1);
  void add(const LinearForm &other, int64_t factor = 1);
  bool operator==(const LinearForm &other) const;

  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms; // without zeros
  int64_t constant = 0;
  int64_t lanes = 0, laneCount = 0;
};

} // namespace flagtree

#endif // FLAGTREE_TRANSFORMS_LINEARFORM_H
