// SPDX-License-Identifier: MIT
// Products of matrices stay named operations of linalg: what becomes of their
// operands is for the backend to say.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

namespace {

struct ConvertDot : OpConversionPattern<tt::DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::DotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeRange types(op->getResultTypes());
    ValueRange operands = adaptor.getOperands();
    ValueRange inputs = operands.take_front(2), init = operands.drop_front(2);
    Operation *product;
    if (op.getType().getRank() == 3)
      product = linalg::BatchMatmulOp::create(rewriter, op.getLoc(), types, inputs, init);
    else
      product = linalg::MatmulOp::create(rewriter, op.getLoc(), types, inputs, init);
    product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, product);
    return success();
  }
};

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

} // namespace

void flagtree::foldAccumulators(func::FuncOp function) {
  function.walk([](Operation *sum) {
    if (!isa<arith::AddFOp, arith::AddIOp>(sum))
      return;
    for (OpOperand &operand : sum->getOpOperands()) {
      auto dot = operand.get().getDefiningOp<tt::DotOp>();
      if (!dot || !dot->hasOneUse() || dot->getBlock() != sum->getBlock() || !isZero(dot.getC()))
        continue;
      dot.getCMutable().assign(sum->getOperand(1 - operand.getOperandNumber()));
      dot->moveBefore(sum); // the sum's other operand may be defined after the product
      sum->replaceAllUsesWith(dot);
      sum->erase();
      return;
    }
  });
}

void flagtree::populateDotPatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertDot>(types, patterns.getContext());
}
