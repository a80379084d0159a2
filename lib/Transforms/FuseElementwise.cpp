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
bool shouldFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp(), *consumer = operand->getOwner();
  if (producer->getBlock() != consumer->getBlock())
    return false;
  return producer->hasOneUse() || isCheapToRecompute(producer);
}

struct FLIRFuseElementwise : flagtree::impl::FLIRFuseElementwiseBase<FLIRFuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    // Named operations, such as the reduction, fuse in their generic form only.
    linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldFuse);
    linalg::populateEraseUnnecessaryInputsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
