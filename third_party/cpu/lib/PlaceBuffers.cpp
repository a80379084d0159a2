// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUPLACEBUFFERS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

// A cache line, so that no vector is split between two.
constexpr int64_t alignment = 64;

/// True when a buffer made in one iteration of a loop around it may still be
/// in use in the next, or after the loop.
bool outlivesIteration(memref::AllocOp alloc, const BufferViewFlowAnalysis &views) {
  for (Value alias : views.resolve(alloc.getResult())) {
    Operation *owner = isa<BlockArgument>(alias) ? cast<BlockArgument>(alias).getOwner()->getParentOp()
                                                 : alias.getDefiningOp();
    if (isa<LoopLikeOpInterface>(owner) && owner->isProperAncestor(alloc))
      return true;
  }
  return false;
}

struct CpuPlaceBuffers : flagtree::cpu::impl::CpuPlaceBuffersBase<CpuPlaceBuffers> {
  using CpuPlaceBuffersBase::CpuPlaceBuffersBase;

  void runOnOperation() override {
    BufferViewFlowAnalysis views(getOperation());
    SmallVector<memref::AllocOp> allocs;
    getOperation().walk([&](memref::AllocOp alloc) {
      if (alloc.getType().hasStaticShape() && !outlivesIteration(alloc, views))
        allocs.push_back(alloc);
    });
    Block &entry = getOperation().getBody().front();
    IRRewriter rewriter(&getContext());
    int64_t used = 0;
    for (memref::AllocOp alloc : allocs) {
      MemRefType type = alloc.getType();
      int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      bytes = llvm::alignTo(bytes, alignment);
      rewriter.setInsertionPointToStart(&entry);
      IntegerAttr align = rewriter.getI64IntegerAttr(alignment);
      if (used + bytes <= stackBytes) {
        used += bytes;
        rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, type, align);
        continue;
      }
      Value buffer = rewriter.replaceOpWithNewOp<memref::AllocOp>(alloc, type, align);
      rewriter.setInsertionPoint(entry.getTerminator());
      memref::DeallocOp::create(rewriter, buffer.getLoc(), buffer);
    }
  }
};

} // namespace
