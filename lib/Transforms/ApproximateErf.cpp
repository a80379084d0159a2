// SPDX-License-Identifier: MIT
// tanh and erf in fp32: odd functions that end at 1, through e^-q. erf is
// 1 - e^-q(x) with q = -log(erfc(x)) a polynomial, as in N. Juffa's erff
// (stackoverflow.com/a/35148199); here e^-q - 1 is computed without
// cancellation, so that one polynomial serves small x as well.
#include "ApproximateMath.h"
#include "Fp32Builder.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// (e^r - 1 - r) / r².
constexpr float exponential[] = {0.5f, 0x1.5554b0p-3f, 0x1.5554d8p-5f, 0x1.1227c2p-7f, 0x1.6d5fcep-10f};
/// -log(erfc(x)) / x - 1 on [0, 3.94], weighted by what erf makes of it.
constexpr float logErfc[] = {0x1.06eba8p-3f,   0x1.45f300p-1f,   0x1.a4f8c4p-4f,
                             -0x1.39b7c8p-6f,  -0x1.637fa4p-13f, 0x1.b74626p-10f,
                             -0x1.4e2bf8p-11f, 0x1.f29294p-14f,  -0x1.3b0c1ep-17f};
/// (tanh(x) - x) / x³ in x², for x up to `small`.
constexpr float smallTanh[] = {-0x1.55544ap-2f, 0x1.10cd86p-3f, -0x1.af5730p-5f, 0x1.0cbe78p-6f};
constexpr float small = 0.55f;

/// e^x = 2^n·(1 + less); one step of reduction, since |x| is small.
struct Exponential {
  Value power, less;
};

Exponential exponentialOf(Fp32Builder &f, Value x, Value rounded) {
  Value r = f.madd(f.add(rounded, -f.rounder), -f.ln2, x);
  return {f.powerOfTwo(rounded), f.madd(f.polynomial(r, exponential), f.mul(r, r), r)};
}

Value approximateErf(Fp32Builder &f, Value x) {
  Value size = f.atMost(f.abs(x), 3.93f); // where erf is 1
  Value minusQ = f.negate(f.madd(f.polynomial(size, logErfc), size, size));
  auto [power, less] = exponentialOf(f, minusQ, f.madd(minusQ, f.log2e, f.rounder));
  Value result = f.madd(f.negate(less), power, f.sub(f.constant(1.0f), power));
  return f.withSign(result, x);
}

Value approximateTanh(Fp32Builder &f, Value x) {
  Value size = f.atMost(f.abs(x), 9.1f); // where tanh is 1
  Value twice = f.add(size, size);
  auto [power, less] = exponentialOf(f, twice, f.madd(size, 2.0f * f.log2e, f.rounder));
  Value denominator = f.add(f.madd(less, power, power), 1.0f);
  Value large = f.sub(f.constant(1.0f), f.div(f.constant(2.0f), denominator));
  Value square = f.mul(size, size);
  Value near = f.madd(f.polynomial(square, smallTanh), f.mul(square, size), size);
  return f.withSign(f.select(f.compare(arith::CmpFPredicate::OLT, size, small), near, large), x);
}

} // namespace

void flagtree::populateApproximateErfPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateFp32<math::ErfOp, approximateErf>, ApproximateFp32<math::TanhOp, approximateTanh>>(
      patterns.getContext());
}
