// SPDX-License-Identifier: MIT
// The code generated for the ops; what is written by hand is in a file a family.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace flagtree::tt;

#define GET_OP_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonOps.cpp.inc"

void TritonDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "flagtree/Dialect/Triton/IR/TritonOps.cpp.inc"
      >();
}
