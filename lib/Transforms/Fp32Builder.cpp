// SPDX-License-Identifier: MIT
#include "Fp32Builder.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace flagtree;

Fp32Builder::Fp32Builder(PatternRewriter &b, Location loc, Type type)
    : b(b), loc(loc), type(type), integers(b.getI32Type()) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    integers = shaped.clone(integers);
}

Value Fp32Builder::splat(Type of, TypedAttr value) {
  if (auto shaped = dyn_cast<ShapedType>(of))
    value = DenseElementsAttr::get(shaped, Attribute(value));
  return make<arith::ConstantOp>(value);
}

Value Fp32Builder::constant(float value) { return splat(type, b.getF32FloatAttr(value)); }
Value Fp32Builder::integer(int32_t value) { return splat(integers, b.getI32IntegerAttr(value)); }

Value Fp32Builder::add(Value x, Value y) { return make<arith::AddFOp>(x, y); }
Value Fp32Builder::sub(Value x, Value y) { return make<arith::SubFOp>(x, y); }
Value Fp32Builder::mul(Value x, Value y) { return make<arith::MulFOp>(x, y); }
Value Fp32Builder::div(Value x, Value y) { return make<arith::DivFOp>(x, y); }
Value Fp32Builder::negate(Value x) { return make<arith::NegFOp>(x); }

Value Fp32Builder::madd(Value x, Value y, Value z) {
  constexpr auto contract = arith::FastMathFlags::contract;
  return make<arith::AddFOp>(make<arith::MulFOp>(x, y, contract), z, contract);
}

Value Fp32Builder::fma(Value x, Value y, Value z) { return make<math::FmaOp>(x, y, z); }

Value Fp32Builder::polynomial(Value x, ArrayRef<float> coefficients) {
  Value result = constant(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    result = madd(result, x, coefficient);
  return result;
}

Value Fp32Builder::compare(FloatPredicate predicate, Value x, float bound) {
  return make<arith::CmpFOp>(predicate, x, constant(bound));
}
Value Fp32Builder::compare(IntPredicate predicate, Value x, int32_t bound) {
  return make<arith::CmpIOp>(predicate, x, integer(bound));
}
Value Fp32Builder::select(Value condition, Value yes, Value no) {
  return make<arith::SelectOp>(condition, yes, no);
}

Value Fp32Builder::bits(Value x) { return make<arith::BitcastOp>(integers, x); }
Value Fp32Builder::fromBits(Value x) { return make<arith::BitcastOp>(type, x); }
Value Fp32Builder::addInt(Value x, Value y) { return make<arith::AddIOp>(x, y); }
Value Fp32Builder::subInt(Value x, Value y) { return make<arith::SubIOp>(x, y); }
Value Fp32Builder::andInt(Value x, int32_t y) { return make<arith::AndIOp>(x, integer(y)); }
Value Fp32Builder::orInt(Value x, Value y) { return make<arith::OrIOp>(x, y); }
Value Fp32Builder::xorInt(Value x, Value y) { return make<arith::XOrIOp>(x, y); }
Value Fp32Builder::shiftLeft(Value x, int32_t by) { return make<arith::ShLIOp>(x, integer(by)); }
Value Fp32Builder::shiftRight(Value x, int32_t by) { return make<arith::ShRSIOp>(x, integer(by)); }
Value Fp32Builder::toFloat(Value integer) { return make<arith::SIToFPOp>(type, integer); }

// In two factors, since 2^n alone may be no normal number where the product is
// one, or is to be rounded to a subnormal one.
Value Fp32Builder::scale(Value x, Value rounded) {
  Value number = bits(rounded), half = shiftRight(number, 1), rest = subInt(number, half);
  auto power = [&](Value n) { return fromBits(addInt(shiftLeft(n, mantissaBits), oneBits)); };
  return mul(mul(x, power(half)), power(rest));
}
