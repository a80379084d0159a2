// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_FP32BUILDER_H
#define FLAGTREE_LIB_TRANSFORMS_FP32BUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace flagtree {

/// Writes arithmetic on fp32 values of one type, scalars or vectors, so that a
/// polynomial reads like its formula.
class Fp32Builder {
public:
  using Value = mlir::Value;
  using FloatPredicate = mlir::arith::CmpFPredicate;
  using IntPredicate = mlir::arith::CmpIPredicate;

  Fp32Builder(mlir::PatternRewriter &b, mlir::Location loc, mlir::Type type);

  Value constant(float value);
  Value integer(int32_t value);

  Value add(Value x, Value y);
  Value add(Value x, float y) { return add(x, constant(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, float y) { return mul(x, constant(y)); }
  Value div(Value x, Value y);
  Value negate(Value x); // costs nothing beside a multiplication and addition

  /// x · y + z, in one step where the target has such an instruction.
  Value madd(Value x, Value y, Value z);
  Value madd(Value x, float y, Value z) { return madd(x, constant(y), z); }
  Value madd(Value x, Value y, float z) { return madd(x, y, constant(z)); }
  Value madd(Value x, float y, float z) { return madd(x, constant(y), constant(z)); }
  /// x · y + z, rounded once on every target.
  Value fma(Value x, Value y, Value z);
  Value fma(Value x, float y, Value z) { return fma(x, constant(y), z); }

  /// Coefficients from the lowest power up.
  Value polynomial(Value x, llvm::ArrayRef<float> coefficients);

  Value compare(FloatPredicate predicate, Value x, float bound);
  Value compare(IntPredicate predicate, Value x, int32_t bound);
  Value select(Value condition, Value yes, Value no);
  Value select(Value condition, float yes, Value no) { return select(condition, constant(yes), no); }
  Value select(Value condition, Value yes, float no) { return select(condition, yes, constant(no)); }
  Value select(Value condition, float yes, float no) {
    return select(condition, constant(yes), constant(no));
  }
  /// Within [least, largest]; NaN stays.
  Value clamp(Value x, float least, float largest) { return atMost(atLeast(x, least), largest); }
  Value atLeast(Value x, float bound) { return select(compare(FloatPredicate::OLT, x, bound), bound, x); }
  Value atMost(Value x, float bound) { return select(compare(FloatPredicate::OGT, x, bound), bound, x); }

  Value bits(Value x);
  Value fromBits(Value x);
  Value addInt(Value x, Value y);
  Value addInt(Value x, int32_t y) { return addInt(x, integer(y)); }
  Value subInt(Value x, Value y);
  Value andInt(Value x, int32_t y);
  Value orInt(Value x, Value y);
  Value xorInt(Value x, Value y);
  Value shiftLeft(Value x, int32_t by);
  Value shiftRight(Value x, int32_t by);
  Value toFloat(Value integer);

  Value abs(Value x) { return fromBits(andInt(bits(x), ~signBit)); }
  Value sign(Value x) { return andInt(bits(x), signBit); }
  /// `x`, which is not negative, with the sign of `y`.
  Value withSign(Value x, Value y) { return fromBits(orInt(bits(x), sign(y))); }

  /// 2^n, where `rounded` is n + rounder and n is an exponent of a normal number.
  Value powerOfTwo(Value rounded) {
    return fromBits(addInt(shiftLeft(bits(rounded), mantissaBits), oneBits));
  }
  /// x · 2^n for n from -252 to 254, rounded once.
  Value scale(Value x, Value rounded);

  /// Adding it rounds to an integer, which is left in the low bits.
  static constexpr float rounder = 12582912.0f; // 1.5 · 2^23
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  static constexpr float log2e = 0x1.715476p+0f, ln2 = 0x1.62e43p-1f;
  static constexpr int32_t signBit = INT32_MIN, oneBits = 0x3f800000, mantissaBits = 23;

  mlir::PatternRewriter &b;
  mlir::Location loc;

private:
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  Value splat(mlir::Type of, mlir::TypedAttr value);

  mlir::Type type, integers;
};

/// Replaces an operation of fp32 by what `Function` writes.
template <typename Op, mlir::Value (*Function)(Fp32Builder &, mlir::Value)>
struct ApproximateFp32 : mlir::OpRewritePattern<Op> {
  explicit ApproximateFp32(mlir::MLIRContext *context) : mlir::OpRewritePattern<Op>(context, /*benefit=*/2) {}
  mlir::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    if (!mlir::getElementTypeOrSelf(op.getType()).isF32())
      return mlir::failure();
    Fp32Builder f(rewriter, op.getLoc(), op.getType());
    mlir::Value result = Function(f, op.getOperand());
    if (!result)
      return mlir::failure();
    rewriter.replaceOp(op, result);
    return mlir::success();
  }
};

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_FP32BUILDER_H
