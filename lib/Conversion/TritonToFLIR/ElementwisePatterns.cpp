// SPDX-License-Identifier: MIT
// Elementwise operations that are Triton's own; arith and math stay as they are.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// One operation of Triton that is one operation of arith or math.
template <typename From, typename To> struct Rename : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), adaptor.getOperands());
    return success();
  }
};

struct ConvertClamp : OpConversionPattern<tt::ClampFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ClampFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (op.getPropagateNan() == tt::PropagateNan::All) {
      Value low = arith::MaximumFOp::create(rewriter, loc, adaptor.getX(), adaptor.getMin());
      rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, low, adaptor.getMax());
    } else {
      Value low = arith::MaxNumFOp::create(rewriter, loc, adaptor.getX(), adaptor.getMin());
      rewriter.replaceOpWithNewOp<arith::MinNumFOp>(op, low, adaptor.getMax());
    }
    return success();
  }
};

struct ConvertMulhi : OpConversionPattern<tt::MulhiUIOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MulhiUIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto product = arith::MulUIExtendedOp::create(rewriter, op.getLoc(), adaptor.getX(), adaptor.getY());
    rewriter.replaceOp(op, product.getHigh());
    return success();
  }
};

struct ConvertFpToFp : OpConversionPattern<tt::FpToFpOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::FpToFpOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    unsigned from = getElementTypeOrSelf(op.getSrc().getType()).getIntOrFloatBitWidth();
    unsigned to = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    if (to > from) {
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), adaptor.getSrc());
      return success();
    }
    Value source = adaptor.getSrc();
    if (to == from || (to == 8 && from == 16)) { // fp32 holds both
      Type wide = rewriter.getF32Type();
      if (auto shaped = dyn_cast<ShapedType>(source.getType()))
        wide = shaped.clone(wide);
      source = arith::ExtFOp::create(rewriter, op.getLoc(), wide, source);
    }
    arith::RoundingModeAttr rounding; // to nearest even when absent
    if (op.getRounding() == tt::RoundingMode::RTZ)
      rounding = arith::RoundingModeAttr::get(getContext(), arith::RoundingMode::toward_zero);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), source, rounding,
                                                 arith::FastMathFlagsAttr());
    return success();
  }
};

/// Operations of other dialects that carry pointers, such as arith.select.
struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(), adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

} // namespace

void flagtree::populateElementwisePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns
      .add<Rename<tt::PreciseSqrtOp, math::SqrtOp>, Rename<tt::PreciseDivFOp, arith::DivFOp>,
           Rename<tt::ApproxDivFOp, arith::DivFOp>, ConvertClamp, ConvertMulhi, ConvertFpToFp, ConvertSelect>(
          types, patterns.getContext());
}
