// SPDX-License-Identifier: MIT
// Products of operands in a microscaling format: each operand becomes fp32,
// which holds every product of an element and a scale, and is multiplied as such.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace flagtree;

namespace {

class ScaledDot {
public:
  explicit ScaledDot(tt::DotScaledOp op) : op(op), b(op), loc(op.getLoc()) {}

  void decompose() {
    int64_t rank = cast<RankedTensorType>(op.getC().getType()).getRank();
    Value left = elements(op.getA(), op.getAElemType(), op.getLhsKPack() ? rank - 1 : rank - 2);
    Value right = elements(op.getB(), op.getBElemType(), op.getRhsKPack() ? rank - 2 : rank - 1);
    left = scaled(left, op.getAScale(), /*swap=*/false);
    right = scaled(right, op.getBScale(), /*swap=*/true);
    Value start = op.getC();
    Type type = start.getType();
    bool isWide = getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32;
    if (!isWide)
      start = arith::ExtFOp::create(b, loc, like(start, b.getF32Type()), start);
    Value product =
        tt::DotOp::create(b, loc, start.getType(), left, right, start, tt::InputPrecision::IEEE, 0);
    if (!isWide)
      product = arith::TruncFOp::create(b, loc, type, product);
    op.replaceAllUsesWith(product);
    op.erase();
  }

private:
  static RankedTensorType like(Value value, Type element) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  }

  Value number(Value like, int64_t value) {
    auto type = cast<RankedTensorType>(like.getType());
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, b.getIntegerAttr(type.getElementType(), value)));
  }

  Value toFloat(Value value) {
    Type wide = like(value, b.getF32Type());
    if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() == 8)
      return tt::FpToFpOp::create(b, loc, wide, value, tt::RoundingModeAttr());
    return arith::ExtFOp::create(b, loc, wide, value);
  }

  /// The numbers of an operand; two of four bits lie in one byte along `packed`.
  Value elements(Value operand, tt::ScaleDotElemType format, int64_t packed) {
    if (format != tt::ScaleDotElemType::E2M1)
      return toFloat(operand);
    Value low = arith::AndIOp::create(b, loc, operand, number(operand, 15));
    Value high = arith::ShRUIOp::create(b, loc, operand, number(operand, 4));
    int64_t last = cast<RankedTensorType>(operand.getType()).getRank() - 1;
    Value parts[] = {decode(low), decode(high)};
    for (Value &part : parts)
      part = exchanged(part, packed, last);
    Value pairs = tt::JoinOp::create(b, loc, parts[0], parts[1]);
    SmallVector<int64_t> shape(cast<RankedTensorType>(parts[0].getType()).getShape());
    shape.back() *= 2;
    auto type = RankedTensorType::get(shape, b.getF32Type());
    return exchanged(tt::ReshapeOp::create(b, loc, type, pairs, false, false), packed, last);
  }

  Value exchanged(Value value, int64_t one, int64_t other) {
    if (one == other)
      return value;
    SmallVector<int32_t> order =
        llvm::to_vector(llvm::seq<int32_t>(0, cast<RankedTensorType>(value.getType()).getRank()));
    std::swap(order[one], order[other]);
    return tt::TransOp::create(b, loc, value, order);
  }

  /// Four bits: sign, two of the exponent, one of the fraction: 0, ½, 1, 1½, 2, 3, 4, 6.
  Value decode(Value nibble) {
    Value bits = arith::ExtUIOp::create(b, loc, like(nibble, b.getI32Type()), nibble);
    auto shifted = [&](Value value, int64_t by) -> Value {
      return arith::ShRUIOp::create(b, loc, value, number(value, by));
    };
    Value fraction = arith::AndIOp::create(b, loc, bits, number(bits, 1));
    Value exponent = arith::AndIOp::create(b, loc, shifted(bits, 1), number(bits, 3));
    Value withOne = arith::OrIOp::create(b, loc, fraction, number(bits, 2));
    Value normal = shifted(arith::ShLIOp::create(b, loc, withOne, exponent), 1);
    Value isSmall = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, exponent, number(bits, 0));
    Value halves = arith::SelectOp::create(b, loc, isSmall, fraction, normal);
    auto type = like(nibble, b.getF32Type());
    Value half = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, b.getF32FloatAttr(0.5f)));
    Value size = arith::MulFOp::create(b, loc, arith::SIToFPOp::create(b, loc, type, halves), half);
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, bits, number(bits, 8));
    return arith::SelectOp::create(b, loc, isNegative, arith::NegFOp::create(b, loc, size), size);
  }

  /// A power of two given by its exponent, of which 255 is no number; or a float of 8 bits.
  Value factor(Value scale) {
    if (isa<FloatType>(getElementTypeOrSelf(scale.getType())))
      return toFloat(scale);
    Value exponent = arith::ExtUIOp::create(b, loc, like(scale, b.getI32Type()), scale);
    auto isEqual = [&](int64_t value) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, exponent, number(exponent, value));
    };
    Value bits = arith::ShLIOp::create(b, loc, exponent, number(exponent, 23));
    constexpr int64_t smallest = 0x00400000, nan = 0x7fc00000; // 2^-127 is subnormal
    bits = arith::SelectOp::create(b, loc, isEqual(0), number(exponent, smallest), bits);
    bits = arith::SelectOp::create(b, loc, isEqual(255), number(exponent, nan), bits);
    return tt::BitcastOp::create(b, loc, like(scale, b.getF32Type()), bits);
  }

  /// One scale serves a group of elements along K, the last dimension of the scales.
  Value scaled(Value value, Value scale, bool swap) {
    if (!scale)
      return value;
    auto type = cast<RankedTensorType>(value.getType());
    int64_t rank = type.getRank();
    SmallVector<int64_t> shape(type.getShape());
    if (swap)
      std::swap(shape[rank - 1], shape[rank - 2]);
    Value factors = tt::ExpandDimsOp::create(b, loc, factor(scale), static_cast<uint32_t>(rank));
    int64_t groups = cast<RankedTensorType>(scale.getType()).getDimSize(rank - 1);
    SmallVector<int64_t> grouped(shape);
    grouped.back() = groups;
    grouped.push_back(shape.back() / groups);
    factors = tt::BroadcastOp::create(b, loc, RankedTensorType::get(grouped, b.getF32Type()), factors);
    factors =
        tt::ReshapeOp::create(b, loc, RankedTensorType::get(shape, b.getF32Type()), factors, false, false);
    if (swap)
      factors = exchanged(factors, rank - 2, rank - 1);
    return arith::MulFOp::create(b, loc, value, factors);
  }

  tt::DotScaledOp op;
  OpBuilder b;
  Location loc;
};

} // namespace

void flagtree::decomposeScaledDots(func::FuncOp function) {
  function.walk([](tt::DotScaledOp op) { ScaledDot(op).decompose(); });
}
