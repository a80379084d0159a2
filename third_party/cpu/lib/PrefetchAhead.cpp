// SPDX-License-Identifier: MIT
#include "MemoryAccess.h"
#include "flagtree-cpu/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Support/Hardware.h"
#include "flagtree/Transforms/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUPREFETCHAHEAD
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

namespace {

int64_t bytesOf(Type block) {
  return llvm::divideCeil(getElementTypeOrSelf(block).getIntOrFloatBitWidth(), 8);
}

/// Where the block of an access starts that each iteration of `loop` takes a
/// tile of, `start + iv`, elements side by side; null when it is another kind.
template <typename Op> Value startOf(Op access, scf::ForOp loop) {
  auto sum = access.getOffset().template getDefiningOp<arith::AddIOp>();
  bool contiguous = access.getRank() == 1 && isConstantIntValue(access.getMixedStrides()[0], 1) &&
                    access.getIndices().empty();
  if (!contiguous || !sum || sum.getRhs() != loop.getInductionVar() ||
      !loop.isDefinedOutsideOfLoop(sum.getLhs()) || !loop.isDefinedOutsideOfLoop(access.getBase()))
    return {};
  return sum.getLhs();
}

/// A later loop's store of the block that `loop` computes over, where elements
/// lie side by side and the store's start is known before `loop`.
struct LaterStore {
  Value base, start;
  int64_t elementBytes;
};

std::optional<LaterStore> laterStore(scf::ForOp loop) {
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
    auto later = dyn_cast<scf::ForOp>(op);
    if (!later || later.getLowerBound() != loop.getLowerBound() ||
        later.getUpperBound() != loop.getUpperBound())
      continue;
    for (auto store : later.getBody()->getOps<flir::StoreOp>()) {
      Value start = startOf(store, later);
      IRRewriter rewriter(loop.getContext());
      DominanceInfo dominance;
      if (start && succeeded(moveValueDefinitions(rewriter, {start, store.getBase()}, loop)) &&
          dominance.properlyDominates(start, loop) && dominance.properlyDominates(store.getBase(), loop))
        return LaterStore{store.getBase(), start, bytesOf(store.getBlockType())};
    }
  }
  return std::nullopt;
}

/// Asks for the lines of a tile at `base + Σ offsets + iv`, at the start of the loop's body.
void prefetch(scf::ForOp loop, Value base, ArrayRef<Value> offsets, int64_t elementBytes, bool forWriting) {
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  Value position = loop.getInductionVar();
  for (Value offset : offsets)
    position = arith::AddIOp::create(b, loc, position, offset);
  Value bytes = arith::MulIOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), position),
                                      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(elementBytes)));
  Value start =
      LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{bytes});
  int64_t line = Hardware(loop).cacheLineBytes();
  for (int64_t byte = 0; byte < *getConstantIntValue(loop.getStep()) * elementBytes; byte += line)
    cpu::prefetchLine(b, loc, start, static_cast<int32_t>(byte), forWriting);
}

/// True when an earlier loop reads the block that `load` reads in `loop`: the
/// whole row that the loops around both go along.
bool isReadBefore(flir::LoadOp load, Value start, scf::ForOp loop, scf::ForOp around) {
  for (Operation *op = around->getPrevNode(); op; op = op->getPrevNode()) {
    auto earlier = dyn_cast<scf::ForOp>(op);
    if (!earlier || earlier.getLowerBound() != around.getLowerBound() ||
        earlier.getUpperBound() != around.getUpperBound() || earlier.getStep() != around.getStep())
      continue;
    for (auto inner : earlier.getBody()->getOps<scf::ForOp>())
      for (auto other : inner.getBody()->getOps<flir::LoadOp>()) {
        Value otherStart = startOf(other, inner);
        if (!otherStart || other.getBase() != load.getBase())
          continue;
        LinearForm distance;
        distance.add(start);
        distance.add(around.getInductionVar(), -1);
        distance.add(otherStart, -1);
        distance.add(earlier.getInductionVar());
        if (distance == LinearForm())
          return true;
      }
  }
  return false;
}

/// While a loop goes over a row again that lies in the cache, memory is idle: it
/// fetches what lies behind the row.
void prefetchNextRow(scf::ForOp loop) {
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!around || !isConstantIntValue(around.getLowerBound(), 0) ||
      !loop.getBody()->getOps<flir::StoreOp>().empty())
    return;
  for (auto load : loop.getBody()->getOps<flir::LoadOp>()) {
    Value start = startOf(load, loop);
    if (!start || !isReadBefore(load, start, loop, around))
      continue;
    OpBuilder b(loop);
    Value length =
        getValueOrCreateCastToIndexLike(b, loop.getLoc(), b.getIndexType(), around.getUpperBound());
    prefetch(loop, load.getBase(), {start, length}, bytesOf(load.getBlockType()), /*forWriting=*/false);
  }
}

/// While a loop computes functions of math memory is idle. It fetches the lines
/// that a later loop writes, for which that loop would wait, and what lies
/// behind the block that is read: as a rule the next program's.
void prefetchAhead(scf::ForOp loop) {
  if (!getConstantIntValue(loop.getStep()))
    return;
  if (loop.getBody()->getOps<math::ExpOp>().empty())
    return prefetchNextRow(loop);
  for (auto load : loop.getBody()->getOps<flir::LoadOp>()) {
    Value start = startOf(load, loop);
    auto extent = start ? dyn_cast<Value>(load.getMixedExtents()[0]) : Value();
    auto left = extent ? extent.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
    if (left && left.getRhs() == loop.getInductionVar() && loop.isDefinedOutsideOfLoop(left.getLhs()))
      prefetch(loop, load.getBase(), {start, left.getLhs()}, bytesOf(load.getBlockType()),
               /*forWriting=*/false);
  }
  if (std::optional<LaterStore> store = laterStore(loop))
    prefetch(loop, store->base, {store->start}, store->elementBytes, /*forWriting=*/true);
}

struct CpuPrefetchAhead : flagtree::cpu::impl::CpuPrefetchAheadBase<CpuPrefetchAhead> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) { prefetchAhead(loop); });
  }
};

} // namespace
