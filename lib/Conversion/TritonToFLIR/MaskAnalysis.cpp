// SPDX-License-Identifier: MIT
// Masks: a conjunction of comparisons becomes one extent for each dimension.
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

/// Two bounds of one dimension: the smaller holds.
void PtrAnalysis::addExtent(BlockMask &result, int64_t dim, OpFoldResult extent) {
  std::optional<OpFoldResult> &slot = result.extents[dim];
  if (!slot) {
    slot = extent;
    return;
  }
  std::optional<int64_t> a = getConstantIntValue(*slot), b = getConstantIntValue(extent);
  if (a && b) {
    slot = number(std::min(*a, *b));
    return;
  }
  Location loc = builder.getUnknownLoc();
  slot = builder.createOrFold<arith::MinSIOp>(loc, getValueOrCreateConstantIndexOp(builder, loc, *slot),
                                              getValueOrCreateConstantIndexOp(builder, loc, extent));
}

/// A condition of the whole block: its first dimension is whole or empty.
void PtrAnalysis::addCondition(BlockMask &result, Value condition, ArrayRef<int64_t> shape) {
  Location loc = condition.getLoc();
  Value whole = arith::ConstantIndexOp::create(builder, loc, shape[0]);
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  addExtent(result, 0, builder.createOrFold<arith::SelectOp>(loc, condition, whole, none));
}

/// `a < b` of affine integers, where the difference grows by one in one
/// dimension, bounds that dimension.
bool PtrAnalysis::maskCompare(Operation *op, BlockMask &result, ArrayRef<int64_t> shape) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  std::optional<AffineBlock> a = analyze(compare.getLhs()), b = analyze(compare.getRhs());
  if (!a || !b || a->base || b->base || !a->isDirect() || !b->isDirect())
    return false;
  if (a->isUniform() && b->isUniform()) {
    Type type = getElementTypeOrSelf(compare.getLhs().getType());
    Location loc = op->getLoc();
    auto scalar = [&](OpFoldResult x) -> Value {
      Value index = getValueOrCreateConstantIndexOp(builder, loc, x);
      return builder.createOrFold<arith::IndexCastOp>(loc, type, index);
    };
    addCondition(result,
                 builder.createOrFold<arith::CmpIOp>(loc, compare.getPredicate(), scalar(a->offset),
                                                     scalar(b->offset)),
                 shape);
    return true;
  }
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (predicate == arith::CmpIPredicate::sgt || predicate == arith::CmpIPredicate::sge) {
    std::swap(a, b);
    predicate =
        predicate == arith::CmpIPredicate::sgt ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sle;
  }
  if (predicate != arith::CmpIPredicate::slt && predicate != arith::CmpIPredicate::sle)
    return false;
  std::optional<int64_t> growing;
  for (auto [dim, x, y] : llvm::enumerate(a->strides, b->strides)) {
    if (isEqualConstantIntOrValue(x, y))
      continue;
    OpFoldResult difference = sub(x, y);
    if (isConstantIntValue(difference, 0))
      continue;
    if (growing || !isConstantIntValue(difference, 1))
      return false;
    growing = dim;
  }
  if (!growing)
    return false;
  OpFoldResult extent = sub(b->offset, a->offset);
  if (predicate == arith::CmpIPredicate::sle)
    extent = add(extent, number(1));
  addExtent(result, *growing, extent);
  return true;
}

/// Extents of a mask before a broadcast bound the same dimensions after it,
/// but where a dimension of size 1 grew: there the bound is a condition.
bool PtrAnalysis::maskBroadcast(Operation *op, BlockMask &result, ArrayRef<int64_t> shape) {
  BlockMask inner;
  SmallVector<int64_t> innerShape;
  SmallVector<int64_t> dims; // dimension of the result for each inner one
  Value source = op->getOperand(0);
  auto sourceType = dyn_cast<RankedTensorType>(source.getType());
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      if (dim != static_cast<int64_t>(expand.getAxis()))
        dims.push_back(dim);
  } else if (isa<tt::BroadcastOp>(op)) {
    dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  } else {
    return false;
  }
  innerShape = llvm::to_vector(sourceType.getShape());
  inner.extents.resize(innerShape.size());
  maskConjunct(source, inner, innerShape);
  if (inner.residual)
    return false; // the whole mask stays a tensor
  for (auto [dim, extent] : llvm::enumerate(inner.extents)) {
    if (!extent)
      continue;
    if (innerShape[dim] == shape[dims[dim]]) {
      addExtent(result, dims[dim], *extent);
      continue;
    }
    Location loc = op->getLoc();
    Value bound = getValueOrCreateConstantIndexOp(builder, loc, *extent);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    addCondition(result, builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, bound, zero),
                 shape);
  }
  return true;
}

void PtrAnalysis::maskConjunct(Value mask, BlockMask &result, ArrayRef<int64_t> shape) {
  if (Operation *op = mask.getDefiningOp()) {
    if (auto conjunction = dyn_cast<arith::AndIOp>(op)) {
      maskConjunct(conjunction.getLhs(), result, shape);
      maskConjunct(conjunction.getRhs(), result, shape);
      return;
    }
    DenseIntElementsAttr elements;
    if (matchPattern(mask, m_Constant(&elements)) && elements.isSplat()) {
      if (!elements.getSplatValue<bool>())
        addExtent(result, 0, number(0));
      return;
    }
    if (auto splat = dyn_cast<tt::SplatOp>(op)) {
      addCondition(result, splat.getSrc(), shape);
      return;
    }
    if (maskCompare(op, result, shape) || maskBroadcast(op, result, shape))
      return;
  }
  if (result.residual)
    result.residual = arith::AndIOp::create(builder, mask.getLoc(), result.residual, mask);
  else
    result.residual = mask;
}

BlockMask PtrAnalysis::analyzeMask(Value mask, ArrayRef<int64_t> shape) {
  BlockMask result;
  result.extents.resize(shape.size());
  if (mask)
    maskConjunct(mask, result, shape);
  return result;
}
