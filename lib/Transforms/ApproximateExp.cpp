// SPDX-License-Identifier: MIT
// Exponential functions in fp32: x = n·ln2 + r with |r| ≤ ln2/2, a polynomial
// in r, and a multiplication by 2^n. The reduction in two steps is Cody and
// Waite's (Software Manual for the Elementary Functions, 1980).
#include "ApproximateMath.h"
#include "Fp32Builder.h"

using namespace mlir;
using namespace flagtree;

namespace {

constexpr float ln2High = 0.693145751953125f, ln2Low = 1.42860677e-06f; // their sum is ln2
constexpr float most = 89.0f;                                           // from here on the result is infinite

/// (e^r - 1 - r) / r².
constexpr float exponential[] = {0.5f,           0x1.555556p-3f,  0x1.5554f6p-5f,
                                 0x1.111004p-7f, 0x1.6d3cacp-10f, 0x1.a242e8p-13f};
/// (2^f - 1) / f.
constexpr float binary[] = {0x1.62e430p-1f, 0x1.ebfbe0p-3f,  0x1.c6afa0p-5f,
                            0x1.3b2a34p-7f, 0x1.5ef3c0p-10f, 0x1.443b62p-13f};

struct Reduced {
  Value rounded, r; // n + rounder, and what is left
};

Reduced reduce(Fp32Builder &f, Value x) {
  Value rounded = f.madd(x, f.log2e, f.rounder);
  Value n = f.add(rounded, -f.rounder);
  return {rounded, f.madd(n, -ln2Low, f.madd(n, -ln2High, x))};
}

Value approximateExp(Fp32Builder &f, Value x) {
  auto [rounded, r] = reduce(f, f.clamp(x, -104.0f, most));
  Value power = f.madd(f.madd(f.polynomial(r, exponential), r, 1.0f), r, 1.0f);
  return f.scale(power, rounded);
}

Value approximateExp2(Fp32Builder &f, Value x) {
  x = f.clamp(x, -151.0f, 129.0f);
  Value rounded = f.add(x, f.rounder);
  Value r = f.sub(x, f.add(rounded, -f.rounder));
  return f.scale(f.madd(f.polynomial(r, binary), r, 1.0f), rounded);
}

// 2^n·(e^r - 1) + (2^n - 1), all halved, so that 2^128 is no infinity.
Value approximateExpM1(Fp32Builder &f, Value x) {
  auto [rounded, r] = reduce(f, f.clamp(x, -30.0f, most));
  Value less = f.madd(f.polynomial(r, exponential), f.mul(r, r), r);
  Value half = f.powerOfTwo(f.add(rounded, -1.0f));
  Value result = f.madd(less, half, f.add(half, -0.5f));
  result = f.add(result, result);
  return f.select(f.compare(arith::CmpFPredicate::OEQ, x, 0.0f), x, result); // -0 stays
}

} // namespace

void flagtree::populateApproximateExpPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateFp32<math::ExpOp, approximateExp>, ApproximateFp32<math::Exp2Op, approximateExp2>,
               ApproximateFp32<math::ExpM1Op, approximateExpM1>>(patterns.getContext());
}
