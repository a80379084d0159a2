// SPDX-License-Identifier: MIT
// Functions of libdevice from floats to floats, as operations of arith and math
// or as functions of the C library.
#include "ExternFunctions.h"

using namespace mlir;
using namespace flagtree;

namespace {

template <typename Op> Value unary(ExternCall &c) { return c.make<Op>(c.x[0]); }
template <typename Op> Value binary(ExternCall &c) { return c.make<Op>(c.x[0], c.x[1]); }
Value fma(ExternCall &c) { return c.make<math::FmaOp>(c.x[0], c.x[1], c.x[2]); }

bool isFp32(ExternCall &c) { return getElementTypeOrSelf(c.type).isF32(); }

/// The function that the C library has under the same name.
Value library(ExternCall &c) { return c.library(c.name, c.x); }
/// … under another one, which has the suffix of the type.
Value libraryAs(ExternCall &c, StringRef name, ValueRange x) {
  return c.library(isFp32(c) ? (name + "f").str() : name.str(), x);
}

Value inverse(ExternCall &c, Value x) { return c.make<arith::DivFOp>(c.number(x, 1.0), x); }
Value reciprocal(ExternCall &c) { return inverse(c, c.x[0]); }
Value inverseCubeRoot(ExternCall &c) { return inverse(c, c.make<math::CbrtOp>(c.x[0])); }

/// The length of a vector; pair by pair no square over- or underflows.
Value length(ExternCall &c) {
  Value result = c.x[0];
  for (Value each : c.x.drop_front())
    result = libraryAs(c, "hypot", {result, each});
  return result;
}
Value inverseLength(ExternCall &c) { return inverse(c, length(c)); }

/// x^n for an integer n, through libm's pow: exact for n up to 2^24 in fp32.
Value integerPower(ExternCall &c) {
  Value exponent = c.make<arith::SIToFPOp>(c.type, c.x[1]);
  return c.make<math::PowFOp>(c.x[0], exponent);
}

/// sin or cos of π·x: multiples of 2 go off exactly; in fp64, where π is exact
/// enough for fp32, and for fp64 the argument is at most 1/4 before it is used.
template <bool cosine> Value circularOfPi(ExternCall &c) {
  constexpr double pi = 3.14159265358979323846;
  Type wide = c.like(c.b.getF64Type());
  Value x = c.x[0];
  if (x.getType() != wide)
    x = c.make<arith::ExtFOp>(wide, x);
  // x = n / 2 + r with |r| ≤ 1/4.
  Value n = c.make<math::RoundEvenOp>(c.make<arith::AddFOp>(x, x));
  Value r = c.make<arith::SubFOp>(x, c.make<arith::MulFOp>(n, c.number(x, 0.5)));
  Value angle = c.make<arith::MulFOp>(r, c.number(x, pi));
  Value sin = c.make<math::SinOp>(angle), cos = c.make<math::CosOp>(angle);
  // n modulo 4, computed in floats: n may be beyond all integers.
  Value quarter = c.make<math::FloorOp>(c.make<arith::MulFOp>(n, c.number(x, 0.25)));
  Value quadrant = c.make<arith::SubFOp>(n, c.make<arith::MulFOp>(quarter, c.number(x, 4.0)));
  auto is = [&](double number) {
    return c.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, quadrant, c.number(x, number));
  };
  Value first = cosine ? cos : sin, second = cosine ? sin : cos;
  Value odd = c.make<arith::OrIOp>(is(1), is(3));
  Value size = c.make<arith::SelectOp>(odd, second, first);
  Value negative = c.make<arith::OrIOp>(is(2), is(cosine ? 1 : 3));
  Value result = c.make<arith::SelectOp>(negative, c.make<arith::NegFOp>(size), size);
  return result.getType() == c.type ? result : c.make<arith::TruncFOp>(c.type, result);
}

/// `factor` · erfc(`scale` · x), in fp64: the C library's erfc of fp32 is off by
/// three units.
Value scaledErfc(ExternCall &c, double factor, double scale) {
  Type wide = c.like(c.b.getF64Type());
  Value x = c.x[0];
  if (x.getType() != wide)
    x = c.make<arith::ExtFOp>(wide, x);
  Value result = c.make<math::ErfcOp>(c.make<arith::MulFOp>(x, c.number(x, scale)));
  result = c.make<arith::MulFOp>(result, c.number(x, factor));
  return result.getType() == c.type ? result : c.make<arith::TruncFOp>(c.type, result);
}
Value erfc(ExternCall &c) { return scaledErfc(c, 1.0, 1.0); }
/// The distribution function of the normal distribution.
Value normalCdf(ExternCall &c) { return scaledErfc(c, 0.5, -0.70710678118654752440); }

/// Within [0, 1]; 0 for NaN.
Value saturate(ExternCall &c) {
  Value atLeast = c.make<arith::MaxNumFOp>(c.x[0], c.number(c.x[0], 0.0));
  return c.make<arith::MinNumFOp>(atLeast, c.number(c.x[0], 1.0));
}

/// 1 where it holds, as an int32.
Value flag(ExternCall &c, Value condition) { return c.make<arith::ExtUIOp>(c.type, condition); }

template <arith::CmpFPredicate predicate> Value sizeAgainstInfinity(ExternCall &c) {
  Value size = c.make<math::AbsFOp>(c.x[0]);
  return flag(c, c.make<arith::CmpFOp>(predicate, size, c.number(size, INFINITY)));
}
Value isNan(ExternCall &c) {
  return flag(c, c.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, c.x[0], c.x[0]));
}
Value signBit(ExternCall &c) {
  unsigned width = getElementTypeOrSelf(c.x[0].getType()).getIntOrFloatBitWidth();
  Value bits = c.make<arith::BitcastOp>(c.like(c.b.getIntegerType(width)), c.x[0]);
  return flag(c, c.make<arith::CmpIOp>(arith::CmpIPredicate::slt, bits, c.integer(bits, 0)));
}

} // namespace

void flagtree::addExternFloatFunctions(ExternTable &table) {
  constexpr std::pair<StringLiteral, ExternFunction> both[] = {{"acos", unary<math::AcosOp>},
                                                               {"acosh", unary<math::AcoshOp>},
                                                               {"asin", unary<math::AsinOp>},
                                                               {"asinh", unary<math::AsinhOp>},
                                                               {"atan", unary<math::AtanOp>},
                                                               {"atan2", binary<math::Atan2Op>},
                                                               {"atanh", unary<math::AtanhOp>},
                                                               {"cbrt", unary<math::CbrtOp>},
                                                               {"ceil", unary<math::CeilOp>},
                                                               {"copysign", binary<math::CopySignOp>},
                                                               {"cos", unary<math::CosOp>},
                                                               {"cosh", unary<math::CoshOp>},
                                                               {"cospi", circularOfPi<true>},
                                                               {"erf", unary<math::ErfOp>},
                                                               {"erfc", erfc},
                                                               {"exp", unary<math::ExpOp>},
                                                               {"exp10", library},
                                                               {"exp2", unary<math::Exp2Op>},
                                                               {"expm1", unary<math::ExpM1Op>},
                                                               {"fabs", unary<math::AbsFOp>},
                                                               {"fdim", library},
                                                               {"floor", unary<math::FloorOp>},
                                                               {"fma", fma},
                                                               {"fmod", binary<arith::RemFOp>},
                                                               {"hypot", library},
                                                               {"j0", library},
                                                               {"j1", library},
                                                               {"jn", library},
                                                               {"ldexp", library},
                                                               {"lgamma", library},
                                                               {"log", unary<math::LogOp>},
                                                               {"log10", unary<math::Log10Op>},
                                                               {"log1p", unary<math::Log1pOp>},
                                                               {"log2", unary<math::Log2Op>},
                                                               {"logb", library},
                                                               {"ilogb", library},
                                                               {"nearbyint", unary<math::RoundEvenOp>},
                                                               {"nextafter", library},
                                                               {"norm3d", length},
                                                               {"norm4d", length},
                                                               {"normcdf", normalCdf},
                                                               {"pow", binary<math::PowFOp>},
                                                               {"powi", integerPower},
                                                               {"rcbrt", inverseCubeRoot},
                                                               {"remainder", library},
                                                               {"rhypot", inverseLength},
                                                               {"rint", unary<math::RoundEvenOp>},
                                                               {"rnorm3d", inverseLength},
                                                               {"rnorm4d", inverseLength},
                                                               {"round", unary<math::RoundOp>},
                                                               {"rsqrt", unary<math::RsqrtOp>},
                                                               {"scalbn", library},
                                                               {"sin", unary<math::SinOp>},
                                                               {"sinh", unary<math::SinhOp>},
                                                               {"sinpi", circularOfPi<false>},
                                                               {"sqrt", unary<math::SqrtOp>},
                                                               {"tan", unary<math::TanOp>},
                                                               {"tanh", unary<math::TanhOp>},
                                                               {"tgamma", library},
                                                               {"trunc", unary<math::TruncOp>},
                                                               {"y0", library},
                                                               {"y1", library},
                                                               {"yn", library}};
  for (auto [name, function] : both) {
    table[name] = function;
    table[(name + "f").str()] = function;
  }
  constexpr std::pair<StringLiteral, ExternFunction> single[] = {
      {"fast_cosf", unary<math::CosOp>},
      {"fast_expf", unary<math::ExpOp>},
      {"fast_log10f", unary<math::Log10Op>},
      {"fast_log2f", unary<math::Log2Op>},
      {"fast_logf", unary<math::LogOp>},
      {"fast_powf", binary<math::PowFOp>},
      {"fast_sinf", unary<math::SinOp>},
      {"fast_tanf", unary<math::TanOp>},
      {"fast_fdividef", binary<arith::DivFOp>},
      {"frsqrt_rn", unary<math::RsqrtOp>},
      {"saturatef", saturate},
      {"isnanf", isNan},
      {"isnand", isNan},
      {"isinff", sizeAgainstInfinity<arith::CmpFPredicate::OEQ>},
      {"isinfd", sizeAgainstInfinity<arith::CmpFPredicate::OEQ>},
      {"finitef", sizeAgainstInfinity<arith::CmpFPredicate::OLT>},
      {"isfinited", sizeAgainstInfinity<arith::CmpFPredicate::OLT>},
      {"signbitf", signBit},
      {"signbitd", signBit},
      {"fma_rn", fma},
      {"fmaf_rn", fma},
      {"fast_exp10f", [](ExternCall &c) { return libraryAs(c, "exp10", c.x); }}};
  for (auto [name, function] : single)
    table[name] = function;
  // To nearest, as all arithmetic here.
  for (StringRef type : {"f", "d"}) {
    table[(type + "add_rn").str()] = binary<arith::AddFOp>;
    table[(type + "sub_rn").str()] = binary<arith::SubFOp>;
    table[(type + "mul_rn").str()] = binary<arith::MulFOp>;
    table[(type + "div_rn").str()] = binary<arith::DivFOp>;
    table[(type + "rcp_rn").str()] = reciprocal;
    table[(type + "sqrt_rn").str()] = unary<math::SqrtOp>;
  }
}
