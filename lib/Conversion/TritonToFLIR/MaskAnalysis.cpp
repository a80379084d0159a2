// SPDX-License-Identifier: MIT
// Masks: a conjunction of comparisons becomes one extent for each dimension.
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

/// Two bounds of one dimension: the smaller holds.
void PtrAnalysis::addExtent(BlockMask &result, int64_t dim, OpFoldResult extent) {
  std::optional<OpFoldResult> &slot = result.extents[dim];
  slot = slot ? min(*slot, extent) : extent;
}

/// A condition of the whole block: its first dimension is whole or empty.
void PtrAnalysis::addCondition(BlockMask &result, Value condition, Shape shape) {
  Location loc = condition.getLoc();
  Value whole = arith::ConstantIndexOp::create(builder, loc, shape[0]);
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  addExtent(result, 0, getAsOpFoldResult(builder.createOrFold<arith::SelectOp>(loc, condition, whole, none)));
}

void PtrAnalysis::addResidual(BlockMask &result, Value mask, Value allOn) {
  Location loc = mask.getLoc();
  if (!result.residual) {
    result.residual = mask;
    result.allOn = allOn;
    return;
  }
  result.residual = arith::AndIOp::create(builder, loc, result.residual, mask);
  result.allOn =
      result.allOn && allOn ? arith::AndIOp::create(builder, loc, result.allOn, allOn).getResult() : Value();
}

/// `Σ strides · i < limit`, of the difference of two blocks. One dimension that
/// grows has an extent; one that shrinks, or several, stay a tensor, which is
/// all on when the block's corner with the largest sum is.
bool PtrAnalysis::maskBelow(const AffineBlock &a, const AffineBlock &b, bool orEqual, Value mask,
                            BlockMask &result, Shape shape) {
  OpFoldResult distance = sub(b.offset, a.offset);
  OpFoldResult limit = orEqual ? add(distance, number(1)) : distance;
  OpFoldResult largest = number(0);
  std::optional<int64_t> growing;
  unsigned moving = 0;
  int64_t step = 0;
  for (auto [dim, x, y] : llvm::enumerate(a.strides, b.strides)) {
    if (isSameNumber(x, y))
      continue;
    OpFoldResult stride = sub(x, y);
    ++moving;
    step = getConstantIntValue(stride).value_or(0);
    if (step > 0)
      growing = dim;
    if (step >= 0)
      largest = add(largest, mul(max(stride, number(0)), number(shape[dim] - 1)));
  }
  Location loc = mask.getLoc();
  auto isLess = [&](OpFoldResult x, OpFoldResult y) {
    return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                               getValueOrCreateConstantIndexOp(builder, loc, x),
                                               getValueOrCreateConstantIndexOp(builder, loc, y));
  };
  if (moving == 0) {
    addCondition(result, isLess(number(0), limit), shape);
    return true;
  }
  if (moving == 1 && growing) {
    if (step > 1) // the smallest number of steps that reaches the limit
      limit = divideByConstant(add(max(limit, number(0)), number(step - 1)), step);
    addExtent(result, *growing, limit);
    return true;
  }
  // A lower bound that every position meets.
  if (isConstantIntValue(largest, 0) && isNonNegative(orEqual ? distance : add(distance, number(-1))))
    return true;
  addResidual(result, mask, isLess(largest, limit));
  return true;
}

/// A comparison of affine integers.
bool PtrAnalysis::maskCompare(arith::CmpIPredicate predicate, Value lhs, Value rhs, Value mask,
                              BlockMask &result, Shape shape) {
  using Predicate = arith::CmpIPredicate;
  std::optional<AffineBlock> a = analyze(lhs), b = analyze(rhs);
  if (!a || !b || a->base || b->base || !a->isDirect() || !b->isDirect())
    return false;
  if (a->isUniform() && b->isUniform()) {
    Type type = getElementTypeOrSelf(lhs.getType());
    Location loc = mask.getLoc();
    addCondition(result,
                 builder.createOrFold<arith::CmpIOp>(loc, predicate, fromIndex(a->offset, type, loc),
                                                     fromIndex(b->offset, type, loc)),
                 shape);
    return true;
  }
  switch (predicate) {
  case Predicate::sgt:
  case Predicate::sge:
  case Predicate::ugt:
  case Predicate::uge:
    std::swap(a, b);
    break;
  case Predicate::eq:
  case Predicate::ne:
    return false;
  default:
    break;
  }
  bool orEqual = predicate == Predicate::sle || predicate == Predicate::sge || predicate == Predicate::ule ||
                 predicate == Predicate::uge;
  bool isUnsigned = predicate >= Predicate::ult;
  if (isUnsigned && !b->isNonNegative())
    return false;
  // Without a sign a negative number is above every bound.
  if (isUnsigned && !a->isNonNegative()) {
    AffineBlock zero({}, number(0), SmallVector<OpFoldResult>(shape.size(), number(0)));
    Value notNegative = arith::CmpIOp::create(
        builder, mask.getLoc(), Predicate::sge,
        predicate == Predicate::ult || predicate == Predicate::ule ? lhs : rhs,
        arith::ConstantOp::create(builder, mask.getLoc(), builder.getZeroAttr(lhs.getType())));
    if (!maskBelow(zero, *a, /*orEqual=*/true, notNegative, result, shape))
      return false;
  }
  return maskBelow(*a, *b, orEqual, mask, result, shape);
}

/// Extents of a mask before a change of shape bound the same dimensions after
/// it, but where a dimension of size 1 grew: there the bound is a condition.
bool PtrAnalysis::maskShape(Operation *op, BlockMask &result, Shape shape) {
  SmallVector<int64_t> dims; // dimension of the result for each inner one
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      if (dim != static_cast<int64_t>(expand.getAxis()))
        dims.push_back(dim);
  } else if (isa<tt::BroadcastOp>(op)) {
    dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  } else if (auto transpose = dyn_cast<tt::TransOp>(op)) {
    dims.resize(shape.size());
    for (auto [to, from] : llvm::enumerate(transpose.getOrder()))
      dims[from] = to;
  } else {
    return false;
  }
  Value source = op->getOperand(0);
  SmallVector<int64_t> innerShape(cast<RankedTensorType>(source.getType()).getShape());
  BlockMask inner = analyzeMask(source, innerShape);
  if (inner.residual) {
    Operation *moved = builder.clone(*op);
    moved->setOperand(0, inner.residual);
    addResidual(result, moved->getResult(0), inner.allOn);
  }
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

/// One of two masks, as a condition of the whole block says, or a disjunction:
/// bounds of one and the same dimension become the larger.
bool PtrAnalysis::maskChoice(Operation *op, BlockMask &result, Shape shape) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select && !isa<arith::OrIOp>(op))
    return false;
  Value condition = select ? select.getCondition() : Value();
  if (condition)
    if (auto splat = condition.getDefiningOp<tt::SplatOp>())
      condition = splat.getSrc();
  if (condition && isa<RankedTensorType>(condition.getType())) {
    // `select m, k, false` is a conjunction.
    if (!matchPattern(select.getFalseValue(), m_Zero()))
      return false;
    maskConjunct(condition, result, shape);
    maskConjunct(select.getTrueValue(), result, shape);
    return true;
  }
  BlockMask a = analyzeMask(op->getOperand(select ? 1 : 0), shape);
  BlockMask b = analyzeMask(op->getOperand(select ? 2 : 1), shape);
  if (a.residual || b.residual)
    return false;
  auto bounded = [](const BlockMask &mask) {
    return llvm::count_if(mask.extents, [](const auto &extent) { return extent.has_value(); });
  };
  if (!select && (bounded(a) == 0 || bounded(b) == 0))
    return true; // one of them is always on
  if (!select && (bounded(a) != 1 || bounded(b) != 1))
    return false;
  for (auto [dim, x, y] : llvm::enumerate(a.extents, b.extents))
    if (!select && x.has_value() != y.has_value())
      return false;
  for (auto [dim, x, y] : llvm::enumerate(a.extents, b.extents)) {
    if (!x && !y)
      continue;
    OpFoldResult first = x.value_or(number(shape[dim])), second = y.value_or(number(shape[dim]));
    addExtent(result, dim, select ? pick(condition, first, second) : max(first, second));
  }
  return true;
}

/// `negated`, which is not `mask`.
void PtrAnalysis::maskNegated(Value mask, Value negated, BlockMask &result, Shape shape) {
  auto isTrue = [](Value value) { return matchPattern(value, m_One()); };
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    if (maskCompare(arith::invertPredicate(compare.getPredicate()), compare.getLhs(), compare.getRhs(),
                    negated, result, shape))
      return;
  if (auto twice = mask.getDefiningOp<arith::XOrIOp>(); twice && isTrue(twice.getRhs()))
    return maskConjunct(twice.getLhs(), result, shape);
  if (auto either = mask.getDefiningOp<arith::OrIOp>()) {
    for (Value side : either->getOperands()) {
      Value one = arith::ConstantOp::create(builder, mask.getLoc(),
                                            DenseElementsAttr::get(cast<ShapedType>(side.getType()), true));
      maskNegated(side, arith::XOrIOp::create(builder, mask.getLoc(), side, one), result, shape);
    }
    return;
  }
  addResidual(result, negated);
}

void PtrAnalysis::maskConjunct(Value mask, BlockMask &result, Shape shape) {
  if (Operation *op = mask.getDefiningOp()) {
    // A product of truth values is their conjunction.
    if (isa<arith::AndIOp, arith::MulIOp>(op)) {
      maskConjunct(op->getOperand(0), result, shape);
      maskConjunct(op->getOperand(1), result, shape);
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
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (compare &&
        maskCompare(compare.getPredicate(), compare.getLhs(), compare.getRhs(), mask, result, shape))
      return;
    if (isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
      return maskNegated(op->getOperand(0), mask, result, shape);
    if (maskShape(op, result, shape) || maskChoice(op, result, shape))
      return;
  }
  addResidual(result, mask);
}

BlockMask PtrAnalysis::analyzeMask(Value mask, Shape shape) {
  BlockMask result;
  result.extents.resize(shape.size());
  if (mask)
    maskConjunct(mask, result, shape);
  return result;
}

void PtrAnalysis::addBounds(BlockMask &result, const AffineBlock &view, ArrayRef<int32_t> checked,
                            Shape shape) {
  Location loc = builder.getUnknownLoc();
  for (int32_t dim : checked) {
    OpFoldResult start = view.starts[dim];
    addExtent(result, dim, sub(view.shape[dim], start));
    if (isNonNegative(start))
      continue;
    Value first = fromIndex(start, builder.getI64Type(), loc);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value inside = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, first, zero);
    if (shape[dim] == 1) {
      addCondition(result, inside, shape);
      continue;
    }
    auto line = RankedTensorType::get({shape[dim]}, builder.getI64Type());
    Value steps = arith::ExtSIOp::create(
        builder, loc, line,
        tt::MakeRangeOp::create(builder, loc, line.clone(builder.getI32Type()), 0, shape[dim]));
    Value positions =
        arith::AddIOp::create(builder, loc, steps, tt::SplatOp::create(builder, loc, line, first));
    Value mask = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, positions,
                                       tt::SplatOp::create(builder, loc, line, zero));
    for (int64_t other = 0, rank = shape.size(); other < rank; ++other)
      if (other != dim)
        mask = tt::ExpandDimsOp::create(builder, loc, mask, other);
    Type type = RankedTensorType::get(shape, builder.getI1Type());
    addResidual(result,
                mask.getType() == type ? mask : tt::BroadcastOp::create(builder, loc, type, mask).getResult(),
                inside);
  }
}
