// SPDX-License-Identifier: MIT
// Conversions between fp32 and the 8-bit floats, in the bits of both: no host
// has instructions for them.
#include "ExpandFp8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace {

constexpr int32_t mantissa32 = 23, bias32 = 127;
constexpr int32_t infinity32 = 0x7f800000, nan32 = 0x7fc00000, size32 = 0x7fffffff;

/// What tells one 8-bit format from another.
struct Format {
  int32_t mantissa, bias;
  int32_t most;      // code of the largest finite number
  bool infinities;   // as in IEEE 754; the others have NaN only
  bool unsignedZero; // there is one zero: its code with a sign is NaN

  int32_t shift() const { return mantissa32 - mantissa; }
  int32_t nan() const { return unsignedZero ? 0x80 : 0x7f; }
  /// Bits of the largest finite number in fp32.
  int32_t mostBits() const { return (most << shift()) + ((bias32 - bias) << mantissa32); }
};

std::optional<Format> formatOf(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return Format{3, 7, 0x7e, false, false};
  if (isa<Float8E5M2Type>(element))
    return Format{2, 15, 0x7b, true, false};
  if (isa<Float8E4M3FNUZType>(element))
    return Format{3, 8, 0x7f, false, true};
  if (isa<Float8E5M2FNUZType>(element))
    return Format{2, 16, 0x7f, false, true};
  return std::nullopt;
}

class Converter {
public:
  Converter(OpBuilder &b, Location loc, Type shape, Format format)
      : b(b), loc(loc), shape(shape), format(format) {}

  /// The code's digits are those of an fp32 number that is smaller by a power
  /// of two, also where either is subnormal.
  Value widen(Value code) {
    Value bits = make<arith::ExtUIOp>(ints(), code);
    Value size = make<arith::ShLIOp>(make<arith::AndIOp>(bits, number(0x7f)), number(format.shift()));
    Value scaled = make<arith::MulFOp>(make<arith::BitcastOp>(floats(), size), power(bias32 - format.bias));
    Value result = make<arith::BitcastOp>(ints(), scaled);
    if (format.infinities) {
      Value special = make<arith::OrIOp>(size, number(infinity32));
      Value least = number((format.most + 1) << format.shift());
      result =
          make<arith::SelectOp>(make<arith::CmpIOp>(arith::CmpIPredicate::uge, size, least), special, result);
    }
    Value sign = make<arith::ShLIOp>(make<arith::AndIOp>(bits, number(0x80)), number(24));
    result = make<arith::OrIOp>(result, sign);
    if (!format.infinities) {
      Value digits = format.unsignedZero ? bits : make<arith::AndIOp>(bits, number(0x7f));
      Value isNan = make<arith::CmpIOp>(arith::CmpIPredicate::eq, digits, number(format.nan()));
      result = make<arith::SelectOp>(isNan, number(nan32), result);
    }
    return make<arith::BitcastOp>(floats(), result);
  }

  /// Rounded to nearest even or towards zero. What is too large, infinity as
  /// well, becomes the largest finite number, as on GPUs.
  Value narrow(Value x, bool towardsZero) {
    Value bits = make<arith::BitcastOp>(ints(), x);
    Value size = make<arith::AndIOp>(bits, number(size32));
    Value isNan = make<arith::CmpIOp>(arith::CmpIPredicate::sgt, size, number(infinity32));
    size = make<arith::MinSIOp>(size, number(format.mostBits()));
    Value isSubnormal = make<arith::CmpIOp>(arith::CmpIPredicate::slt, size,
                                            number((bias32 - format.bias + 1) << mantissa32));
    Value code = make<arith::SelectOp>(isSubnormal, subnormal(size, towardsZero), normal(size, towardsZero));
    Value sign = make<arith::AndIOp>(make<arith::ShRUIOp>(bits, number(24)), number(0x80));
    Value result = make<arith::OrIOp>(code, sign);
    if (format.unsignedZero) {
      Value isZero = make<arith::CmpIOp>(arith::CmpIPredicate::eq, code, number(0));
      result = make<arith::SelectOp>(isZero, code, result);
    }
    Value nan = number(format.nan());
    if (!format.unsignedZero)
      nan = make<arith::OrIOp>(nan, sign);
    result = make<arith::SelectOp>(isNan, nan, result);
    return make<arith::TruncIOp>(like(b.getI8Type()), result);
  }

private:
  Value normal(Value size, bool towardsZero) {
    Value shift = number(format.shift());
    Value rebased = make<arith::SubIOp>(size, number((bias32 - format.bias) << mantissa32));
    if (!towardsZero) {
      Value last = make<arith::AndIOp>(make<arith::ShRUIOp>(size, shift), number(1));
      Value half = number((1 << (format.shift() - 1)) - 1);
      rebased = make<arith::AddIOp>(make<arith::AddIOp>(rebased, half), last);
    }
    return make<arith::ShRUIOp>(rebased, shift);
  }

  /// A multiple of the least subnormal number: the sum with a number whose last
  /// digit that is rounds to it.
  Value subnormal(Value size, bool towardsZero) {
    Value x = make<arith::BitcastOp>(floats(), size);
    int32_t least = 1 - format.bias - format.mantissa;
    if (towardsZero) {
      // Larger numbers are not used, and would not be integers.
      Value bound = number((bias32 - format.bias + 1) << mantissa32);
      Value small = make<arith::BitcastOp>(floats(), make<arith::MinSIOp>(size, bound));
      return make<arith::FPToSIOp>(ints(), make<arith::MulFOp>(small, power(-least)));
    }
    Value rounder = power(least + mantissa32);
    Value sum = make<arith::BitcastOp>(ints(), make<arith::AddFOp>(x, rounder));
    return make<arith::SubIOp>(sum, make<arith::BitcastOp>(ints(), rounder));
  }

  Type like(Type element) const {
    auto shaped = dyn_cast<ShapedType>(shape);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Type ints() { return like(b.getI32Type()); }
  Type floats() { return like(b.getF32Type()); }
  Value splat(Type type, TypedAttr value) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, Attribute(value));
    return make<arith::ConstantOp>(value);
  }
  Value number(int32_t value) { return splat(ints(), b.getI32IntegerAttr(value)); }
  Value power(int exponent) { return splat(floats(), b.getF32FloatAttr(std::ldexp(1.0f, exponent))); }
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }

  OpBuilder &b;
  Location loc;
  Type shape;
  Format format;
};

Type like(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type type = op.getIn().getType();
    std::optional<Format> format = formatOf(getElementTypeOrSelf(type));
    if (!format)
      return failure();
    Location loc = op.getLoc();
    Value code = arith::BitcastOp::create(rewriter, loc, like(type, rewriter.getI8Type()), op.getIn());
    Value wide = Converter(rewriter, loc, type, *format).widen(code);
    unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    if (width > 32)
      wide = arith::ExtFOp::create(rewriter, loc, op.getType(), wide);
    else if (width < 32) // exact: fp16 and bf16 hold all of them
      wide = arith::TruncFOp::create(rewriter, loc, op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

/// From fp32 and from what it holds; fp64 has been made fp32 before.
struct ExpandTruncFromFp32 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    std::optional<Format> format = formatOf(getElementTypeOrSelf(op.getType()));
    unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    if (!format || width > 32)
      return failure();
    Location loc = op.getLoc();
    if (width < 32)
      x = arith::ExtFOp::create(rewriter, loc, like(x.getType(), rewriter.getF32Type()), x);
    bool towardsZero = op.getRoundingmode() == arith::RoundingMode::toward_zero;
    Value code = Converter(rewriter, loc, x.getType(), *format).narrow(x, towardsZero);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code);
    return success();
  }
};

} // namespace

bool flagtree::cpu::isFp8(Type element) { return formatOf(element).has_value(); }

void flagtree::cpu::populateExpandFp8Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtF, ExpandTruncFromFp32>(patterns.getContext());
}
