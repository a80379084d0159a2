// SPDX-License-Identifier: MIT
//
// Two versions of an innermost loop: where its blocks lie wholly inside, and where they may not.
#ifndef FLAGTREE_TRANSFORMS_VERSIONLOOP_H
#define FLAGTREE_TRANSFORMS_VERSIONLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace flagtree {

/// Where `loop` has accesses of vectors whose extents it does not change, asks
/// once in front of it whether they are full, and runs a copy without those
/// extents if so. A loop that holds loops, or no such access, stays.
void versionByFixedExtents(mlir::scf::ForOp loop);

} // namespace flagtree

#endif // FLAGTREE_TRANSFORMS_VERSIONLOOP_H
