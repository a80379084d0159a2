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
    Value source = adaptor.getSrcs()[0];
    auto from = cast<RankedTensorType>(source.getType());
    Type narrow = from.getElementType(), element = narrow;
    // Sums of 16 bits stop growing after 256 or 2,048 ones: one rounding, at the end.
    if (isa<Float16Type, BFloat16Type>(narrow) && isa<arith::AddFOp, arith::MulFOp>(combiner)) {
      element = rewriter.getF32Type();
      source = arith::ExtFOp::create(rewriter, loc, from.clone(element), source);
      identity = rewriter.getF32FloatAttr(isa<arith::AddFOp>(combiner) ? 0.0f : 1.0f);
    }
    SmallVector<int64_t> shape(from.getShape());
    shape.erase(shape.begin() + op.getAxis());
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, element);
    Value neutral = arith::ConstantOp::create(rewriter, loc, identity);
    Value start = linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
    auto reduce = linalg::ReduceOp::create(
        rewriter, loc, ValueRange{source}, ValueRange{start}, SmallVector<int64_t>{op.getAxis()},
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Operation *combined =
              b.create(loc, combiner->getName().getIdentifier(), args, element, combiner->getAttrs());
          linalg::YieldOp::create(b, loc, combined->getResults());
        });
    Value result = reduce.getResult(0);
    if (element != narrow)
      result = arith::TruncFOp::create(rewriter, loc, RankedTensorType::get(shape, narrow), result);
    if (!isa<RankedTensorType>(op.getType(0)))
      result = tensor::ExtractOp::create(rewriter, loc, result, ValueRange{});
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void flagtree::populateReducePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertReduce>(types, patterns.getContext());
}
