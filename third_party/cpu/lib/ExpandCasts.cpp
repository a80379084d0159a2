// SPDX-License-Identifier: MIT
#include "ExpandFp8.h"
#include "flagtree-cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUEXPANDCASTS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

Type like(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

/// Conversions to nearest with their bits at hand; scalars and vectors alike.
class CastExpander {
public:
  CastExpander(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// `x` in the narrower type of `element`, rounded towards zero.
  Value towardsZero(Value x, Type element) {
    Nearest nearest = toNearest(x, element);
    return fromBits(nearest.towardsZero, nearest.value.getType());
  }

  /// As `towardsZero`, with the last bit set where digits were lost. Rounding
  /// that to a type of at least two digits less gives what rounding `x` gives.
  Value toOdd(Value x, Type element) {
    Nearest nearest = toNearest(x, element);
    Value one = constant(nearest.towardsZero.getType(), 1);
    Value odd = arith::OrIOp::create(b, loc, nearest.towardsZero, one);
    Value inexact = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, nearest.widened, x);
    return arith::SelectOp::create(b, loc, inexact, fromBits(odd, nearest.value.getType()), nearest.value);
  }

private:
  struct Nearest {
    Value value, widened; // rounded to nearest; the same in the type it came from
    Value towardsZero;    // its bits, one less where its magnitude is greater than that of the source
  };

  Nearest toNearest(Value x, Type element) {
    Nearest result;
    result.value = arith::TruncFOp::create(b, loc, like(x.getType(), element), x);
    result.widened = arith::ExtFOp::create(b, loc, x.getType(), result.value);
    Value away =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, result.widened),
                              math::AbsFOp::create(b, loc, x));
    Type bits = like(x.getType(), b.getIntegerType(element.getIntOrFloatBitWidth()));
    Value number = arith::BitcastOp::create(b, loc, bits, result.value);
    result.towardsZero = arith::SubIOp::create(b, loc, number, arith::ExtUIOp::create(b, loc, bits, away));
    return result;
  }

  Value constant(Type type, int64_t number) {
    TypedAttr attribute = b.getIntegerAttr(getElementTypeOrSelf(type), number);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attribute = DenseElementsAttr::get(shaped, attribute);
    return arith::ConstantOp::create(b, loc, attribute);
  }

  Value fromBits(Value bits, Type type) { return arith::BitcastOp::create(b, loc, type, bits); }

  OpBuilder &b;
  Location loc;
};

struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
    bool zero = op.getRoundingmode() == arith::RoundingMode::toward_zero;
    bool toFp8 = flagtree::cpu::isFp8(to);
    bool twoSteps = from.isF64() && (to.isF16() || to.isBF16() || toFp8);
    if (!twoSteps && (!zero || toFp8))
      return failure();
    CastExpander expander(rewriter, op.getLoc());
    Value x = op.getIn();
    if (twoSteps)
      x = zero ? expander.towardsZero(x, rewriter.getF32Type()) : expander.toOdd(x, rewriter.getF32Type());
    if (toFp8)
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), x, op.getRoundingmodeAttr(),
                                                   op.getFastmathAttr());
    else if (zero)
      rewriter.replaceOp(op, expander.towardsZero(x, to));
    else
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), x);
    return success();
  }
};

/// What only moves bf16 moves their bits: LLVM would go by way of fp32.
struct MoveAsBits : RewritePattern {
  MoveAsBits(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<arith::SelectOp, vector::BroadcastOp, vector::ExtractOp, vector::FromElementsOp,
             vector::InsertOp, vector::ShapeCastOp, vector::ShuffleOp, vector::TransposeOp>(op) ||
        !isBF16(op->getResult(0).getType()))
      return failure();
    Location loc = op->getLoc();
    IRMapping map;
    for (Value operand : op->getOperands())
      if (isBF16(operand.getType()))
        map.map(operand,
                arith::BitcastOp::create(rewriter, loc, bitsOf(operand.getType()), operand).getResult());
    Operation *moved = rewriter.clone(*op, map);
    moved->getResult(0).setType(bitsOf(op->getResult(0).getType()));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op->getResult(0).getType(), moved->getResult(0));
    return success();
  }

private:
  static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }
  static Type bitsOf(Type type) {
    Type bits = IntegerType::get(type.getContext(), 16);
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? Type(shaped.clone(bits)) : bits;
  }
};

/// Integers to bf16 through a type that holds them: fp32 up to 24 bits, fp64 up
/// to 53. Of longer ones the last twelve bits only say whether any of them is set.
template <typename Op> struct ExpandIntToBf16 : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
      return failure();
    Location loc = op.getLoc();
    Value x = op.getIn();
    unsigned bits = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    if (bits > 64)
      return failure();
    if (bits > 32)
      x = shortened(rewriter, loc, x);
    Type wide = bits > 24 ? rewriter.getF64Type() : rewriter.getF32Type();
    Value exact = Op::create(rewriter, loc, like(op.getType(), wide), x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), exact);
    return success();
  }

  static Value shortened(PatternRewriter &b, Location loc, Value x) {
    auto number = [&](int64_t value) -> Value {
      TypedAttr attribute = b.getIntegerAttr(getElementTypeOrSelf(x.getType()), value);
      if (auto shaped = dyn_cast<ShapedType>(x.getType()))
        attribute = DenseElementsAttr::get(shaped, attribute);
      return arith::ConstantOp::create(b, loc, attribute);
    };
    constexpr int64_t last = 0xfff, half = 0x800, exact = int64_t{1} << 53;
    Value low = arith::AndIOp::create(b, loc, x, number(last));
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, low, number(0));
    Value sticky = arith::SelectOp::create(b, loc, any, number(half), number(0));
    Value cut = arith::OrIOp::create(b, loc, arith::AndIOp::create(b, loc, x, number(~last)), sticky);
    // Within ±2^53, of which unsigned numbers are the upper half.
    constexpr int64_t below = std::is_same_v<Op, arith::SIToFPOp> ? exact : 0;
    Value shifted = arith::AddIOp::create(b, loc, x, number(below));
    Value isShort = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, shifted, number(exact + below));
    return arith::SelectOp::create(b, loc, isShort, x, cut);
  }
};

struct CpuExpandCasts : flagtree::cpu::impl::CpuExpandCastsBase<CpuExpandCasts> {
  void runOnOperation() override {
    if (failed(computeInFP32()))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandTruncF, MoveAsBits>(&getContext());
    flagtree::cpu::populateExpandFp8Patterns(patterns);
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  /// Arithmetic on bf16 and 8-bit floats, and conversions of integers to them.
  LogicalResult computeInFP32() {
    MLIRContext *context = &getContext();
    RewritePatternSet exact(context);
    exact.add<ExpandIntToBf16<arith::SIToFPOp>, ExpandIntToBf16<arith::UIToFPOp>>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(exact))))
      return failure();
    TypeConverter types;
    arith::populateEmulateUnsupportedFloatsConversions(
        types,
        {BFloat16Type::get(context), Float8E4M3FNType::get(context), Float8E4M3FNUZType::get(context),
         Float8E5M2Type::get(context), Float8E5M2FNUZType::get(context)},
        Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, types);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, types);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
