// SPDX-License-Identifier: MIT
// Logarithms in fp32: x = 2^e·(1 + m) with 1 + m in [2/3, 4/3), a polynomial in
// m, and e times the logarithm of 2. The split by subtracting bits and the
// interval are those of N. Juffa's logf (stackoverflow.com/a/39822314); log1p
// scales x and 1 alike, as his log1pf does (forums.developer.nvidia.com/t/39894).
#include "ApproximateMath.h"
#include "Fp32Builder.h"

using namespace mlir;
using namespace flagtree;

namespace {

using arith::CmpFPredicate;

constexpr int32_t exponentBits = 0xff800000;

/// (log(1 + m) - m) / m² on [-1/3, 1/3].
constexpr float natural[] = {-0.5f,           0x1.555506p-2f,  -0x1.fffefap-3f,
                             0x1.99d05cp-3f,  -0x1.559c30p-3f, 0x1.1ed452p-3f,
                             -0x1.f33c0cp-4f, 0x1.1e72a0p-3f,  -0x1.07ab66p-3f};
/// log2(1 + m) / m - 1.
constexpr float binary[] = {0x1.c551dap-2f, -0x1.715476p-1f, 0x1.ec6f88p-2f, -0x1.715454p-2f,
                            0x1.27bb06p-2f, -0x1.eca9c2p-3f, 0x1.9a76e6p-3f, -0x1.6a487cp-3f,
                            0x1.acdf12p-3f, -0x1.73fff4p-3f};
/// log10(1 + m) / m - 1/2.
constexpr float decimal[] = {-0x1.0d213ap-4f, -0x1.bcb7b2p-3f, 0x1.2879eep-3f, -0x1.bcb66cp-4f,
                             0x1.64095ep-4f,  -0x1.28c0f6p-4f, 0x1.f04c12p-5f, -0x1.b0f6ecp-5f,
                             0x1.f9db18p-5f,  -0x1.cc4334p-5f};
/// As `natural`, on [-1/4, 1/2].
constexpr float shifted[] = {-0.5f,           0x1.55555ap-2f, -0x1.00006ep-2f, 0x1.999764p-3f,
                             -0x1.5519d2p-3f, 0x1.246390p-3f, -0x1.04ad9ep-3f, 0x1.df1c2cp-4f,
                             -0x1.74ff40p-4f, 0x1.340cf2p-5f};

struct Split {
  Value e, m;
};

Split split(Fp32Builder &f, Value x) {
  constexpr int32_t twoThirds = 0x3f2aaaab;
  Value subnormal = f.compare(CmpFPredicate::OLT, x, 0x1p-126f);
  x = f.select(subnormal, f.mul(x, 0x1p+23f), x);
  Value number = f.bits(x);
  Value e = f.andInt(f.addInt(number, -twoThirds), exponentBits);
  Value m = f.add(f.fromBits(f.subInt(number, e)), -1.0f);
  return {f.madd(f.toFloat(e), 0x1p-23f, f.select(subnormal, -23.0f, 0.0f)), m};
}

/// Infinity and NaN for themselves, -infinity for 0, NaN for what is less.
Value special(Fp32Builder &f, Value x, Value result) {
  result = f.select(f.compare(CmpFPredicate::OLT, x, f.infinity), result, x);
  Value outside = f.select(f.compare(CmpFPredicate::OEQ, x, 0.0f), -f.infinity, f.nan);
  return f.select(f.compare(CmpFPredicate::OLE, x, 0.0f), outside, result);
}

Value approximateLog(Fp32Builder &f, Value x) {
  auto [e, m] = split(f, x);
  Value result = f.madd(f.polynomial(m, natural), f.mul(m, m), m);
  return special(f, x, f.madd(e, f.ln2, result));
}

Value approximateLog2(Fp32Builder &f, Value x) {
  auto [e, m] = split(f, x);
  return special(f, x, f.add(f.madd(f.polynomial(m, binary), m, m), e));
}

Value approximateLog10(Fp32Builder &f, Value x) {
  constexpr float high = 0x1.344p-2f, low = 0x1.3509f8p-18f; // their sum is log10(2)
  auto [e, m] = split(f, x);
  Value result = f.madd(f.polynomial(m, decimal), m, f.mul(m, 0.5f));
  return special(f, x, f.madd(e, high, f.madd(e, low, result)));
}

// 1 + x = 2^e·(1 + m): m is x·2^-e + (2^-e - 1), with no digit of x lost.
Value approximateLog1p(Fp32Builder &f, Value x) {
  constexpr int32_t threeQuarters = 0x3f400000, fourBits = 0x40800000;
  Value e = f.andInt(f.addInt(f.bits(f.add(x, 1.0f)), -threeQuarters), exponentBits);
  Value scaled = f.fromBits(f.subInt(f.bits(x), e));
  Value four = f.fromBits(f.subInt(f.integer(fourBits), e)); // 4·2^-e, which is normal for all e
  Value m = f.add(f.madd(four, 0.25f, -1.0f), scaled);
  Value result = f.madd(f.polynomial(m, shifted), f.mul(m, m), m);
  result = f.madd(f.toFloat(e), f.ln2 * 0x1p-23f, result);
  result = f.select(f.compare(CmpFPredicate::OLT, x, f.infinity), result, x);
  Value outside = f.select(f.compare(CmpFPredicate::OEQ, x, -1.0f), -f.infinity, f.nan);
  result = f.select(f.compare(CmpFPredicate::OLE, x, -1.0f), outside, result);
  return f.select(f.compare(CmpFPredicate::OEQ, x, 0.0f), x, result); // -0 stays
}

} // namespace

void flagtree::populateApproximateLogPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateFp32<math::LogOp, approximateLog>, ApproximateFp32<math::Log2Op, approximateLog2>,
               ApproximateFp32<math::Log10Op, approximateLog10>,
               ApproximateFp32<math::Log1pOp, approximateLog1p>>(patterns.getContext());
}
