// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_VECTORIZECOMBINES_H
#define FLAGTREE_LIB_TRANSFORMS_VECTORIZECOMBINES_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

namespace flagtree {

/// The results of a reduction of `vectors`, as vectors, combined in a tree.
mlir::SmallVector<mlir::Value> reduceVectors(mlir::OpBuilder &b, flir::ReduceOp op, mlir::ValueRange vectors);

/// The results of a scan of `vectors`, in a logarithmic number of steps.
mlir::SmallVector<mlir::Value> scanVectors(mlir::OpBuilder &b, flir::ScanOp op, mlir::ValueRange vectors);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_VECTORIZECOMBINES_H
