// SPDX-License-Identifier: MIT
// Along which dimension the elements of a block lie side by side in memory.
#ifndef FLAGTREE_LIB_TRANSFORMS_CONTIGUITY_H
#define FLAGTREE_LIB_TRANSFORMS_CONTIGUITY_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace flagtree {

/// A loop of an operation along which accesses on the way to it lie side by
/// side, while along the innermost loop they do not.
struct ContiguousLoop {
  int64_t loop;
  /// Other accesses lie side by side along the innermost loop: a tile has to
  /// be transposed in between.
  bool transposes;
  /// Bytes of the widest element of those accesses.
  int64_t elementBytes;
};

/// Looks at the accesses that `isFused` says are computed in the loops of `root`.
std::optional<ContiguousLoop> findContiguousLoop(mlir::TilingInterface root,
                                                 llvm::function_ref<bool(mlir::Operation *)> isFused);

/// Accesses on vectors whose elements lie side by side along another dimension
/// than the last become accesses of that dimension and a transposition.
void populateContiguousAccessPatterns(mlir::RewritePatternSet &patterns);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_CONTIGUITY_H
