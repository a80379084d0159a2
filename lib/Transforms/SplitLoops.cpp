// SPDX-License-Identifier: MIT
#include "VersionLoop.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Cost.h"
#include "flagtree/Transforms/LinearForm.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRSPLITLOOPS
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

/// An extent of an access that shrinks with a loop: `bound - iv`.
struct ShrinkingExtent {
  Operation *access;
  int64_t dim;
  Value bound;
};

/// Dimension of each dynamic extent operand.
SmallVector<int64_t> dynamicDims(ArrayRef<int64_t> staticExtents) {
  SmallVector<int64_t> dims;
  for (auto [dim, extent] : llvm::enumerate(staticExtents))
    if (ShapedType::isDynamic(extent))
      dims.push_back(dim);
  return dims;
}

template <typename Op>
void collectFrom(Op access, scf::ForOp loop, int64_t step, SmallVectorImpl<ShrinkingExtent> &found) {
  for (auto [dim, extent] : llvm::zip_equal(dynamicDims(access.getStaticExtents()), access.getExtents())) {
    auto difference = extent.template getDefiningOp<arith::SubIOp>();
    if (difference && difference.getRhs() == loop.getInductionVar() &&
        loop.isDefinedOutsideOfLoop(difference.getLhs()) && access.getBlockShape()[dim] == step)
      found.push_back({access, dim, difference.getLhs()});
  }
}

template <typename Op> void makeFull(Op access, int64_t dim) {
  SmallVector<OpFoldResult> extents = access.getMixedExtents();
  Builder b(access.getContext());
  extents[dim] = b.getIndexAttr(access.getBlockShape()[dim]);
  access.setMixedExtents(extents);
}

/// What `compare` says of each lane when it says whether the lane lies inside
/// of `bound`, where the tile of an iteration starts at the loop's counter.
std::optional<bool> insideMeans(arith::CmpIOp compare, scf::ForOp loop, int64_t step, Value bound) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  bool swapped = predicate == Predicate::sgt || predicate == Predicate::sle;
  bool strict = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (!isa<VectorType>(compare.getLhs().getType()) ||
      (!strict && predicate != Predicate::sle && predicate != Predicate::sge))
    return std::nullopt;
  // `left < right`, or `left >= right`, which is its opposite.
  LinearForm distance;
  distance.add(swapped ? compare.getLhs() : compare.getRhs());
  distance.add(swapped ? compare.getRhs() : compare.getLhs(), -1);
  LinearForm expected;
  expected.add(bound);
  expected.add(loop.getInductionVar(), -1);
  expected.lanes = -1;
  if (distance.laneCount != step || !(distance == expected))
    return std::nullopt;
  return strict;
}

/// Comparisons in the loop's own body that say the same as the extents, with
/// their value inside.
SmallVector<std::pair<arith::CmpIOp, bool>> settledComparisons(scf::ForOp loop, int64_t step, Value bound) {
  SmallVector<std::pair<arith::CmpIOp, bool>> settled;
  loop.walk([&](arith::CmpIOp compare) {
    if (std::optional<bool> inside = insideMeans(compare, loop, step, bound))
      settled.push_back({compare, *inside});
  });
  return settled;
}

void settle(arith::CmpIOp compare, bool value) {
  OpBuilder b(compare);
  auto constant = DenseElementsAttr::get(cast<VectorType>(compare.getType()), value);
  compare.replaceAllUsesWith(arith::ConstantOp::create(b, compare.getLoc(), constant).getResult());
  compare.erase();
}

/// A copy of a loop for tiles outside of the extent: loads give their pad value,
/// stores write nothing, and what follows from one number in all lanes is
/// computed as a scalar, which need not be done for each tile.
class OutsideLoop {
public:
  OutsideLoop(scf::ForOp loop, ArrayRef<ShrinkingExtent> extents) : loop(loop) {
    for (const ShrinkingExtent &extent : extents)
      accesses.insert(extent.access);
  }

  scf::ForOp build(OpBuilder &b, Value lower, ValueRange inits) {
    auto copy = scf::ForOp::create(b, loop.getLoc(), lower, loop.getUpperBound(), loop.getStep(), inits);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copy.getBody());
    map.map(loop.getBody()->getArguments(), copy.getBody()->getArguments());
    for (Operation &op : loop.getBody()->without_terminator())
      cloneOne(b, &op);
    SmallVector<Value> yielded;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      yielded.push_back(vectorOf(b, value));
    if (!yielded.empty()) // else the loop has its terminator already
      scf::YieldOp::create(b, loop.getLoc(), yielded);
    return copy;
  }

private:
  void cloneOne(OpBuilder &b, Operation *op) {
    if (accesses.contains(op)) {
      if (auto load = dyn_cast<flir::LoadOp>(op))
        scalars[load.getResult()] = map.lookupOrDefault(load.getPad());
      return;
    }
    if (op->getNumResults() == 1 && isa<VectorType>(op->getResult(0).getType()) && cloneAsScalar(b, op))
      return;
    for (Value operand : op->getOperands())
      vectorOf(b, operand);
    b.clone(*op, map);
  }

  bool cloneAsScalar(OpBuilder &b, Operation *op) {
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return false;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value scalar = scalarOf(b, operand);
      if (!scalar)
        return false;
      operands.push_back(scalar);
    }
    Type element = cast<VectorType>(op->getResult(0).getType()).getElementType();
    SmallVector<NamedAttribute> attributes(op->getAttrs());
    scalars[op->getResult(0)] =
        b.create(op->getLoc(), op->getName().getIdentifier(), operands, element, attributes)->getResult(0);
    return true;
  }

  /// The number in all lanes of a vector; null when lanes may differ.
  Value scalarOf(OpBuilder &b, Value value) {
    if (!isa<VectorType>(value.getType()))
      return map.lookupOrDefault(value);
    if (Value known = scalars.lookup(value))
      return known;
    DenseElementsAttr constant;
    if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
      return scalars[value] =
                 arith::ConstantOp::create(b, value.getLoc(), constant.getSplatValue<TypedAttr>());
    auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
    if (broadcast && !isa<VectorType>(broadcast.getSourceType()))
      return map.lookupOrDefault(broadcast.getSource());
    return {};
  }

  Value vectorOf(OpBuilder &b, Value value) {
    if (Value scalar = scalars.lookup(value); scalar && !map.contains(value))
      map.map(value, vector::BroadcastOp::create(b, value.getLoc(), value.getType(), scalar).getResult());
    return map.lookupOrDefault(value);
  }

  scf::ForOp loop;
  llvm::SmallPtrSet<Operation *, 4> accesses;
  IRMapping map;
  DenseMap<Value, Value> scalars;
};

class LoopSplitter {
public:
  void split(scf::ForOp loop) {
    scf::ForOp steady = splitOne(loop);
    splitWithin(steady.getRegion());
    if (!isHeavy(steady))
      versionByFixedExtents(steady);
  }

  /// Loops in loops, outer ones first: each part keeps the inner loops.
  void splitWithin(Region &region) {
    SmallVector<scf::ForOp> loops;
    region.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops)
      split(loop);
  }

private:
  static SmallVector<ShrinkingExtent> collect(scf::ForOp loop, int64_t step) {
    SmallVector<ShrinkingExtent> found;
    loop.walk([&](Operation *op) {
      if (auto load = dyn_cast<flir::LoadOp>(op))
        collectFrom(load, loop, step, found);
      else if (auto store = dyn_cast<flir::StoreOp>(op))
        collectFrom(store, loop, step, found);
    });
    return found;
  }

  /// Gives the part in which inner loops are worth being split: few iterations
  /// go through the tails.
  static scf::ForOp splitOne(scf::ForOp loop) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
    std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (lower != 0 || !upper || !step || *upper % *step != 0)
      return loop;
    SmallVector<ShrinkingExtent> extents = collect(loop, *step);
    if (extents.empty())
      return loop;
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
    llvm::SmallSetVector<Value, 4> bounds;
    for (const ShrinkingExtent &extent : extents)
      bounds.insert(extent.bound);
    Value inside = loop.getUpperBound();
    for (Value bound : bounds)
      inside = arith::MinSIOp::create(b, loc, inside, bound);
    inside = arith::MaxSIOp::create(b, loc, inside, number(0));
    bool endsInside =
        bounds.size() == 1 && (storesOnlyInside(loop, extents) || isUndefinedOutside(loop, extents));
    if (isHeavy(loop)) {
      for (const ShrinkingExtent &extent : extents)
        if (auto store = dyn_cast<flir::StoreOp>(extent.access))
          splitStore(store, loop, extent);
      if (endsInside)
        loop.setUpperBound(inside);
      return loop;
    }
    Value full = *step == 1 ? inside
                            : arith::SubIOp::create(b, loc, inside,
                                                    arith::RemUIOp::create(b, loc, inside, number(*step)));

    // The steady part is a copy in front; the loop itself becomes the tail.
    auto steady = cast<scf::ForOp>(b.clone(*loop));
    steady.setUpperBound(full);
    for (const ShrinkingExtent &extent : collect(steady, *step)) {
      if (auto load = dyn_cast<flir::LoadOp>(extent.access))
        makeFull(load, extent.dim);
      else
        makeFull(cast<flir::StoreOp>(extent.access), extent.dim);
    }
    for (Value bound : bounds)
      for (auto [compare, inside] : settledComparisons(steady, *step, bound))
        settle(compare, inside);
    if (endsInside) {
      ValueRange results = steady.getResults();
      if (*step > 1)
        results = once(b, loop, full, inside, results).getResults();
      loop.replaceAllUsesWith(results);
      loop.erase();
      return steady;
    }
    if (bounds.size() == 1 && *step > 1 && allPadded(loop, extents)) {
      // The tile that the extent cuts, then those that lie outside of it.
      scf::IfOp partial = once(b, loop, full, inside, steady.getResults());
      Value next = arith::AddIOp::create(b, loc, full, number(*step));
      Value cut = arith::SelectOp::create(b, loc, partial.getCondition(), next, full);
      for (auto [compare, inside] : settledComparisons(loop, *step, bounds.front()))
        settle(compare, !inside);
      scf::ForOp outside = OutsideLoop(loop, extents).build(b, cut, partial.getResults());
      loop.replaceAllUsesWith(outside.getResults());
      loop.erase();
      return steady;
    }
    loop.setLowerBound(full);
    loop.getInitArgsMutable().assign(steady.getResults());
    return steady;
  }

  /// A store with and one without a mask, where the loop is not split: writing
  /// under a mask is slow on some processors.
  static void splitStore(flir::StoreOp store, scf::ForOp loop, const ShrinkingExtent &extent) {
    OpBuilder b(store);
    Location loc = store.getLoc();
    Value end = arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
    Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end, extent.bound);
    auto branch = scf::IfOp::create(b, loc, whole, /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.elseBlock());
    b.clone(*store);
    store->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
    makeFull(store, extent.dim);
  }

  /// Where much is computed for each element, masks cost little beside it, and
  /// a second copy takes the compiler as long as all the rest.
  static bool isHeavy(scf::ForOp loop) {
    constexpr unsigned mostWork = 96;
    unsigned work = 0;
    WalkResult nested = loop.getBody()->walk([&](Operation *op) {
      if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>))
        work += costOf(op);
      return isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !nested.wasInterrupted() && work > mostWork;
  }

  /// A copy of the loop for at most one iteration, which starts at `lower`.
  static scf::IfOp once(OpBuilder &b, scf::ForOp loop, Value lower, Value upper, ValueRange inits) {
    Location loc = loop.getLoc();
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
    auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), any, /*addThenBlock=*/true,
                                    /*addElseBlock=*/!inits.empty());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    IRMapping map;
    map.map(loop.getInductionVar(), lower);
    map.map(loop.getRegionIterArgs(), inits);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, map);
    SmallVector<Value> values;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      values.push_back(map.lookupOrDefault(value));
    scf::YieldOp::create(b, loc, values);
    if (inits.empty())
      return branch;
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, inits);
    return branch;
  }

  static bool allPadded(scf::ForOp loop, ArrayRef<ShrinkingExtent> extents) {
    return llvm::all_of(extents, [&](const ShrinkingExtent &extent) {
      if (extent.access->getParentOp() != loop)
        return false;
      auto load = dyn_cast<flir::LoadOp>(extent.access);
      return !load || (load.getPad() && isa<VectorType>(load.getType()));
    });
  }

  /// Past the extent nothing happens when the loop gives no value and all
  /// that it does is to store inside of it.
  static bool storesOnlyInside(scf::ForOp loop, ArrayRef<ShrinkingExtent> extents) {
    if (loop.getNumResults() != 0)
      return false;
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      bool bounded =
          llvm::any_of(extents, [&](const ShrinkingExtent &extent) { return extent.access == op; });
      if (effects && effects.hasEffect<MemoryEffects::Write>() && !bounded)
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  /// Past the extent the loop writes blocks only, with values that come from
  /// loads without padding: nobody asks for them.
  static bool isUndefinedOutside(scf::ForOp loop, ArrayRef<ShrinkingExtent> extents) {
    llvm::SmallPtrSet<Value, 8> undefined;
    for (const ShrinkingExtent &extent : extents) {
      auto load = dyn_cast<flir::LoadOp>(extent.access);
      if (!load || load.getPad())
        return false;
      undefined.insert(load.getResult());
    }
    bool isDefined = !llvm::all_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>);
    loop.getBody()->walk([&](Operation *op) {
      auto isUndefined = [&](Value operand) { return undefined.contains(operand); };
      if (auto write = dyn_cast<vector::TransferWriteOp>(op))
        isDefined |= !isUndefined(write.getValueToStore());
      else if (isa<scf::ForOp>(op))
        isDefined |= !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
      else if (isa<scf::YieldOp, flir::LoadOp>(op))
        return;
      else if (!isPure(op) || llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        isDefined = true;
      else if (OpTrait::hasElementwiseMappableTraits(op) && !isa<arith::SelectOp>(op) &&
               llvm::any_of(op->getOperands(), isUndefined))
        undefined.insert_range(op->getResults());
    });
    return !isDefined && !undefined.empty();
  }
};

struct FLIRSplitLoops : flagtree::impl::FLIRSplitLoopsBase<FLIRSplitLoops> {
  void runOnOperation() override { LoopSplitter().splitWithin(getOperation().getBody()); }
};

} // namespace
