// SPDX-License-Identifier: MIT
// Assertions and printing.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace flagtree::tt;

/// An assertion that always holds goes.
LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!getElementTypeOrSelf(op.getCondition()).isInteger(1) || !matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() == getArgs().size())
    return success();
  return emitOpError() << "has " << getArgs().size() << " arguments and " << getIsSigned().size()
                       << " numbers in 'isSigned'; each argument needs one";
}
