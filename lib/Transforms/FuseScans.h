// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_FUSESCANS_H
#define FLAGTREE_LIB_TRANSFORMS_FUSESCANS_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace flagtree {

/// Computes the tile of `scan` that `slice` takes inside of `loops`, the
/// innermost of which runs along the axis, and carries what was combined from
/// one iteration into the next; `first` is true in the first one. Replaces all
/// of `slices` that take the same tile, and gives the slices of the sources.
mlir::FailureOr<mlir::SmallVector<mlir::Operation *>>
fuseScan(mlir::RewriterBase &rewriter, flir::ScanOp scan, mlir::ArrayRef<mlir::tensor::ExtractSliceOp> slices,
         mlir::SmallVectorImpl<mlir::LoopLikeOpInterface> &loops);

/// Lets the iterations of the innermost of `loops`, which takes tiles of
/// `size` elements, run from the end of a dimension of `extent` elements.
void runBackwards(mlir::RewriterBase &rewriter, mlir::ArrayRef<mlir::LoopLikeOpInterface> loops,
                  int64_t extent, int64_t size);

/// A root that stores the results of a scan in buffers: what uses them as a whole reads those.
mlir::linalg::GenericOp keepScan(mlir::RewriterBase &rewriter, flir::ScanOp scan);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_FUSESCANS_H
