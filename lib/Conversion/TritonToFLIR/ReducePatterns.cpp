// SPDX-License-Identifier: MIT
// Reductions with one source and a combiner of one operation.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace flagtree;

/// The single operation between the block's arguments and its terminator.
static Operation *singleCombiner(tt::ReduceOp reduce) {
  Block &body = reduce.getCombineOp().front();
  if (reduce.getSrcs().size() != 1 || body.getOperations().size() != 2)
    return nullptr;
  Operation *combiner = &body.front();
  auto arguments = body.getArguments();
  bool combinesBoth = combiner->getNumOperands() == 2 && combiner->getNumResults() == 1 &&
                      llvm::is_contained(combiner->getOperands(), arguments[0]) &&
                      llvm::is_contained(combiner->getOperands(), arguments[1]);
  return combinesBoth && body.getTerminator()->getOperand(0) == combiner->getResult(0) ? combiner : nullptr;
}

TypedAttr flagtree::reductionIdentity(Operation *op) {
  auto reduce = cast<tt::ReduceOp>(op);
  Operation *combiner = singleCombiner(reduce);
  if (!combiner)
    return {};
  return arith::getNeutralElement(combiner).value_or(TypedAttr());
}

namespace {

struct ConvertReduce : OpConversionPattern<tt::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypedAttr identity = reductionIdentity(op);
    if (!identity)
      return failure();
    Location loc = op.getLoc();
    Operation *combiner = singleCombiner(op);
    auto from = cast<RankedTensorType>(adaptor.getSrcs()[0].getType());
    SmallVector<int64_t> shape(from.getShape());
    shape.erase(shape.begin() + op.getAxis());
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, from.getElementType());
    Value neutral = arith::ConstantOp::create(rewriter, loc, identity);
    Value start = linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
    auto reduce = linalg::ReduceOp::create(
        rewriter, loc, adaptor.getSrcs(), ValueRange{start}, SmallVector<int64_t>{op.getAxis()},
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping map;
          map.map(combiner->getOperands(), args);
          linalg::YieldOp::create(b, loc, b.clone(*combiner, map)->getResults());
        });
    if (isa<RankedTensorType>(op.getType(0))) {
      rewriter.replaceOp(op, reduce);
      return success();
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, reduce.getResult(0), ValueRange{});
    return success();
  }
};

} // namespace

void flagtree::populateReducePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertReduce>(types, patterns.getContext());
}
