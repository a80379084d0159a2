// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/Cost.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

/// A store and a load of a register cost about as much as this many simple
/// vector operations.
static constexpr unsigned bufferCost = 4;

static bool isDear(Operation *op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
          arith::MulUIExtendedOp, arith::MulSIExtendedOp, flagtree::flir::ExternOp>(op))
    return true;
  return isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp, math::AbsIOp, math::FmaOp>(op);
}

bool flagtree::hasDearOperation(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && llvm::any_of(linalgOp.getBlock()->without_terminator(),
                                  [](Operation &inner) { return isDear(&inner); });
}

bool flagtree::isCheapToRecompute(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() != 0 || hasDearOperation(linalgOp))
    return false;
  return llvm::range_size(linalgOp.getBlock()->without_terminator()) <= bufferCost;
}

unsigned flagtree::costOf(Operation *op) {
  constexpr unsigned polynomial = 20, product = 4; // a wide product is four narrow ones
  if (isa<arith::MulUIExtendedOp, arith::MulSIExtendedOp>(op))
    return product;
  return isa<math::MathDialect>(op->getDialect()) && isDear(op) ? polynomial : 1;
}
