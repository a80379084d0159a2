// SPDX-License-Identifier: MIT
// Finds the structure of tensors of integers, pointers and masks.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
/// pointee. Of a block pointer or a descriptor the element is at
/// `base + offset + Σ (starts[d] + i_d) · strides[d]`, in a tensor of `shape`.
struct AffineBlock {
  AffineBlock(mlir::Value base, mlir::OpFoldResult offset, llvm::SmallVector<mlir::OpFoldResult> strides)
      : base(base), offset(offset), strides(std::move(strides)), indices(this->strides.size()) {}

  mlir::Value base;
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> strides;
  llvm::SmallVector<DimIndex> indices;
  llvm::SmallVector<mlir::OpFoldResult> starts, shape;
  mlir::Value padsNaN; // i1: what is outside of the shape reads as NaN; null for never

  bool isView() const { return !shape.empty(); }
  bool isDirect() const;
  bool isUniform() const;
  /// True when all elements are known not to be negative.
  bool isNonNegative() const;
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
  mlir::Value residual; // tensor of i1
  mlir::Value allOn;    // i1: where it holds, all of the residual is true; null when unknown
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
  /// Which elements of a view's block lie within its shape, of the dimensions in `checked`.
  void addBounds(BlockMask &result, const AffineBlock &view, llvm::ArrayRef<int32_t> checked,
                 llvm::ArrayRef<int64_t> shape);
  void addResidual(BlockMask &result, mlir::Value mask, mlir::Value allOn = {});
  void addCondition(BlockMask &result, mlir::Value condition, llvm::ArrayRef<int64_t> shape);

  mlir::OpFoldResult toIndex(mlir::Value scalar);
  mlir::Value fromIndex(mlir::OpFoldResult number, mlir::Type type, mlir::Location loc);
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult max(mlir::OpFoldResult a, mlir::OpFoldResult b);
  /// `a` is not negative.
  mlir::OpFoldResult divideByConstant(mlir::OpFoldResult a, int64_t divisor);
  mlir::OpFoldResult pick(mlir::Value condition, mlir::OpFoldResult a, mlir::OpFoldResult b);

private:
  std::optional<AffineBlock> analyzeTensor(mlir::Value value);
  std::optional<AffineBlock> analyzeScalar(mlir::Value value);
  std::optional<AffineBlock> analyzeView(mlir::Value value);
  std::optional<AffineBlock> analyzeConstant(mlir::Value value);
  std::optional<AffineBlock> analyzeArith(mlir::Operation *op);
  std::optional<AffineBlock> analyzeSelect(mlir::Operation *op);
  std::optional<AffineBlock> analyzeUniform(mlir::Operation *op);
  std::optional<AffineBlock> analyzeShape(mlir::Operation *op);
  std::optional<AffineBlock> analyzeReshape(tt::ReshapeOp reshape);
  std::optional<AffineBlock> multiply(const AffineBlock &a, const AffineBlock &b);

  // Indices (IndexAnalysis.cpp)
  std::optional<AffineBlock> analyzeDivision(mlir::Operation *op);
  std::optional<AffineBlock> analyzeAlongOneDim(mlir::Operation *op);
  std::optional<AffineBlock> analyzeOpaque(mlir::Value value);
  mlir::Value numbersOf(mlir::Operation *op, int64_t dim, llvm::ArrayRef<AffineBlock> operands);
  mlir::Value lineOf(const AffineBlock &block, int64_t dim, int64_t size, mlir::Type element);
  DimIndex addIndices(const DimIndex &a, const DimIndex &b, bool subtract);
  DimIndex scaleIndex(const DimIndex &index, mlir::OpFoldResult factor);

  using Shape = llvm::ArrayRef<int64_t>;
  void maskConjunct(mlir::Value mask, BlockMask &result, Shape shape);
  void maskNegated(mlir::Value mask, mlir::Value negated, BlockMask &result, Shape shape);
  bool maskCompare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs, mlir::Value mask,
                   BlockMask &result, Shape shape);
  bool maskBelow(const AffineBlock &a, const AffineBlock &b, bool orEqual, mlir::Value mask,
                 BlockMask &result, Shape shape);
  bool maskShape(mlir::Operation *op, BlockMask &result, Shape shape);
  bool maskChoice(mlir::Operation *op, BlockMask &result, Shape shape);
  void addExtent(BlockMask &result, int64_t dim, mlir::OpFoldResult extent);

  mlir::OpFoldResult number(int64_t value) { return builder.getIndexAttr(value); }

  mlir::OpBuilder &builder;
  const KnownBlocks &known;
  llvm::DenseMap<mlir::Value, std::optional<AffineBlock>> memo;
};

/// A tensor, pointer or view of `type` with the elements of `block`. Of a view
/// made here the padding is what `block` says, whatever the operation says.
mlir::Value materializeBlock(mlir::OpBuilder &b, mlir::Location loc, const AffineBlock &block,
                             mlir::Type type);

/// True when both are the same number wherever they are computed.
bool isSameNumber(mlir::OpFoldResult a, mlir::OpFoldResult b);

/// True when the number is known not to be negative. Positions do not wrap
/// around.
bool isNonNegative(mlir::OpFoldResult number);

/// Moves operations without effects out of the loops whose values they do not
/// use.
void hoistOutOfLoops(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PTRANALYSIS_H
