// SPDX-License-Identifier: MIT
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace flagtree;

bool AffineBlock::isUniform() const {
  return llvm::all_of(strides, [](OpFoldResult stride) { return isConstantIntValue(stride, 0); });
}

//===----------------------------------------------------------------------===//
// Numbers of type index
//===----------------------------------------------------------------------===//

OpFoldResult PtrAnalysis::toIndex(Value scalar) {
  APInt constant;
  if (matchPattern(scalar, m_ConstantInt(&constant)))
    return number(constant.getSExtValue());
  return builder.createOrFold<arith::IndexCastOp>(scalar.getLoc(), builder.getIndexType(), scalar);
}

/// Computes on constants at once and on values with an operation.
template <typename Op, typename Fn>
static OpFoldResult combine(OpBuilder &builder, OpFoldResult a, OpFoldResult b, Fn fold) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(fold(*x, *y));
  Location loc = isa<Value>(a) ? cast<Value>(a).getLoc() : cast<Value>(b).getLoc();
  Value result = builder.createOrFold<Op>(loc, getValueOrCreateConstantIndexOp(builder, loc, a),
                                          getValueOrCreateConstantIndexOp(builder, loc, b));
  return getAsOpFoldResult(result);
}

OpFoldResult PtrAnalysis::add(OpFoldResult a, OpFoldResult b) {
  if (isConstantIntValue(a, 0))
    return b;
  if (isConstantIntValue(b, 0))
    return a;
  return combine<arith::AddIOp>(builder, a, b, [](int64_t x, int64_t y) { return x + y; });
}

OpFoldResult PtrAnalysis::sub(OpFoldResult a, OpFoldResult b) {
  if (isConstantIntValue(b, 0))
    return a;
  return combine<arith::SubIOp>(builder, a, b, [](int64_t x, int64_t y) { return x - y; });
}

OpFoldResult PtrAnalysis::mul(OpFoldResult a, OpFoldResult b) {
  if (isConstantIntValue(a, 0) || isConstantIntValue(b, 0))
    return number(0);
  if (isConstantIntValue(a, 1))
    return b;
  if (isConstantIntValue(b, 1))
    return a;
  return combine<arith::MulIOp>(builder, a, b, [](int64_t x, int64_t y) { return x * y; });
}

//===----------------------------------------------------------------------===//
// Affine blocks
//===----------------------------------------------------------------------===//

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

/// Peels additions off a scalar pointer, so that accesses of one argument
/// share their base.
std::optional<AffineBlock> PtrAnalysis::analyzeScalar(Value value) {
  if (!isa<tt::PointerType>(value.getType())) {
    if (!value.getType().isIntOrIndex())
      return std::nullopt;
    return AffineBlock{{}, toIndex(value), {}};
  }
  if (auto add = value.getDefiningOp<tt::AddPtrOp>()) {
    std::optional<AffineBlock> block = analyzeScalar(add.getPtr());
    if (!block)
      return std::nullopt;
    block->offset = this->add(block->offset, toIndex(add.getOffset()));
    return block;
  }
  return AffineBlock{value, number(0), {}};
}

std::optional<AffineBlock> PtrAnalysis::analyzeConstant(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  APInt splat = elements.getSplatValue<APInt>();
  // i1 counts as 0 or 1 when it is widened without a sign.
  int64_t number = splat.getBitWidth() == 1 ? splat.getZExtValue() : splat.getSExtValue();
  return AffineBlock{{}, this->number(number), SmallVector<OpFoldResult>(rankOf(value), this->number(0))};
}

std::optional<AffineBlock> PtrAnalysis::multiply(const AffineBlock &a, const AffineBlock &b) {
  if (!a.isUniform() && !b.isUniform())
    return std::nullopt;
  const AffineBlock &factor = a.isUniform() ? a : b, &block = a.isUniform() ? b : a;
  AffineBlock result{{}, mul(block.offset, factor.offset), {}};
  for (OpFoldResult stride : block.strides)
    result.strides.push_back(mul(stride, factor.offset));
  return result;
}

std::optional<AffineBlock> PtrAnalysis::analyzeArith(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, tt::AddPtrOp>(op)) {
    std::optional<AffineBlock> a = analyze(op->getOperand(0)), b = analyze(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    if (isa<arith::MulIOp>(op))
      return multiply(*a, *b);
    auto combined = [&](OpFoldResult x, OpFoldResult y) {
      return isa<arith::SubIOp>(op) ? sub(x, y) : add(x, y);
    };
    AffineBlock result{a->base, combined(a->offset, b->offset), {}};
    for (auto [x, y] : llvm::zip_equal(a->strides, b->strides))
      result.strides.push_back(combined(x, y));
    return result;
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    std::optional<AffineBlock> a = analyze(shift.getLhs()), b = analyze(shift.getRhs());
    std::optional<int64_t> bits = b ? getConstantIntValue(b->offset) : std::nullopt;
    if (!a || !bits || !b->isUniform() || *bits < 0 || *bits > 62)
      return std::nullopt;
    return multiply(*a, AffineBlock{{}, number(int64_t(1) << *bits), b->strides});
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return analyze(op->getOperand(0));
  if (auto extension = dyn_cast<arith::ExtUIOp>(op)) {
    // A range and its multiples are not negative; of other values the sign is unknown.
    std::optional<AffineBlock> block = analyze(extension.getIn());
    auto nonNegative = [](OpFoldResult x) { return getConstantIntValue(x).value_or(-1) >= 0; };
    if (block && nonNegative(block->offset) && llvm::all_of(block->strides, nonNegative))
      return block;
    return std::nullopt;
  }
  return std::nullopt;
}

/// An elementwise operation of integers whose operands are each one number in
/// all elements is that operation on scalars.
std::optional<AffineBlock> PtrAnalysis::analyzeUniform(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isInteger() || !OpTrait::hasElementwiseMappableTraits(op) ||
      !isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    std::optional<AffineBlock> block = analyze(operand);
    Type element = getElementTypeOrSelf(operand.getType());
    if (!block || block->base || !block->isUniform() || !element.isInteger())
      return std::nullopt;
    Value index = getValueOrCreateConstantIndexOp(builder, op->getLoc(), block->offset);
    scalars.push_back(builder.createOrFold<arith::IndexCastOp>(op->getLoc(), element, index));
  }
  Operation *scalar = builder.create(op->getLoc(), op->getName().getIdentifier(), scalars,
                                     type.getElementType(), op->getAttrs());
  return AffineBlock{{}, toIndex(scalar->getResult(0)), SmallVector<OpFoldResult>(type.getRank(), number(0))};
}

std::optional<AffineBlock> PtrAnalysis::analyzeShape(Operation *op) {
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return AffineBlock{{}, number(range.getStart()), {number(1)}};
  if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    std::optional<AffineBlock> block = analyzeScalar(splat.getSrc());
    if (block)
      block->strides.assign(rankOf(splat), number(0));
    return block;
  }
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    std::optional<AffineBlock> block = analyze(expand.getSrc());
    if (block)
      block->strides.insert(block->strides.begin() + expand.getAxis(), number(0));
    return block;
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    std::optional<AffineBlock> block = analyze(broadcast.getSrc());
    if (!block)
      return std::nullopt;
    auto from = cast<RankedTensorType>(broadcast.getSrc().getType());
    for (auto [dim, size] : llvm::enumerate(from.getShape()))
      if (size == 1)
        block->strides[dim] = number(0);
    return block;
  }
  if (auto transpose = dyn_cast<tt::TransOp>(op)) {
    std::optional<AffineBlock> block = analyze(transpose.getSrc());
    if (!block)
      return std::nullopt;
    SmallVector<OpFoldResult> strides;
    for (int32_t dim : transpose.getOrder())
      strides.push_back(block->strides[dim]);
    block->strides = std::move(strides);
    return block;
  }
  return std::nullopt;
}

std::optional<AffineBlock> PtrAnalysis::analyze(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return analyzeScalar(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (std::optional<AffineBlock> block = analyzeConstant(value))
    return block;
  if (std::optional<AffineBlock> block = analyzeShape(op))
    return block;
  if (std::optional<AffineBlock> block = analyzeArith(op))
    return block;
  return analyzeUniform(op);
}
