// SPDX-License-Identifier: MIT
// Finds the affine structure of tensors of integers, pointers and masks.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace flagtree {

/// A block of integers or pointers whose element `(i0, …, ik)` is
/// `base + offset + Σ i_d · strides[d]`; `base` is null for integers. Numbers
/// are of type index; pointers count in elements of their pointee.
struct AffineBlock {
  mlir::Value base;
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> strides;

  bool isUniform() const;
};

/// What a mask says: element `i` is on when `i_d < extents[d]` for every
/// dimension that has one, and the residual, where there is one, is true.
struct BlockMask {
  llvm::SmallVector<std::optional<mlir::OpFoldResult>> extents;
  mlir::Value residual;
};

/// Walks definitions of Triton's tensors upwards. Numbers that it needs are
/// computed with `builder`, at its insertion point, from scalars of the
/// program; a failed search may leave unused operations behind.
class PtrAnalysis {
public:
  explicit PtrAnalysis(mlir::OpBuilder &builder) : builder(builder) {}

  /// A tensor or scalar of integers or pointers; nullopt when not affine.
  std::optional<AffineBlock> analyze(mlir::Value value);
  /// A tensor of i1 with the given shape; what is not understood stays in the
  /// residual.
  BlockMask analyzeMask(mlir::Value mask, llvm::ArrayRef<int64_t> shape);

private:
  std::optional<AffineBlock> analyzeScalar(mlir::Value value);
  std::optional<AffineBlock> analyzeConstant(mlir::Value value);
  std::optional<AffineBlock> analyzeArith(mlir::Operation *op);
  std::optional<AffineBlock> analyzeUniform(mlir::Operation *op);
  std::optional<AffineBlock> analyzeShape(mlir::Operation *op);
  std::optional<AffineBlock> multiply(const AffineBlock &a, const AffineBlock &b);

  void maskConjunct(mlir::Value mask, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  bool maskCompare(mlir::Operation *op, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  bool maskBroadcast(mlir::Operation *op, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  void addExtent(BlockMask &result, int64_t dim, mlir::OpFoldResult extent);
  void addCondition(BlockMask &result, mlir::Value condition, llvm::ArrayRef<int64_t> shape);

  mlir::OpFoldResult toIndex(mlir::Value scalar);
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }

  mlir::OpBuilder &builder;
};

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
