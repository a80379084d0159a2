// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Cost.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <deque>

namespace flagtree {
#define GEN_PASS_DEF_FLIRTILEANDFUSE
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

//===----------------------------------------------------------------------===//
// What becomes a loop of its own
//===----------------------------------------------------------------------===//

/// An operation on tensors that this pass turns into loops.
static bool isTileable(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics() && linalgOp.getNumLoops() > 0;
  if (!isa<flir::FLIRDialect>(op->getDialect()))
    return false;
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

static bool isSink(Operation *op) { return isa<flir::StoreOp, flir::ScatterOp>(op); }
static bool isRead(Operation *op) { return isa<flir::LoadOp, flir::GatherOp>(op); }

static bool isReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0;
}

static bool writesMemory(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects && effects.hasEffect<MemoryEffects::Write>())
    return true;
  return op->getNumRegions() > 0 && op->walk([](Operation *inner) {
           auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
           return effects && effects.hasEffect<MemoryEffects::Write>() ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
         }).wasInterrupted();
}

/// Reading may move down to `root` when nothing between writes, and, where the
/// root itself writes through the same base, it writes just what is read:
/// then each tile is read before it is written.
static bool mayReadAt(Operation *read, Operation *root) {
  for (Operation *op = read->getNextNode(); op && op != root; op = op->getNextNode())
    if (writesMemory(op))
      return false;
  if (!isSink(root))
    return true;
  auto load = dyn_cast<flir::LoadOp>(read);
  auto store = dyn_cast<flir::StoreOp>(root);
  // Gathers and scatters name no base, so nothing is known.
  if (!load || !store)
    return false;
  if (load.getBase() != store.getBase())
    return true;
  return load.getOffset() == store.getOffset() && load.getMixedStrides() == store.getMixedStrides() &&
         load.getBlockShape() == store.getBlockShape();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class BlockTiler {
public:
  BlockTiler(Block &block, int64_t tile) : block(block), tile(tile), rewriter(block.getParentOp()->getContext()) {}

  LogicalResult run() {
    for (Operation &op : block)
      if (isTileable(&op))
        candidates.push_back(&op);
    findRoots();
    for (Operation *op : candidates)
      if (roots.contains(op) && failed(tileRoot(op)))
        return op->emitError("cannot tile this operation");
    return success();
  }

private:
  /// Sinks and reductions, and whatever is needed as a whole tensor: by an
  /// operation that has no tiles, in a loop of the program, or by a root into
  /// which it cannot be fused.
  void findRoots() {
    for (Operation *op : candidates)
      if (isSink(op) || isReduction(op) || neededWhole(op))
        roots.insert(op);
    // Later operations first: a read that cannot move down to a root has to
    // be kept, and so on upwards.
    for (Operation *op : llvm::reverse(candidates))
      if (!roots.contains(op) && !fusesIntoAllUsers(op))
        roots.insert(op);
  }

  bool neededWhole(Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      if (user->getBlock() == &block)
        return !isTileable(user) || isInit(op, user);
      return true;
    });
  }

  /// True when `user` only overwrites or accumulates into the value.
  static bool isInit(Operation *op, Operation *user) {
    auto destination = dyn_cast<DestinationStyleOpInterface>(user);
    return destination && llvm::any_of(destination.getDpsInits(), [&](Value init) {
             return init.getDefiningOp() == op;
           }) && isReduction(user);
  }

  /// The roots in whose loops the value is computed when it has none itself.
  void reachedRoots(Operation *op, llvm::SmallSetVector<Operation *, 4> &result) {
    for (Operation *user : op->getUsers()) {
      if (roots.contains(user))
        result.insert(user);
      else
        reachedRoots(user, result);
    }
  }

  bool fusesIntoAllUsers(Operation *op) {
    llvm::SmallSetVector<Operation *, 4> reached;
    reachedRoots(op, reached);
    if (isRead(op))
      return llvm::all_of(reached, [&](Operation *root) { return mayReadAt(op, root); });
    if (isCheapToRecompute(op))
      return true;
    // Dear: computed once, so its tile must not be needed in several iterations.
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    return llvm::all_of(reached, [&](Operation *root) {
      return static_cast<int64_t>(cast<TilingInterface>(root).getLoopIteratorTypes().size()) == rank;
    });
  }

  /// Registers' worth of the innermost dimension; of the next ones while the
  /// tile is not filled.
  SmallVector<OpFoldResult> tileSizes(TilingInterface op) {
    SmallVector<Range> domain = op.getIterationDomain(rewriter);
    SmallVector<OpFoldResult> sizes(domain.size(), rewriter.getIndexAttr(1));
    int64_t left = tile;
    for (auto [range, size] : llvm::reverse(llvm::zip_equal(domain, sizes))) {
      int64_t extent = getConstantIntValue(range.size).value_or(1);
      int64_t step = std::min(extent, left);
      size = rewriter.getIndexAttr(step);
      left /= std::max<int64_t>(extent, 1);
      if (left <= 1 || isReduction(op))
        break;
    }
    return sizes;
  }

  scf::SCFTilingOptions tilingOptions(TilingInterface op) {
    scf::SCFTilingOptions options;
    options.setTileSizes(tileSizes(op));
    SmallVector<utils::IteratorType> loops = op.getLoopIteratorTypes();
    if (!isReduction(op))
      return options;
    if (loops.back() == utils::IteratorType::reduction) {
      // A tile of partial results; combined into one after the loop.
      SmallVector<unsigned> reductionDims;
      for (auto [dim, kind] : llvm::enumerate(loops))
        if (kind == utils::IteratorType::reduction)
          reductionDims.push_back(dim);
      options.setReductionTilingStrategy(ReductionTilingStrategy::PartialReductionOuterReduction);
      options.setReductionDims(reductionDims);
    } else {
      // Accumulators stay in registers when the reduction runs innermost.
      SmallVector<int64_t> order;
      for (auto kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
        for (auto [dim, each] : llvm::enumerate(loops))
          if (each == kind)
            order.push_back(dim);
      options.setInterchange(order);
    }
    return options;
  }

  LogicalResult tileRoot(Operation *op) {
    auto root = cast<TilingInterface>(op);
    rewriter.setInsertionPoint(op);
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(rewriter, root, tilingOptions(root));
    if (failed(tiled))
      return failure();
    if (!tiled->loops.empty())
      fuseProducers(op, *tiled);
    rewriter.replaceOp(op, tiled->replacements);
    return success();
  }

  void fuseProducers(Operation *root, scf::SCFTilingResult &tiled) {
    std::deque<Operation *> slices(tiled.generatedSlices.begin(), tiled.generatedSlices.end());
    SmallVector<LoopLikeOpInterface> &loops = tiled.loops;
    while (!slices.empty()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(slices.front());
      slices.pop_front();
      if (!slice)
        continue;
      Operation *producer = slice.getSource().getDefiningOp();
      if (!producer || producer->getBlock() != &block || !isTileable(producer) || roots.contains(producer))
        continue;
      std::optional<scf::SCFFuseProducerOfSliceResult> fused =
          scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
      if (!fused)
        continue;
      slices.insert(slices.end(), fused->generatedSlices.begin(), fused->generatedSlices.end());
      if (!isRead(producer) && !isCheapToRecompute(producer) && isUsedAfter(producer, root))
        keepResult(slice, *fused, loops, slices);
      rewriter.eraseOp(slice);
    }
  }

  /// Another root computes with the producer as well.
  bool isUsedAfter(Operation *producer, Operation *root) {
    llvm::SmallSetVector<Operation *, 4> reached;
    reachedRoots(producer, reached);
    return llvm::any_of(reached, [&](Operation *other) { return other != root; });
  }

  /// The loop also gives the whole of a producer that it computed.
  void keepResult(tensor::ExtractSliceOp slice, scf::SCFFuseProducerOfSliceResult &fused,
                  SmallVector<LoopLikeOpInterface> &loops, std::deque<Operation *> &slices) {
    FailureOr<SmallVector<Operation *>> added =
        scf::yieldReplacementForFusedProducer(rewriter, slice, fused, loops);
    if (failed(added))
      return; // recomputed then: right, only slower
    slices.insert(slices.end(), added->begin(), added->end());
    Operation *producer = fused.origProducer.getOwner();
    ResultRange results = loops.front()->getResults().take_back(producer->getNumResults());
    for (auto [old, kept] : llvm::zip_equal(producer->getResults(), results))
      rewriter.replaceUsesWithIf(old, kept, [&](OpOperand &use) {
        Operation *user = use.getOwner();
        return user->getBlock() == &block && loops.front()->isBeforeInBlock(user);
      });
  }

  Block &block;
  int64_t tile;
  IRRewriter rewriter;
  SmallVector<Operation *> candidates;
  llvm::SetVector<Operation *> roots;
};

struct FLIRTileAndFuse : flagtree::impl::FLIRTileAndFuseBase<FLIRTileAndFuse> {
  using FLIRTileAndFuseBase::FLIRTileAndFuseBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      // The body of a linalg operation holds no tensors.
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    int64_t tile = std::max<int64_t>(1, vectorBytes / 4 * unroll);
    for (Block *block : blocks)
      if (failed(BlockTiler(*block, tile).run()))
        return signalPassFailure();
  }
};

} // namespace
