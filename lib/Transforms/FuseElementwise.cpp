// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/Cost.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRFUSEELEMENTWISE
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

/// Fusing across a loop of the program would compute the producer in each of
/// its iterations.
bool shouldFuse(OpOperand &operand) {
  Operation *producer = operand.get().getDefiningOp(), *consumer = operand.getOwner();
  return producer && producer->getBlock() == consumer->getBlock() &&
         linalg::areElementwiseOpsFusable(&operand) &&
         (producer->hasOneUse() || isCheapToRecompute(producer));
}

/// The same operation without results that nobody uses.
linalg::GenericOp dropUnusedResults(IRRewriter &rewriter, linalg::GenericOp op) {
  SmallVector<unsigned> kept;
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      kept.push_back(result.getResultNumber());
  if (kept.size() == op->getNumResults() || kept.empty())
    return op;
  SmallVector<Value> outputs;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input));
  for (unsigned number : kept) {
    outputs.push_back(op.getOutputs()[number]);
    types.push_back(op.getResult(number).getType());
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(number)));
  }
  rewriter.setInsertionPoint(op);
  auto smaller = linalg::GenericOp::create(rewriter, op.getLoc(), types, op.getInputs(), outputs, maps,
                                           op.getIteratorTypesArray());
  Block *body = op.getBody();
  unsigned inputs = op.getNumDpsInputs();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  SmallVector<Value> yielded;
  llvm::BitVector dropped(body->getNumArguments());
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    if (llvm::is_contained(kept, number))
      yielded.push_back(yield.getOperand(number));
    else
      dropped.set(inputs + number);
  }
  yield->setOperands(yielded);
  body->eraseArguments(dropped);
  smaller.getRegion().takeBody(op.getRegion());
  for (auto [position, number] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(op.getResult(number), smaller.getResult(position));
  rewriter.eraseOp(op);
  return smaller;
}

/// Fuses producers into `consumer` until none is left that should be.
void fuseInto(IRRewriter &rewriter, linalg::GenericOp consumer) {
  while (true) {
    auto found = llvm::find_if(consumer->getOpOperands(), shouldFuse);
    if (found == consumer->getOpOperands().end())
      return;
    Operation *producer = found->get().getDefiningOp();
    rewriter.setInsertionPoint(consumer);
    FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, &*found);
    if (failed(fused))
      return;
    // The fused operation also gives a producer's value that others use; they
    // keep the producer, and this result is dropped as unused.
    SmallVector<Value> replacements;
    for (Value result : consumer.getResults())
      replacements.push_back(fused->replacements[result]);
    rewriter.replaceOp(consumer, replacements);
    if (isOpTriviallyDead(producer))
      rewriter.eraseOp(producer);
    consumer = dropUnusedResults(rewriter, cast<linalg::GenericOp>(fused->fusedOp));
  }
}

struct FLIRFuseElementwise : flagtree::impl::FLIRFuseElementwiseBase<FLIRFuseElementwise> {
  void runOnOperation() override {
    auto isFill = [](linalg::LinalgOp op) { return isa<linalg::FillOp>(op.getOperation()); };
    if (failed(generalize([&](linalg::LinalgOp op) { return !isFill(op); })) || failed(simplify()) ||
        failed(generalize(isFill)))
      return signalPassFailure();
    SmallVector<linalg::GenericOp> consumers;
    getOperation().walk([&](linalg::GenericOp op) { consumers.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp consumer : consumers)
      fuseInto(rewriter, consumer);
    if (failed(simplify()))
      signalPassFailure();
  }

private:
  /// Named operations fuse in their generic form only. Products of matrices
  /// keep their names: they are no elementwise work.
  LogicalResult generalize(llvm::function_ref<bool(linalg::LinalgOp)> chosen) {
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::ContractionOpInterface>(op.getOperation()) && chosen(op))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::generalizeNamedOp(rewriter, op)))
        return op->emitError("cannot be written in generic form");
    }
    return success();
  }

  /// Constants and fills become scalars in the bodies that read them.
  LogicalResult simplify() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *) { return false; });
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
