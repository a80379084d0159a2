// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

void LinearForm::add(Value value, int64_t factor) {
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> number = constantOf(value)) {
    constant += factor * *number;
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    add(op->getOperand(0), factor);
    add(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor);
  } else if (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op)) {
    add(op->getOperand(0), factor);
  } else if (auto product = dyn_cast_or_null<arith::MulIOp>(op); product && constantOf(product.getRhs())) {
    add(product.getLhs(), factor * *constantOf(product.getRhs()));
  } else if (auto step = dyn_cast_or_null<vector::StepOp>(op)) {
    lanes += factor;
    laneCount = cast<VectorType>(step.getType()).getNumElements();
  } else if (isa_and_nonnull<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(op)) {
    add(op->getOperand(0), factor);
  } else {
    int64_t &sum = terms[value];
    sum += factor;
    if (sum == 0)
      terms.erase(value);
  }
}

void LinearForm::add(const LinearForm &other, int64_t factor) {
  for (auto [value, count] : other.terms)
    add(value, count * factor);
  constant += other.constant * factor;
  lanes += other.lanes * factor;
  laneCount = std::max(laneCount, other.laneCount);
}

bool LinearForm::operator==(const LinearForm &other) const {
  LinearForm difference = *this;
  difference.add(other, -1);
  return difference.terms.empty() && difference.constant == 0 && difference.lanes == 0;
}
