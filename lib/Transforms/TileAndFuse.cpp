// SPDX-License-Identifier: MIT
#include "Contiguity.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Hints/Backup.h"
#include "flagtree/Hints/Hints.h"
#include "flagtree/Support/Hardware.h"
#include "flagtree/Transforms/Cost.h"
#include "flagtree/Transforms/Passes.h"

#include "FuseScans.h"
#include "ReadMotion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
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
  if (isa<linalg::ContractionOpInterface>(op))
    return false; // the backend's: its operands and result exist as a whole
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics() && linalgOp.getNumLoops() > 0;
  return isa<TilingInterface>(op) && flir::isOnTensors(op);
}

static bool isSink(Operation *op) { return isa<flir::StoreOp, flir::ScatterOp>(op) || flir::isAtomic(op); }
static bool isRead(Operation *op) { return isa<flir::LoadOp, flir::GatherOp>(op); }

static bool isReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return isa<flir::ReduceOp>(op) || (linalgOp && linalgOp.getNumReductionLoops() > 0);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// Elements of a tile. Accumulators of a reduction hide each other's latency;
/// a loop that streams through memory gains nothing from more than a cache
/// line of each array, and longer runs through one array slow prefetching down.
struct TileShape {
  int64_t reduction, streaming;
  int64_t vectorBytes;

  /// Rows and columns of a tile that is transposed in registers, each row in one.
  int64_t square(int64_t elementBytes) const {
    constexpr int64_t mostRows = 16;
    return std::clamp<int64_t>(vectorBytes / elementBytes, 1, mostRows);
  }
};

/// Functions that only stream through memory are compiled for registers of at
/// most 256 bits: wider ones bring nothing there, and on Zen 4 their stores
/// cost a tenth of the bandwidth.
void limitVectorWidth(func::FuncOp function) {
  WalkResult computes = function.walk([](Operation *op) {
    return hasDearOperation(op) || isReduction(op) || isa<flir::ScanOp>(op) ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
  });
  if (computes.wasInterrupted())
    return;
  Builder b(function.getContext());
  function->setAttr("passthrough", b.getArrayAttr({b.getStrArrayAttr({"prefer-vector-width", "256"}),
                                                   b.getStrArrayAttr({"min-legal-vector-width", "0"})}));
}

/// Notes how many bytes one program stores, as far as its blocks tell.
void noteStoredBytes(func::FuncOp function) {
  int64_t bytes = 0;
  function.walk([&](flir::StoreOp store) {
    if (auto type = dyn_cast<RankedTensorType>(store.getBlockType()))
      bytes += type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  });
  if (bytes > 0)
    function->setAttr("flir.stored_bytes", Builder(function.getContext()).getI64IntegerAttr(bytes));
}

class BlockTiler {
public:
  BlockTiler(Block &block, TileShape shape, ReadMotion &motion)
      : block(block), shape(shape), motion(motion), rewriter(block.getParentOp()->getContext()) {}

  LogicalResult run() {
    findRoots();
    for (Operation &op : block)
      if (isTileable(&op))
        candidates.push_back(&op);
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
    SmallVector<Operation *> operations;
    for (Operation &op : block)
      if (isTileable(&op))
        operations.push_back(&op);
    for (Operation *op : operations)
      if (isSink(op) || isReduction(op) || (neededWhole(op) && !isa<flir::ScanOp>(op)))
        roots.insert(op);
    // Later operations first: a read that cannot move down to a root has to
    // be kept, and so on upwards.
    for (Operation *op : llvm::reverse(operations)) {
      if (auto scan = dyn_cast<flir::ScanOp>(op)) {
        if (neededWhole(op) || !fusesScan(scan))
          addScanTo(keepScan(rewriter, scan), scan);
      } else if (!roots.contains(op) && !fusesIntoAllUsers(op)) {
        roots.insert(op);
      }
    }
  }

  /// A scan is computed where it is stored, as long as each element stays in
  /// its place and all scans in one loop run along the same axis.
  bool fusesScan(flir::ScanOp scan) {
    llvm::SmallSetVector<Operation *, 4> reached = reachedRoots(scan);
    if (reached.size() != 1)
      return false;
    Operation *root = reached.front();
    if (!isSink(root) && !scans.contains(root))
      return false;
    if (!llvm::all_of(scan.getResults(), [&](Value result) { return keepsPlaces(result, root); }))
      return false;
    flir::ScanOp other = scans.lookup(root);
    if (other && (other.getAxis() != scan.getAxis() || other.getReverse() != scan.getReverse()))
      return false;
    scans[root] = scan;
    return true;
  }

  void addScanTo(Operation *root, flir::ScanOp scan) {
    roots.insert(root);
    scans[root] = scan;
  }

  bool neededWhole(Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      if (user->getBlock() == &block)
        return !isTileable(user) || isInit(op, user) || carriesOver(user);
      return true;
    });
  }

  /// True for the copy that puts a value into the buffer a loop carries. What
  /// it copies may be computed from that buffer, hence before, as a whole.
  static bool carriesOver(Operation *user) {
    auto copy = dyn_cast<linalg::CopyOp>(user);
    return copy && isa<BlockArgument>(copy.getOutputs()[0]);
  }

  /// True when `user` only overwrites or accumulates into the value.
  static bool isInit(Operation *op, Operation *user) {
    auto destination = dyn_cast<DestinationStyleOpInterface>(user);
    return destination &&
           llvm::any_of(destination.getDpsInits(), [&](Value init) { return init.getDefiningOp() == op; }) &&
           isReduction(user);
  }

  /// The roots in whose loops the value is computed when it has none itself.
  llvm::SmallSetVector<Operation *, 4> reachedRoots(Operation *op) {
    llvm::SmallSetVector<Operation *, 4> result;
    llvm::SmallPtrSet<Operation *, 16> seen{op};
    SmallVector<Operation *> work{op};
    while (!work.empty())
      for (Operation *user : work.pop_back_val()->getUsers()) {
        if (roots.contains(user))
          result.insert(user);
        else if (seen.insert(user).second)
          work.push_back(user);
      }
    return result;
  }

  bool fusesIntoAllUsers(Operation *op) {
    // An exchange reads two places: what it reads is computed once.
    if (!isRead(op) && llvm::any_of(op->getUsers(), llvm::IsaPred<flir::XorShuffleOp>))
      return false;
    llvm::SmallSetVector<Operation *, 4> reached = reachedRoots(op);
    if (isRead(op))
      return llvm::all_of(reached, [&](Operation *root) { return motion.mayReadAt(op, root); });
    if (isCheapToRecompute(op))
      return true;
    // Dear: computed once, so its tile must not be needed in several iterations.
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    return llvm::all_of(reached, [&](Operation *root) {
      return static_cast<int64_t>(cast<TilingInterface>(root).getLoopIteratorTypes().size()) == rank;
    });
  }

  /// Registers' worth of the innermost dimension; of the next ones while the
  /// tile is not filled. Of memory that is read along one dimension and written
  /// along another, as many rows as columns.
  SmallVector<int64_t> fullTile(Operation *root, ArrayRef<int64_t> domain,
                                std::optional<ContiguousLoop> contiguous) {
    SmallVector<int64_t> sizes(domain.size(), 1);
    if (contiguous && contiguous->transposes) {
      int64_t side = shape.square(contiguous->elementBytes);
      sizes.back() = std::min(domain.back(), side);
      sizes[contiguous->loop] = std::min(domain[contiguous->loop], side);
      return sizes;
    }
    unsigned first = contiguous ? contiguous->loop : domain.size() - 1;
    int64_t along = domain.empty() ? 1 : domain[first];
    return fullTile(domain, hintedTile(root, along, /*reduces=*/false, streamingTile(root)), first);
  }
  static SmallVector<int64_t> fullTile(ArrayRef<int64_t> domain, int64_t left, int64_t first) {
    SmallVector<int64_t> sizes(domain.size(), 1);
    auto take = [&](int64_t dim) {
      if (left <= 1)
        return;
      sizes[dim] = std::min(domain[dim], left);
      left /= std::max<int64_t>(domain[dim], 1);
    };
    if (!domain.empty())
      take(first);
    for (int64_t dim = domain.size() - 1; dim >= 0; --dim)
      if (dim != first)
        take(dim);
    return sizes;
  }

  /// How a root becomes loops. A reduction along the innermost dimension runs
  /// in a nest of its own inside of the loops over the others.
  struct Plan {
    SmallVector<int64_t> sizes; // 0: not tiled
    SmallVector<int64_t> order;
    SmallVector<unsigned> partialDims;
    bool nested = false;
    bool leave = false; // a register tile already
  };

  /// The root, or what is computed in its loop, of which `holds` is true; null when nothing is.
  Operation *findInLoop(Operation *root, llvm::function_ref<bool(Operation *)> holds) {
    SmallVector<Operation *> work{root};
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      if (holds(op))
        return op;
      for (Value operand : op->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && producer->getBlock() == &block && isTileable(producer) && !roots.contains(producer) &&
            seen.insert(producer).second)
          work.push_back(producer);
      }
    }
    return nullptr;
  }

  /// True when functions of math are computed on the way to the root.
  bool isDear(Operation *root) { return findInLoop(root, hasDearOperation); }

  /// Where functions of math are computed on the way, their chains fill the
  /// pipeline and their registers are many: half as much is better, and code
  /// half as long compiles faster.
  int64_t reductionTile(Operation *root) {
    return isDear(root) ? std::max<int64_t>(1, shape.reduction / 2) : shape.reduction;
  }

  /// One register's chain of functions of math leaves the units idle: two chains
  /// take turns.
  int64_t streamingTile(Operation *root) {
    return isDear(root) ? std::max(shape.streaming, shape.reduction / 2) : shape.streaming;
  }

  /// The elements of a tile that the hint `vectorize` asks for, on the root, on
  /// what it reads or on the loop around; `otherwise` where none does or can.
  int64_t hintedTile(Operation *root, int64_t along, bool reduces, int64_t otherwise) {
    constexpr llvm::StringLiteral vectorize = "vectorize";
    Operation *op = findInLoop(root, [&](Operation *op) { return bool(hints::hintOf(op, vectorize)); });
    op = op ? op : block.getParentOp();
    flir::HintAttr hint = hints::hintOf(op, vectorize);
    if (!hint)
      return otherwise;
    Type type = root->getNumResults() > 0 ? root->getResult(0).getType() : root->getOperand(0).getType();
    Type element = getElementTypeOrSelf(type);
    int64_t bytes = element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 8;
    int64_t wanted = hint.getNumber(0).value_or(std::max<int64_t>(1, shape.vectorBytes / bytes));
    hints::Result result{hints::Outcome::Applied, "tiles of " + std::to_string(wanted) + " elements"};
    if (reduces)
      result = {hints::Outcome::Failed, "numbers would be added up in another order"};
    else if (wanted < 1 || along % wanted != 0)
      result = {hints::Outcome::Failed, "a block of " + std::to_string(along) + " elements has no tiles of " +
                                            std::to_string(wanted)};
    hints::note(op->getParentOfType<func::FuncOp>(), "flir-tile-and-fuse", op->getLoc(), hint.getText(),
                result);
    return result.outcome == hints::Outcome::Applied ? wanted : otherwise;
  }

  Plan plan(TilingInterface op) {
    Plan plan;
    SmallVector<int64_t> domain;
    for (Range range : op.getIterationDomain(rewriter))
      domain.push_back(getConstantIntValue(range.size).value_or(1));
    SmallVector<utils::IteratorType> loops = op.getLoopIteratorTypes();
    if (flir::ScanOp scan = scans.lookup(op))
      return planScan(scan, domain);
    if (auto reduce = dyn_cast<flir::ReduceOp>(op.getOperation()))
      return planCombine(reduce, domain);
    std::optional<ContiguousLoop> contiguous = findContiguousLoop(op, [&](Operation *producer) {
      return producer->getBlock() == &block && isTileable(producer) && !roots.contains(producer);
    });
    if (!isReduction(op)) {
      plan.sizes = fullTile(op, domain, contiguous);
      return plan;
    }
    auto isParallel = [&](unsigned dim) { return loops[dim] == utils::IteratorType::parallel; };
    plan.sizes.assign(domain.size(), 1);
    unsigned vectorDim = contiguous ? contiguous->loop : domain.size() - 1;
    int64_t wanted = hintedTile(op, domain[vectorDim], /*reduces=*/true, reductionTile(op));
    plan.sizes[vectorDim] = std::min(wanted, domain[vectorDim]);
    if (isParallel(vectorDim)) {
      // Accumulators stay in registers when the reduction runs innermost.
      for (bool parallel : {true, false})
        for (unsigned dim = 0; dim < domain.size(); ++dim)
          if (isParallel(dim) == parallel)
            plan.order.push_back(dim);
      return plan;
    }
    for (unsigned dim = 0; dim < domain.size(); ++dim)
      plan.nested |= isParallel(dim) && domain[dim] > 1;
    for (unsigned dim = 0; dim < domain.size(); ++dim) {
      if (isParallel(dim) != plan.nested)
        plan.sizes[dim] = 0;
      else if (!plan.nested)
        plan.partialDims.push_back(dim); // a tile of partial results, combined after the loop
    }
    return plan;
  }

  /// The axis runs innermost: what was combined is carried from tile to tile.
  Plan planScan(flir::ScanOp scan, ArrayRef<int64_t> domain) {
    Plan plan;
    auto axis = static_cast<int64_t>(scan.getAxis()), last = static_cast<int64_t>(domain.size()) - 1;
    plan.sizes.assign(domain.size(), 1);
    plan.sizes.back() = std::min(axis == last ? shape.reduction : shape.streaming, domain.back());
    for (int64_t dim = 0; dim <= last; ++dim)
      if (dim != axis)
        plan.order.push_back(dim);
    plan.order.push_back(axis);
    return plan;
  }

  /// Along an innermost axis a tile of partial results; along others, and
  /// along short ones, a tile of what lies across.
  Plan planCombine(flir::ReduceOp reduce, ArrayRef<int64_t> domain) {
    Plan plan;
    auto axis = static_cast<int64_t>(reduce.getAxis()), last = static_cast<int64_t>(domain.size()) - 1;
    constexpr int64_t shortAxis = 8;
    SmallVector<int64_t> across(domain);
    across[axis] = 1;
    bool isShort = domain[axis] <= shortAxis;
    if (axis != last || isShort)
      across = fullTile(across, isShort ? shape.reduction / domain[axis] : shape.reduction, last);
    else
      across.assign(domain.size(), 1);
    across[axis] = 0;
    plan.sizes = across;
    for (int64_t dim = 0; dim <= last; ++dim)
      plan.nested |= dim != axis && across[dim] < domain[dim];
    if (plan.nested)
      return plan;
    plan.leave = isShort;
    plan.sizes.assign(domain.size(), 0);
    plan.sizes[axis] = axis == last ? std::min(reductionTile(reduce), domain[axis]) : 1;
    plan.partialDims.push_back(axis);
    return plan;
  }

  static scf::SCFTilingOptions tilingOptions(Builder &b, const Plan &plan) {
    scf::SCFTilingOptions options;
    options.setTileSizes(getAsIndexOpFoldResult(b.getContext(), plan.sizes));
    if (!plan.order.empty())
      options.setInterchange(plan.order);
    if (!plan.partialDims.empty()) {
      options.setReductionTilingStrategy(ReductionTilingStrategy::PartialReductionOuterReduction);
      options.setReductionDims(plan.partialDims);
    }
    return options;
  }

  LogicalResult tileRoot(Operation *op) {
    auto root = cast<TilingInterface>(op);
    rewriter.setInsertionPoint(op);
    Plan plan = this->plan(root);
    if (plan.leave) {
      roots.remove(op);
      return success();
    }
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(rewriter, root, tilingOptions(rewriter, plan));
    if (failed(tiled))
      return failure();
    if (!plan.partialDims.empty())
      offsetIndices(plan, *tiled);
    if (flir::ScanOp scan = scans.lookup(op); scan && scan.getReverse())
      runBackwards(rewriter, tiled->loops, scan.getAxisSize(), plan.sizes[scan.getAxis()]);
    if (!tiled->loops.empty())
      fuseProducers(op, *tiled);
    // A loop that gives further values is a new one: take its results now.
    if (!tiled->loops.empty() && tiled->mergeOps.empty())
      llvm::copy(tiled->loops.front()->getResults().take_front(op->getNumResults()),
                 tiled->replacements.begin());
    roots.remove(op);
    rewriter.replaceOp(op, tiled->replacements);
    if (!plan.nested)
      return success();
    auto innermost = cast<scf::ForOp>(tiled->loops.back());
    return BlockTiler(*innermost.getBody(), shape, motion).run();
  }

  /// Tiling into partial results leaves `linalg.index` counting from 0 in each tile.
  void offsetIndices(const Plan &plan, scf::SCFTilingResult &tiled) {
    SmallVector<OpFoldResult> offsets;
    auto loop = tiled.loops.begin();
    for (int64_t size : plan.sizes)
      offsets.push_back(size == 0 ? OpFoldResult(rewriter.getIndexAttr(0))
                                  : OpFoldResult(cast<scf::ForOp>(*loop++).getInductionVar()));
    for (Operation *op : tiled.tiledOps)
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        linalg::offsetIndices(rewriter, linalgOp, offsets);
  }

  void fuseProducers(Operation *root, scf::SCFTilingResult &tiled) {
    std::deque<Operation *> slices(tiled.generatedSlices.begin(), tiled.generatedSlices.end());
    SmallVector<tensor::ExtractSliceOp> ofScans;
    SmallVector<LoopLikeOpInterface> &loops = tiled.loops;
    while (true) {
      SmallVector<tensor::ExtractSliceOp> same = takeLast(slices, ofScans);
      if (same.empty()) {
        if (!fuseLastScan(ofScans, loops, slices))
          return;
        continue;
      }
      tensor::ExtractSliceOp slice = same.front();
      Operation *producer = slice.getSource().getDefiningOp();
      std::optional<scf::SCFFuseProducerOfSliceResult> fused =
          scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
      if (!fused)
        continue;
      for (tensor::ExtractSliceOp other : ArrayRef(same).drop_front())
        rewriter.replaceOp(other, fused->tiledAndFusedProducer);
      slices.insert(slices.end(), fused->generatedSlices.begin(), fused->generatedSlices.end());
      if (!isRead(producer) && !isCheapToRecompute(producer) && isUsedAfter(producer, root))
        keepResult(slice, *fused, loops, slices);
      rewriter.eraseOp(slice);
    }
  }

  /// Takes out the slices of the last producer in the block that are the same
  /// tile of it, the first one in front. All that uses this producer in the
  /// loop has been fused before, so each tile is computed once. Slices of what
  /// is not fused are dropped, those of scans set aside.
  SmallVector<tensor::ExtractSliceOp> takeLast(std::deque<Operation *> &slices,
                                               SmallVector<tensor::ExtractSliceOp> &ofScans) {
    SmallVector<tensor::ExtractSliceOp> same;
    std::deque<Operation *> kept;
    for (Operation *op : slices) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      Operation *producer = slice ? slice.getSource().getDefiningOp() : nullptr;
      if (!producer || producer->getBlock() != &block || !isTileable(producer) || roots.contains(producer))
        continue;
      if (isa<flir::ScanOp>(producer)) {
        ofScans.push_back(slice);
        continue;
      }
      kept.push_back(slice);
      if (same.empty() || same.front().getSource().getDefiningOp()->isBeforeInBlock(producer))
        same.assign(1, slice);
    }
    slices.clear();
    if (same.empty())
      return same;
    tensor::ExtractSliceOp last = same.front();
    same.clear();
    for (Operation *op : kept) {
      auto slice = cast<tensor::ExtractSliceOp>(op);
      if (slice.getSource() == last.getSource() && slice->getBlock() == last->getBlock() &&
          slice.getType() == last.getType() && slice.getMixedOffsets() == last.getMixedOffsets() &&
          slice.getMixedSizes() == last.getMixedSizes())
        same.push_back(slice);
      else
        slices.push_back(slice);
    }
    llvm::sort(same,
               [](tensor::ExtractSliceOp a, tensor::ExtractSliceOp b) { return a->isBeforeInBlock(b); });
    return same;
  }

  /// Fuses the last scan of the block that slices are taken of, when all that
  /// uses it has been fused. False when there is none.
  bool fuseLastScan(SmallVector<tensor::ExtractSliceOp> &ofScans, SmallVector<LoopLikeOpInterface> &loops,
                    std::deque<Operation *> &slices) {
    if (ofScans.empty())
      return false;
    auto scanOf = [](tensor::ExtractSliceOp slice) {
      return slice.getSource().getDefiningOp<flir::ScanOp>();
    };
    flir::ScanOp last = scanOf(ofScans.front());
    for (tensor::ExtractSliceOp slice : ofScans)
      if (last->isBeforeInBlock(scanOf(slice)))
        last = scanOf(slice);
    SmallVector<tensor::ExtractSliceOp> mine;
    llvm::erase_if(ofScans, [&](tensor::ExtractSliceOp slice) {
      bool take = scanOf(slice) == last &&
                  (mine.empty() || (slice.getMixedOffsets() == mine.front().getMixedOffsets() &&
                                    slice.getMixedSizes() == mine.front().getMixedSizes()));
      if (take)
        mine.push_back(slice);
      return take;
    });
    llvm::sort(mine, [](auto a, auto b) { return a->isBeforeInBlock(b); });
    FailureOr<SmallVector<Operation *>> sources = fuseScan(rewriter, last, mine, loops);
    if (succeeded(sources))
      slices.insert(slices.end(), sources->begin(), sources->end());
    return succeeded(sources) || fuseLastScan(ofScans, loops, slices);
  }

  /// Another root computes with the producer as well.
  bool isUsedAfter(Operation *producer, Operation *root) {
    return llvm::any_of(reachedRoots(producer), [&](Operation *other) { return other != root; });
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
  TileShape shape;
  ReadMotion &motion;
  IRRewriter rewriter;
  SmallVector<Operation *> candidates;
  llvm::SetVector<Operation *> roots;
  DenseMap<Operation *, flir::ScanOp> scans; // a scan that is fused into a root
};

/// Lets an elementwise operation that reads `carried` in its own order write
/// there, reading the old value as its output operand.
bool accumulateInto(IRRewriter &rewriter, linalg::GenericOp generic, Value carried) {
  if (generic.getNumResults() != 1 || generic.getNumReductionLoops() != 0)
    return false;
  OpOperand *init = generic.getDpsInitOperand(0);
  if (generic.payloadUsesValueFromOperand(init) || init->get().getType() != carried.getType())
    return false;
  OpOperand *input = nullptr;
  for (OpOperand *operand : generic.getDpsInputOperands()) {
    if (operand->get() != carried)
      continue;
    if (input || generic.getMatchingIndexingMap(operand) != generic.getMatchingIndexingMap(init))
      return false;
    input = operand;
  }
  // Every other use would see the new value too early.
  if (!input || !carried.hasOneUse())
    return false;
  SmallVector<Value> inputs(generic.getInputs());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  unsigned position = input->getOperandNumber();
  inputs.erase(inputs.begin() + position);
  maps.erase(maps.begin() + position);
  rewriter.setInsertionPoint(generic);
  auto inPlace = linalg::GenericOp::create(rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
                                           ValueRange{carried}, maps, generic.getIteratorTypesArray());
  Block *body = generic.getBody();
  body->getArgument(position).replaceAllUsesWith(body->getArguments().back());
  body->eraseArgument(position);
  inPlace.getRegion().takeBody(generic.getRegion());
  rewriter.replaceOp(generic, inPlace);
  return true;
}

/// Lets `value`, used in `block` only, be made in the buffer of `carried`; false
/// when it cannot be, and then nothing has changed.
bool makeInPlace(IRRewriter &rewriter, Value value, Value carried, Block *block) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || op->getBlock() != block)
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return accumulateInto(rewriter, generic, carried);
  // A part that is put back: whoever else reads the old value does so before.
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getDest() == carried;
  if (!isa<linalg::ContractionOpInterface>(op))
    return false;
  Value init = cast<linalg::LinalgOp>(op).getDpsInits()[0];
  return init == carried ? carried.hasOneUse() : makeInPlace(rewriter, init, carried, block);
}

/// True for what an inner loop makes of `carried` in its own buffer.
bool isUpdateByLoop(Value value, Value carried) {
  auto loop = value.getDefiningOp<scf::ForOp>();
  return loop && carried.hasOneUse() && loop.getTiedLoopInit(cast<OpResult>(value))->get() == carried;
}

/// True when the value may lie in a carried buffer itself.
bool mayLieInCarried(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || (op->getNumRegions() > 0 && !isa<linalg::LinalgOp>(op));
}

/// Tensors that a loop carries stay in one buffer each: a new value is computed
/// in place where it is an elementwise function of the old one, else copied
/// there at the end of the iteration, when nothing reads the old one any more.
void carryInPlace(Operation *terminator, MutableArrayRef<OpOperand> values, Block::BlockArgListType carried) {
  IRRewriter rewriter(terminator->getContext());
  SmallVector<std::pair<OpOperand *, Value>> copies;
  for (auto [value, argument] : llvm::zip(values, carried)) {
    if (!isa<RankedTensorType>(value.get().getType()) || value.get() == argument ||
        value.get().getType() != argument.getType() || isUpdateByLoop(value.get(), argument))
      continue;
    if (makeInPlace(rewriter, value.get(), argument, terminator->getBlock()))
      continue;
    copies.push_back({&value, argument});
  }
  rewriter.setInsertionPoint(terminator);
  // Values that lie in a carried buffer themselves are put aside first: the
  // copies that follow may overwrite it.
  for (auto [value, argument] : copies)
    if (mayLieInCarried(value->get())) {
      auto type = cast<RankedTensorType>(argument.getType());
      Location loc = terminator->getLoc();
      Value aside = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
      value->set(linalg::CopyOp::create(rewriter, loc, value->get(), aside).getResult(0));
    }
  for (auto [value, argument] : copies)
    value->set(linalg::CopyOp::create(rewriter, terminator->getLoc(), value->get(), argument).getResult(0));
}

void carryInPlace(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      Operation *yield = loop.getBody()->getTerminator();
      carryInPlace(yield, yield->getOpOperands(), loop.getRegionIterArgs());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto condition = loop.getConditionOp();
      carryInPlace(condition, condition.getArgsMutable(), loop.getBeforeArguments());
      Operation *yield = loop.getYieldOp();
      carryInPlace(yield, yield->getOpOperands(), loop.getAfterArguments());
    }
  });
}

struct FLIRTileAndFuse : flagtree::impl::FLIRTileAndFuseBase<FLIRTileAndFuse> {
  using FLIRTileAndFuseBase::FLIRTileAndFuseBase;

  void runOnOperation() override {
    carryInPlace(getOperation());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      // The body of a linalg operation holds no tensors.
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    Hardware hardware(getOperation());
    int64_t lanes = std::max<int64_t>(1, hardware.vectorBytes() / 4);
    TileShape shape{lanes * unroll, std::min(lanes * unroll, hardware.cacheLineBytes() / 4),
                    hardware.vectorBytes()};
    limitVectorWidth(getOperation());
    noteStoredBytes(getOperation());
    ReadMotion motion(distinctArguments);
    for (Block *block : blocks)
      if (failed(BlockTiler(*block, shape, motion).run()))
        return signalPassFailure();
    motion.note(getOperation());
  }
};

} // namespace
