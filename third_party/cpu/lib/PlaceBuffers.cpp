// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"
#include "flagtree/Conversion/HostCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Values carried by the loops around `alloc` that may lie in a buffer it made
/// in an iteration before.
SmallVector<Value> carriedBuffers(memref::AllocOp alloc, const BufferViewFlowAnalysis &views) {
  SmallVector<Value> carried;
  for (Value alias : views.resolve(alloc.getResult())) {
    auto argument = dyn_cast<BlockArgument>(alias);
    if (argument && isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp()) &&
        argument.getOwner()->findAncestorOpInBlock(*alloc))
      carried.push_back(alias);
  }
  return carried;
}

/// Gives a buffer that outlives its iteration one place more than there are
/// values that may be in use: each iteration takes one that is free.
void rotate(memref::AllocOp alloc, ArrayRef<Value> carried, Block &entry) {
  IRRewriter rewriter(alloc.getContext());
  Location loc = alloc.getLoc();
  SmallVector<Value> places;
  rewriter.setInsertionPointToStart(&entry);
  for (size_t i = 0; i <= carried.size(); ++i)
    places.push_back(memref::AllocOp::create(rewriter, loc, alloc.getType()));
  rewriter.setInsertionPoint(alloc);
  auto address = [&](Value buffer) -> Value {
    return memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, buffer);
  };
  SmallVector<Value> inUse = llvm::map_to_vector(carried, address);
  Value free = places.back();
  for (Value place : llvm::reverse(ArrayRef(places).drop_back())) {
    Value taken;
    for (Value other : inUse) {
      Value same = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, address(place), other);
      taken = taken ? arith::OrIOp::create(rewriter, loc, taken, same).getResult() : same;
    }
    free = arith::SelectOp::create(rewriter, loc, taken, free, place);
  }
  rewriter.replaceOp(alloc, free);
}

int64_t bytesOf(MemRefType type) {
  int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return llvm::alignTo(bytes, alignment);
}

/// The host's memory for this range, as a buffer of bytes.
Value scratch(OpBuilder &b, Location loc, int64_t bytes) {
  Type i64 = b.getI64Type(), ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value memory = flagtree::callHost(b, loc, flagtree::hostContext(b, loc), flagtree::HostFunction::Scratch,
                                    number(bytes), ptr);
  // What a memref is to LLVM: allocated, aligned, offset, sizes, strides.
  Type one = LLVM::LLVMArrayType::get(i64, 1);
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(), {ptr, ptr, i64, one, one});
  Value descriptor = LLVM::PoisonOp::create(b, loc, type);
  auto put = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(b, loc, descriptor, value, position);
  };
  put(memory, {0});
  put(memory, {1});
  put(number(0), {2});
  put(number(bytes), {3, 0});
  put(number(1), {4, 0});
  auto buffer = MemRefType::get({bytes}, b.getI8Type());
  return UnrealizedConversionCastOp::create(b, loc, buffer, descriptor).getResult(0);
}

/// Moves what loops carry from iteration to iteration out of them.
void rotateCarried(func::FuncOp function) {
  BufferViewFlowAnalysis views(function);
  SmallVector<std::pair<memref::AllocOp, SmallVector<Value>>> allocs;
  function.walk([&](memref::AllocOp alloc) {
    SmallVector<Value> carried = carriedBuffers(alloc, views);
    if (!carried.empty() && alloc.getType().hasStaticShape())
      allocs.push_back({alloc, carried});
  });
  for (auto &[alloc, carried] : allocs)
    rotate(alloc, carried, function.getBody().front());
}

void place(func::FuncOp function, int64_t stackBytes) {
  SmallVector<memref::AllocOp> onStack, inScratch;
  int64_t used = 0, scratchBytes = 0;
  function.walk([&](memref::AllocOp alloc) {
    if (!alloc.getType().hasStaticShape())
      return;
    int64_t bytes = bytesOf(alloc.getType());
    if (used + bytes <= stackBytes) {
      used += bytes;
      onStack.push_back(alloc);
    } else {
      scratchBytes += bytes;
      inScratch.push_back(alloc);
    }
  });
  IRRewriter rewriter(function.getContext());
  Block &entry = function.getBody().front();
  for (memref::AllocOp alloc : onStack) {
    rewriter.setInsertionPointToStart(&entry);
    rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, alloc.getType(),
                                                  rewriter.getI64IntegerAttr(alignment));
  }
  if (inScratch.empty())
    return;
  rewriter.setInsertionPointToStart(&entry);
  Location loc = function.getLoc();
  Value memory = scratch(rewriter, loc, scratchBytes);
  int64_t offset = 0;
  for (memref::AllocOp alloc : inScratch) {
    Value start = arith::ConstantIndexOp::create(rewriter, loc, offset);
    offset += bytesOf(alloc.getType());
    Value view = memref::ViewOp::create(rewriter, loc, alloc.getType(), memory, start, ValueRange{});
    rewriter.replaceOp(alloc, view);
  }
}

struct CpuPlaceBuffers : flagtree::cpu::impl::CpuPlaceBuffersBase<CpuPlaceBuffers> {
  using CpuPlaceBuffersBase::CpuPlaceBuffersBase;

  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal()) {
        rotateCarried(function);
        place(function, stackBytes);
      }
  }
};

} // namespace
