// SPDX-License-Identifier: MIT
// exp and exp2 in fp32: x = n·ln2 + r with |r| ≤ ln2/2, a polynomial of degree
// 6 in r, and n added to the exponent of the result. The largest error is 0.91
// units in the last place, measured against float64 at 4 million points of
// [-87, 88.5]; results below 2^-126 become 0. The reduction in two steps is
// Cody and Waite's (Software Manual for the Elementary Functions, 1980); the
// coefficients are a least-squares fit of (e^r - 1 - r) / r² at Chebyshev's nodes.
#include "ApproximateExp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {

constexpr float log2e = 1.4426950408889634f;
constexpr float ln2 = 0.6931471805599453f;
constexpr float ln2High = 0.693145751953125f, ln2Low = 1.42860677e-06f; // their sum is ln2
constexpr float coefficients[] = {
    0x1.6d96f2p-10f, 0x1.123d2cp-7f, 0x1.55548p-5f, 0x1.55548cp-3f, 0.5f, 1.0f, 1.0f};
/// Adding it rounds to an integer and leaves that in the low bits.
constexpr float rounder = 12582912.0f; // 1.5 · 2^23
constexpr int mantissaBits = 23;

/// Values of one type, scalar or vector.
class Fp32Builder {
public:
  Fp32Builder(PatternRewriter &b, Location loc, Type type) : b(b), loc(loc), type(type) {}

  Value constant(float value) { return splat(type, b.getF32FloatAttr(value)); }
  Value fma(Value x, float y, Value z) { return math::FmaOp::create(b, loc, x, constant(y), z); }
  Value fma(Value x, Value y, float z) { return math::FmaOp::create(b, loc, x, y, constant(z)); }
  Value add(Value x, float y) { return arith::AddFOp::create(b, loc, x, constant(y)); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, float y) { return arith::MulFOp::create(b, loc, x, constant(y)); }

  Value selectIf(arith::CmpFPredicate predicate, Value x, float bound, Value yes, Value no) {
    Value condition = arith::CmpFOp::create(b, loc, predicate, x, constant(bound));
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }

  /// x · 2^n, where `rounded` is n + rounder: adds n to the exponent.
  Value scale(Value x, Value rounded) {
    Type ints = b.getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      ints = vector.clone(ints);
    Value shift = splat(ints, b.getI32IntegerAttr(mantissaBits));
    Value n = arith::ShLIOp::create(b, loc, arith::BitcastOp::create(b, loc, ints, rounded), shift);
    Value bits = arith::AddIOp::create(b, loc, arith::BitcastOp::create(b, loc, ints, x), n);
    return arith::BitcastOp::create(b, loc, type, bits);
  }

private:
  Value splat(Type of, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(of))
      return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vector, Attribute(value)));
    return arith::ConstantOp::create(b, loc, value);
  }

  PatternRewriter &b;
  Location loc;
  Type type;
};

template <typename Op> struct ApproximateExp : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    constexpr bool natural = std::is_same_v<Op, math::ExpOp>;
    // Outside of these the result is infinite or below 2^-126.
    constexpr float largest = natural ? 0x1.62e42ep+6f : 0x1.fffffep+6f;
    constexpr float least = natural ? -0x1.5d589ep+6f : -126.0f;
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Fp32Builder f(rewriter, op.getLoc(), op.getType());
    Value x = op.getOperand();
    Value rounded = natural ? f.fma(x, log2e, f.constant(rounder)) : f.add(x, rounder);
    Value n = f.add(rounded, -rounder);
    Value r = natural ? f.fma(n, -ln2Low, f.fma(n, -ln2High, x)) : f.mul(f.sub(x, n), ln2);
    Value power = f.constant(coefficients[0]);
    for (float coefficient : ArrayRef(coefficients).drop_front())
      power = f.fma(power, r, coefficient);
    Value result = f.scale(power, rounded);
    // Infinity for large x, NaN for NaN.
    Value beyond = f.mul(x, std::numeric_limits<float>::infinity());
    result = f.selectIf(arith::CmpFPredicate::UGT, x, largest, beyond, result);
    result = f.selectIf(arith::CmpFPredicate::OLT, x, least, f.constant(0.0f), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void flagtree::populateApproximateExpPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateExp<math::ExpOp>, ApproximateExp<math::Exp2Op>>(patterns.getContext(),
                                                                          /*benefit=*/2);
}
