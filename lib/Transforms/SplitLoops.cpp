// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

template <typename Op>
void makeFull(Op access, int64_t dim) {
  SmallVector<OpFoldResult> extents = access.getMixedExtents();
  Builder b(access.getContext());
  extents[dim] = b.getIndexAttr(access.getBlockShape()[dim]);
  SmallVector<int64_t> numbers;
  SmallVector<Value> operands;
  dispatchIndexOpFoldResults(extents, operands, numbers);
  access.getExtentsMutable().assign(operands);
  access.setStaticExtents(numbers);
}

class LoopSplitter {
public:
  void split(scf::ForOp loop) {
    SmallVector<scf::ForOp> parts = splitOne(loop);
    for (scf::ForOp part : parts)
      splitWithin(part.getRegion());
  }

  /// Loops in loops, outer ones first: both parts keep the inner loops.
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

  static SmallVector<scf::ForOp> splitOne(scf::ForOp loop) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
    std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (lower != 0 || !upper || !step || *upper % *step != 0)
      return {loop};
    SmallVector<ShrinkingExtent> extents = collect(loop, *step);
    if (extents.empty())
      return {loop};

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
    loop.setLowerBound(full);
    loop.getInitArgsMutable().assign(steady.getResults());
    if (bounds.size() == 1 && storesOnlyInside(loop, extents)) {
      if (*step == 1) {
        loop.erase();
        return {steady};
      }
      loop.setUpperBound(inside);
    }
    return {steady, loop};
  }

  /// Past the extent nothing happens when the loop gives no value and all
  /// that it does is to store inside of it.
  static bool storesOnlyInside(scf::ForOp loop, ArrayRef<ShrinkingExtent> extents) {
    if (loop.getNumResults() != 0)
      return false;
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      bool bounded = llvm::any_of(extents, [&](const ShrinkingExtent &extent) { return extent.access == op; });
      if (effects && effects.hasEffect<MemoryEffects::Write>() && !bounded)
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !result.wasInterrupted();
  }
};

struct FLIRSplitLoops : flagtree::impl::FLIRSplitLoopsBase<FLIRSplitLoops> {
  void runOnOperation() override { LoopSplitter().splitWithin(getOperation().getBody()); }
};

} // namespace
