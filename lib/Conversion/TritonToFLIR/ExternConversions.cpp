// SPDX-License-Identifier: MIT
// Conversions of libdevice between floats and integers. Those to integers
// saturate, as they do on a GPU, and make 0 of NaN.
#include "ExternFunctions.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// 2^exponent in the type of `of`.
Value power(ExternCall &c, Value of, unsigned exponent) { return c.number(of, std::ldexp(1.0, exponent)); }

template <bool isSigned> Value toInteger(ExternCall &c, Value x) {
  using Convert = std::conditional_t<isSigned, arith::FPToSIOp, arith::FPToUIOp>;
  unsigned width = getElementTypeOrSelf(c.type).getIntOrFloatBitWidth();
  APInt most = isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  Value beyond = power(c, x, width - isSigned);
  Value below = isSigned ? c.make<arith::NegFOp>(beyond) : c.number(x, 0.0);
  auto choose = [&](arith::CmpFPredicate predicate, Value bound, const APInt &number, Value otherwise) {
    Value condition = c.make<arith::CmpFOp>(predicate, x, bound);
    return c.make<arith::SelectOp>(condition, c.integer(otherwise, number.getSExtValue()), otherwise);
  };
  Value result = c.make<Convert>(c.type, x);
  result = choose(arith::CmpFPredicate::OGE, beyond, most, result);
  result = choose(arith::CmpFPredicate::OLT, below, least, result);
  return choose(arith::CmpFPredicate::UNO, x, APInt::getZero(width), result);
}

template <bool isSigned> Value nearest(ExternCall &c) {
  return toInteger<isSigned>(c, c.make<math::RoundEvenOp>(c.x[0]));
}
template <bool isSigned> Value down(ExternCall &c) {
  return toInteger<isSigned>(c, c.make<math::FloorOp>(c.x[0]));
}
template <bool isSigned> Value up(ExternCall &c) {
  return toInteger<isSigned>(c, c.make<math::CeilOp>(c.x[0]));
}
template <bool isSigned> Value towardsZero(ExternCall &c) { return toInteger<isSigned>(c, c.x[0]); }
Value halfAway(ExternCall &c) { return toInteger<true>(c, c.make<math::RoundOp>(c.x[0])); }

template <typename Op> Value toFloat(ExternCall &c) { return c.make<Op>(c.type, c.x[0]); }

template <arith::RoundingMode mode> Value narrow(ExternCall &c) {
  auto attribute = arith::RoundingModeAttr::get(c.b.getContext(), mode);
  return c.make<arith::TruncFOp>(c.type, c.x[0], attribute, arith::FastMathFlagsAttr());
}

Value sameBits(ExternCall &c) { return c.make<arith::BitcastOp>(c.type, c.x[0]); }

template <unsigned shift> Value halfOfDouble(ExternCall &c) {
  Value bits = c.make<arith::BitcastOp>(c.like(c.b.getI64Type()), c.x[0]);
  return c.make<arith::TruncIOp>(c.type, c.make<arith::ShRUIOp>(bits, c.integer(bits, shift)));
}

Value doubleOfHalves(ExternCall &c) {
  Type wide = c.like(c.b.getI64Type());
  Value high = c.make<arith::ExtUIOp>(wide, c.x[0]), low = c.make<arith::ExtUIOp>(wide, c.x[1]);
  Value bits = c.make<arith::OrIOp>(c.make<arith::ShLIOp>(high, c.integer(high, 32)), low);
  return c.make<arith::BitcastOp>(c.type, bits);
}

} // namespace

void flagtree::addExternConversions(ExternTable &table) {
  for (StringRef from : {"float", "double"}) {
    for (StringRef to : {"int", "ll"}) {
      table[(from + "2" + to + "_rn").str()] = nearest<true>;
      table[(from + "2" + to + "_rd").str()] = down<true>;
      table[(from + "2" + to + "_ru").str()] = up<true>;
      table[(from + "2" + to + "_rz").str()] = towardsZero<true>;
      table[(to + "2" + from + "_rn").str()] = toFloat<arith::SIToFPOp>;
    }
    for (StringRef to : {"uint", "ull"}) {
      table[(from + "2" + to + "_rn").str()] = nearest<false>;
      table[(from + "2" + to + "_rd").str()] = down<false>;
      table[(from + "2" + to + "_ru").str()] = up<false>;
      table[(from + "2" + to + "_rz").str()] = towardsZero<false>;
      table[(to + "2" + from + "_rn").str()] = toFloat<arith::UIToFPOp>;
    }
  }
  constexpr std::pair<StringLiteral, ExternFunction> functions[] = {
      {"llrint", nearest<true>},
      {"llrintf", nearest<true>},
      {"llround", halfAway},
      {"llroundf", halfAway},
      {"double2float_rn", narrow<arith::RoundingMode::to_nearest_even>},
      {"double2float_rz", narrow<arith::RoundingMode::toward_zero>},
      {"double2hiint", halfOfDouble<32>},
      {"double2loint", halfOfDouble<0>},
      {"hiloint2double", doubleOfHalves},
      {"float_as_int", sameBits},
      {"float_as_uint", sameBits},
      {"int_as_float", sameBits},
      {"uint_as_float", sameBits},
      {"double_as_longlong", sameBits},
      {"longlong_as_double", sameBits}};
  for (auto [name, function] : functions)
    table[name] = function;
}
