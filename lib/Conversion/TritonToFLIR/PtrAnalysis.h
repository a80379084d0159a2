// SPDX-License-Identifier: MIT
// Finds the structure of tensors of integers, pointers and masks.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace flagtree {

/// Numbers along one dimension that follow no stride: a loaded row index, a
/// remainder. Where `regular`, a condition of the whole block, holds they do:
/// they are `offset + i · stride` then.
struct DimIndex {
  mlir::Value numbers; // tensor<N x i64>, null when the dimension has none
  mlir::Value regular; // i1, null when nothing is known
  mlir::OpFoldResult offset, stride;

  explicit operator bool() const { return static_cast<bool>(numbers); }
};

/// A block of integers or pointers whose element `(i0, …, ik)` is
/// `base + offset + Σ i_d · strides[d] + Σ indices[d][i_d]`; `base` is null for
/// integers. Numbers are of type index; pointers count in elements of their
/// pointee.
struct AffineBlock {
  AffineBlock(mlir::Value base, mlir::OpFoldResult offset, llvm::SmallVector<mlir::OpFoldResult> strides)
      : base(base), offset(offset), strides(std::move(strides)), indices(this->strides.size()) {}

  mlir::Value base;
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> strides;
  llvm::SmallVector<DimIndex> indices;

  bool isDirect() const;
  bool isUniform() const;
  /// True when all positions along the dimension have the same number.
  bool isUniform(int64_t dim) const;
};

/// Blocks of values that were made from these very numbers, such as the tensor
/// that stands for the offset which a loop carries.
using KnownBlocks = llvm::MapVector<mlir::Value, AffineBlock>;

/// What a mask says: element `i` is on when `i_d < extents[d]` for every
/// dimension that has one, and the residual, where there is one, is true.
struct BlockMask {
  llvm::SmallVector<std::optional<mlir::OpFoldResult>> extents;
  mlir::Value residual;
};

/// Walks definitions of Triton's tensors upwards. Numbers that it needs are
/// computed with `builder`, at its insertion point, which must not move, from
/// scalars of the program; a search may leave unused operations behind.
class PtrAnalysis {
public:
  PtrAnalysis(mlir::OpBuilder &builder, const KnownBlocks &known) : builder(builder), known(known) {}

  /// A tensor or scalar of integers or pointers; nullopt when it has no
  /// structure.
  std::optional<AffineBlock> analyze(mlir::Value value);
  /// A tensor of i1 with the given shape; what is not understood stays in the
  /// residual.
  BlockMask analyzeMask(mlir::Value mask, llvm::ArrayRef<int64_t> shape);

  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult b);

private:
  std::optional<AffineBlock> analyzeTensor(mlir::Value value);
  std::optional<AffineBlock> analyzeScalar(mlir::Value value);
  std::optional<AffineBlock> analyzeConstant(mlir::Value value);
  std::optional<AffineBlock> analyzeArith(mlir::Operation *op);
  std::optional<AffineBlock> analyzeSelect(mlir::Operation *op);
  std::optional<AffineBlock> analyzeUniform(mlir::Operation *op);
  std::optional<AffineBlock> analyzeShape(mlir::Operation *op);
  std::optional<AffineBlock> multiply(const AffineBlock &a, const AffineBlock &b);

  // Indices (IndexAnalysis.cpp)
  std::optional<AffineBlock> analyzeDivision(mlir::Operation *op);
  std::optional<AffineBlock> analyzeAlongOneDim(mlir::Operation *op);
  std::optional<AffineBlock> analyzeOpaque(mlir::Value value);
  mlir::Value numbersOf(mlir::Operation *op, int64_t dim, llvm::ArrayRef<AffineBlock> operands);
  mlir::Value lineOf(const AffineBlock &block, int64_t dim, int64_t size, mlir::Type element);
  DimIndex addIndices(const DimIndex &a, const DimIndex &b, bool subtract);
  DimIndex scaleIndex(const DimIndex &index, mlir::OpFoldResult factor);

  void maskConjunct(mlir::Value mask, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  bool maskCompare(mlir::Operation *op, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  bool maskBroadcast(mlir::Operation *op, BlockMask &result, llvm::ArrayRef<int64_t> shape);
  void addExtent(BlockMask &result, int64_t dim, mlir::OpFoldResult extent);
  void addCondition(BlockMask &result, mlir::Value condition, llvm::ArrayRef<int64_t> shape);

  mlir::OpFoldResult toIndex(mlir::Value scalar);
  mlir::Value fromIndex(mlir::OpFoldResult number, mlir::Type type, mlir::Location loc);
  mlir::OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }

  mlir::OpBuilder &builder;
  const KnownBlocks &known;
  llvm::DenseMap<mlir::Value, std::optional<AffineBlock>> memo;
};

/// True when both are the same number wherever they are computed.
bool isSameNumber(mlir::OpFoldResult a, mlir::OpFoldResult b);

/// Moves operations without effects out of the loops whose values they do not
/// use.
void hoistOutOfLoops(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
