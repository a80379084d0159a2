// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRAPPROXIMATEMATH
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;

namespace {

/// Computes a function of fp16 or bf16 vectors in fp32, with one rounding of
/// the result.
struct WidenMath : RewritePattern {
  explicit WidenMath(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
      return failure();
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    if (!isa<Float16Type, BFloat16Type>(element))
      return failure();
    auto wide = [&](Type narrow) -> Type {
      auto shaped = dyn_cast<ShapedType>(narrow);
      return shaped ? Type(shaped.clone(rewriter.getF32Type())) : rewriter.getF32Type();
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getElementTypeOrSelf(operand.getType()) == element
                             ? arith::ExtFOp::create(rewriter, op->getLoc(), wide(operand.getType()), operand)
                             : operand);
    Operation *widened = rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands, wide(type),
                                         op->getAttrs());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, widened->getResult(0));
    return success();
  }
};

/// Functions that upstream approximates well over their whole range. Its sin
/// and cos lose all digits of large arguments: libm computes those.
bool hasApproximation(StringRef name) {
  static const llvm::StringSet<> names = {
      math::AcosOp::getOperationName(),  math::AsinOp::getOperationName(),  math::Atan2Op::getOperationName(),
      math::AtanOp::getOperationName(),  math::CbrtOp::getOperationName(),  math::ErfOp::getOperationName(),
      math::ErfcOp::getOperationName(),  math::ExpM1Op::getOperationName(), math::ExpOp::getOperationName(),
      math::Log1pOp::getOperationName(), math::Log2Op::getOperationName(),  math::LogOp::getOperationName(),
      math::RsqrtOp::getOperationName(), math::TanhOp::getOperationName()};
  return names.contains(name);
}

struct FLIRApproximateMath : flagtree::impl::FLIRApproximateMathBase<FLIRApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenMath>(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, hasApproximation);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
