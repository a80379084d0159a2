// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUPLACEBUFFERS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

struct CpuPlaceBuffers : flagtree::cpu::impl::CpuPlaceBuffersBase<CpuPlaceBuffers> {
  using CpuPlaceBuffersBase::CpuPlaceBuffersBase;

  void runOnOperation() override {
    int64_t used = 0;
    IRRewriter rewriter(&getContext());
    // Only the function's own block: an alloca in a loop would grow the stack
    // with each iteration.
    for (auto alloc : llvm::make_early_inc_range(getOperation().getBody().front().getOps<memref::AllocOp>())) {
      MemRefType type = alloc.getType();
      if (!type.hasStaticShape())
        continue;
      int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      if (used + bytes > stackBytes)
        continue;
      used += bytes;
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        if (isa<memref::DeallocOp>(user))
          rewriter.eraseOp(user);
      rewriter.setInsertionPoint(alloc);
      // A cache line, so that no vector is split between two.
      rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, type, rewriter.getI64IntegerAttr(64));
    }
  }
};

} // namespace
