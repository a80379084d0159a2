// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/Triton/IR/TritonGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace flagtree::tt;

#include "flagtree/Dialect/Triton/IR/TritonGPUDialect.cpp.inc"
#include "flagtree/Dialect/Triton/IR/TritonGPUEnums.cpp.inc"

#define GET_OP_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonGPUOps.cpp.inc"

namespace {
/// A barrier may be inlined wherever it is called.
struct BarrierInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void TritonGPUDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "flagtree/Dialect/Triton/IR/TritonGPUOps.cpp.inc"
      >();
  addInterfaces<BarrierInliner>();
}
