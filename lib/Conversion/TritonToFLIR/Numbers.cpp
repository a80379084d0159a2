// SPDX-License-Identifier: MIT
// Numbers of type index that the analysis computes with, and what is known of
// their signs.
#include "PtrAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

OpFoldResult PtrAnalysis::toIndex(Value scalar) {
  APInt constant;
  if (matchPattern(scalar, m_ConstantInt(&constant)))
    return number(constant.getSExtValue());
  // Numbers of ours that became integers for Triton's operations.
  auto cast = scalar.getDefiningOp<arith::IndexCastOp>();
  if (cast && cast.getIn().getType().isIndex() && scalar.getType().isInteger(64))
    return cast.getIn();
  return builder.createOrFold<arith::IndexCastOp>(scalar.getLoc(), builder.getIndexType(), scalar);
}

Value PtrAnalysis::fromIndex(OpFoldResult number, Type type, Location loc) {
  Value index = getValueOrCreateConstantIndexOp(builder, loc, number);
  return builder.createOrFold<arith::IndexCastOp>(loc, type, index);
}

bool flagtree::isSameNumber(OpFoldResult a, OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b))
    return true;
  auto x = dyn_cast<Value>(a), y = dyn_cast<Value>(b);
  Operation *first = x ? x.getDefiningOp() : nullptr, *second = y ? y.getDefiningOp() : nullptr;
  if (!first || !second || first->getName() != second->getName() || !isPure(first) ||
      first->getNumRegions() != 0 || first->getNumResults() != 1 ||
      first->getAttrDictionary() != second->getAttrDictionary())
    return false;
  return x.getType() == y.getType() && first->getNumOperands() == second->getNumOperands() &&
         llvm::all_of(llvm::zip_equal(first->getOperands(), second->getOperands()), [](auto pair) {
           return isSameNumber(getAsOpFoldResult(std::get<0>(pair)), getAsOpFoldResult(std::get<1>(pair)));
         });
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

OpFoldResult PtrAnalysis::min(OpFoldResult a, OpFoldResult b) {
  return combine<arith::MinSIOp>(builder, a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
}

OpFoldResult PtrAnalysis::max(OpFoldResult a, OpFoldResult b) {
  return combine<arith::MaxSIOp>(builder, a, b, [](int64_t x, int64_t y) { return std::max(x, y); });
}

OpFoldResult PtrAnalysis::divideByConstant(OpFoldResult a, int64_t divisor) {
  return combine<arith::DivUIOp>(builder, a, number(divisor), [](int64_t x, int64_t y) { return x / y; });
}

OpFoldResult PtrAnalysis::pick(Value condition, OpFoldResult a, OpFoldResult b) {
  if (isSameNumber(a, b))
    return a;
  Location loc = condition.getLoc();
  return getAsOpFoldResult(
      builder.createOrFold<arith::SelectOp>(loc, condition, getValueOrCreateConstantIndexOp(builder, loc, a),
                                            getValueOrCreateConstantIndexOp(builder, loc, b)));
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

/// Ids of a program and sizes of the grid close the arguments of a kernel.
static constexpr unsigned gridArguments = 6;
/// How far definitions are followed.
static constexpr unsigned signDepth = 12;

static bool isNonNegative(Value value, unsigned depth);

static bool isNonNegative(BlockArgument argument, unsigned depth) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    unsigned count = function.getNumArguments();
    return count >= gridArguments && argument.getArgNumber() >= count - gridArguments &&
           argument.getType().isInteger(32);
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return false;
  if (argument == loop.getInductionVar())
    return isNonNegative(loop.getLowerBound(), depth);
  // What starts there and only grows stays there.
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  auto sum = next.getDefiningOp<arith::AddIOp>();
  if (!isNonNegative(loop.getTiedLoopInit(argument)->get(), depth))
    return false;
  return next == argument || (sum && ((sum.getLhs() == argument && isNonNegative(sum.getRhs(), depth)) ||
                                      (sum.getRhs() == argument && isNonNegative(sum.getLhs(), depth))));
}

static bool isNonNegative(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  if (depth == 0)
    return false;
  --depth;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isNonNegative(argument, depth);
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return isNonNegative(op->getOperand(i), depth); };
  if (isa<arith::ExtUIOp>(op))
    return true;
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::RemSIOp>(op))
    return operand(0);
  if (isa<arith::MaxSIOp, arith::AndIOp>(op))
    return operand(0) || operand(1);
  if (isa<arith::SelectOp>(op))
    return operand(1) && operand(2);
  // Positions do not wrap around.
  return isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemUIOp, arith::MinSIOp,
             arith::ShLIOp, arith::ShRSIOp>(op) &&
         operand(0) && operand(1);
}

bool flagtree::isNonNegative(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return *constant >= 0;
  return ::isNonNegative(cast<Value>(number), signDepth);
}

bool AffineBlock::isNonNegative() const {
  return isDirect() && flagtree::isNonNegative(offset) &&
         llvm::all_of(strides, [](OpFoldResult stride) { return flagtree::isNonNegative(stride); });
}
