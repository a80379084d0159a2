// SPDX-License-Identifier: MIT
// Lets MLIR's -inline inline device functions.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace flagtree::tt;

namespace {
struct TritonInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    auto func = dyn_cast<FuncOp>(callable);
    return func && !func.isNoInline();
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned, IRMapping &mapping) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned, IRMapping &mapping) const final {
    return true;
  }

  /// A return of a callee with several blocks becomes a branch.
  void handleTerminator(Operation *op, Block *newDest) const final {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, returnOp.getSrcs());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [from, to] : llvm::zip_equal(valuesToReplace, cast<ReturnOp>(op).getSrcs()))
      from.replaceAllUsesWith(to);
  }
};
} // namespace

void TritonDialect::registerInliner() { addInterfaces<TritonInliner>(); }
