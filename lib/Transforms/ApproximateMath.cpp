// SPDX-License-Identifier: MIT
#include "ApproximateMath.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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
    Operation *widened =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands, wide(type), op->getAttrs());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, widened->getResult(0));
    return success();
  }
};

/// Division by a number that a loop does not change is multiplication by its
/// reciprocal, which is off by 1.5 units in the last place at most while the
/// reciprocal is a normal number; the loop divides where it is not.
struct DivideByInvariant : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto broadcast = op.getRhs().getDefiningOp<vector::BroadcastOp>();
    auto loop = op->getParentOfType<scf::ForOp>();
    if (!type || !type.getElementType().isF32() || !broadcast || !broadcast.getSourceType().isF32() ||
        !loop || !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp) ||
        !loop.isDefinedOutsideOfLoop(broadcast.getSource()))
      return failure();
    Location loc = op.getLoc();
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(value));
    };
    Value divisor = broadcast.getSource();
    rewriter.setInsertionPoint(loop);
    Value size = math::AbsFOp::create(rewriter, loc, divisor);
    Value aboveLeast =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE, size, number(0x1p-125f));
    Value belowMost =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLE, size, number(0x1p+125f));
    Value normal = arith::AndIOp::create(rewriter, loc, aboveLeast, belowMost);
    Value reciprocal = arith::DivFOp::create(rewriter, loc, number(1.0f), divisor);
    Value factor = vector::BroadcastOp::create(rewriter, loc, type, reciprocal);
    rewriter.setInsertionPoint(op);
    auto branch = scf::IfOp::create(rewriter, loc, type, normal, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc,
                         arith::MulFOp::create(rewriter, loc, op.getLhs(), factor).getResult());
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc,
                         arith::DivFOp::create(rewriter, loc, op.getLhs(), op.getRhs()).getResult());
    rewriter.replaceOp(op, branch);
    return success();
  }
};

/// What upstream approximates within two units. Its asin, atan, atan2, cbrt and
/// erfc are off by more: libm computes those.
bool hasApproximation(StringRef name) { return name == math::AcosOp::getOperationName(); }

struct FLIRApproximateMath : flagtree::impl::FLIRApproximateMathBase<FLIRApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DivideByInvariant, WidenMath>(&getContext());
    flagtree::populateApproximateExpPatterns(patterns);
    flagtree::populateApproximateLogPatterns(patterns);
    flagtree::populateApproximateTrigPatterns(patterns);
    flagtree::populateApproximateErfPatterns(patterns);
    populateMathPolynomialApproximationPatterns(patterns, hasApproximation);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // The permission has served: LLVM would use it without a look at the range.
    getOperation().walk([](arith::DivFOp division) {
      division.setFastmath(bitEnumClear(division.getFastmath(), arith::FastMathFlags::arcp));
    });
  }
};

} // namespace
