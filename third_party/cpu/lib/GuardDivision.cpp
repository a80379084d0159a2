// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUGUARDDIVISION
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

/// A constant that no dividend makes a processor trap with.
bool isHarmless(Value divisor) {
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)))
    return !constant.isZero() && !constant.isAllOnes();
  DenseIntElementsAttr elements;
  return matchPattern(divisor, m_Constant(&elements)) &&
         llvm::all_of(elements.getValues<APInt>(),
                      [](APInt each) { return !each.isZero() && !each.isAllOnes(); });
}

class DivisorGuard {
public:
  DivisorGuard(Operation *division, Type type) : b(division), loc(division->getLoc()), type(type) {}

  Value safeDivisor(Value dividend, Value divisor, bool isSigned) {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Value traps = equals(divisor, APInt::getZero(width));
    if (isSigned) {
      Value overflows = arith::AndIOp::create(b, loc, equals(dividend, APInt::getSignedMinValue(width)),
                                              equals(divisor, APInt::getAllOnes(width)));
      traps = arith::OrIOp::create(b, loc, traps, overflows);
    }
    return arith::SelectOp::create(b, loc, traps, constant(APInt(width, 1)), divisor);
  }

private:
  Value equals(Value value, const APInt &number) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, constant(number));
  }

  Value constant(const APInt &number) {
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vector, number));
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, number));
  }

  OpBuilder b;
  Location loc;
  Type type;
};

struct CpuGuardDivision : flagtree::cpu::impl::CpuGuardDivisionBase<CpuGuardDivision> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
        return;
      Value divisor = op->getOperand(1);
      Type element = getElementTypeOrSelf(divisor.getType());
      if (!element.isInteger() || isHarmless(divisor)) // numbers of type index are the compiler's own
        return;
      bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
      op->setOperand(1,
                     DivisorGuard(op, divisor.getType()).safeDivisor(op->getOperand(0), divisor, isSigned));
    });
  }
};

} // namespace
