// SPDX-License-Identifier: MIT
// What the operations' implementations of TilingInterface share.
#ifndef FLAGTREE_LIB_DIALECT_FLIR_IR_TILES_H
#define FLAGTREE_LIB_DIALECT_FLIR_IR_TILES_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace flagtree::flir {

/// One parallel loop for each dimension of a block; none for a scalar.
inline llvm::SmallVector<mlir::utils::IteratorType> parallelLoops(mlir::Type block) {
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(block);
  return llvm::SmallVector<mlir::utils::IteratorType>(shaped ? shaped.getRank() : 0,
                                                      mlir::utils::IteratorType::parallel);
}

inline llvm::SmallVector<mlir::Range> blockDomain(mlir::OpBuilder &b, mlir::Type block) {
  llvm::SmallVector<mlir::Range> domain;
  if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(block))
    for (int64_t size : shaped.getShape())
      domain.push_back({b.getIndexAttr(0), b.getIndexAttr(size), b.getIndexAttr(1)});
  return domain;
}

/// The tile of a tensor operand; remembers the slice so that its producer can
/// be fused in turn.
inline mlir::Value sliceOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor,
                           llvm::ArrayRef<mlir::OpFoldResult> offsets,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           llvm::SmallVectorImpl<mlir::Operation *> &slices) {
  if (!tensor)
    return {};
  llvm::SmallVector<mlir::OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
  auto slice = mlir::tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, ones);
  slices.push_back(slice);
  return slice;
}

/// The result's tile is where the operation's is.
inline mlir::LogicalResult sameTile(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                    llvm::SmallVectorImpl<mlir::OpFoldResult> &resultOffsets,
                                    llvm::SmallVectorImpl<mlir::OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return mlir::success();
}

} // namespace flagtree::flir

#endif // FLAGTREE_LIB_DIALECT_FLIR_IR_TILES_H
