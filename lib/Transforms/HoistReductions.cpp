// SPDX-License-Identifier: MIT
#include "HoistReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static std::optional<vector::CombiningKind> kindOf(Operation *combiner) {
  using Kind = vector::CombiningKind;
  return TypeSwitch<Operation *, std::optional<Kind>>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default(std::nullopt);
}

static bool isNeutral(Attribute value, Operation *combiner) {
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(value); elements && elements.isSplat())
    value = elements.getSplatValue<Attribute>();
  auto number = dyn_cast_or_null<FloatAttr>(value);
  if (number && isa<arith::AddFOp>(combiner))
    return number.getValue().isZero();
  return value && arith::getNeutralElement(combiner) == value;
}

static bool isNeutral(Value value, Operation *combiner) {
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) && isNeutral(constant, combiner);
}

namespace {
/// `combiner` combines what the loop carries with the lanes of a vector.
struct CarriedReduction {
  BlockArgument carried;
  Operation *combiner;
  vector::ReductionOp reduction;
};
} // namespace

static std::optional<CarriedReduction> match(scf::ForOp loop, BlockArgument carried) {
  if (!carried.hasOneUse())
    return std::nullopt;
  Operation *combiner = *carried.user_begin();
  std::optional<vector::CombiningKind> kind = kindOf(combiner);
  if (!kind || combiner->getBlock() != loop.getBody() || !combiner->hasOneUse() ||
      loop.getTiedLoopYieldedValue(carried)->get() != combiner->getResult(0))
    return std::nullopt;
  Value other = combiner->getOperand(combiner->getOperand(0) == carried ? 1 : 0);
  auto reduction = other.getDefiningOp<vector::ReductionOp>();
  if (!reduction || reduction.getKind() != *kind || !reduction->hasOneUse() ||
      reduction->getBlock() != loop.getBody() ||
      (reduction.getAcc() && !isNeutral(reduction.getAcc(), combiner)))
    return std::nullopt;
  return CarriedReduction{carried, combiner, reduction};
}

/// Gives the loop that takes the place of `loop`.
static scf::ForOp hoist(IRRewriter &rewriter, scf::ForOp loop, const CarriedReduction &found) {
  vector::ReductionOp reduction = found.reduction;
  Location loc = reduction.getLoc();
  VectorType type = reduction.getSourceVectorType();
  rewriter.setInsertionPoint(loop);
  TypedAttr neutral = *arith::getNeutralElement(found.combiner);
  Value start = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, neutral));
  unsigned number = found.carried.getArgNumber() - loop.getNumInductionVars();

  auto combineVectors = [&](OpBuilder &b, Location loc,
                            ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
    Value lanes = reduction.getVector(), carried = arguments.back();
    // An inner loop that starts from nothing goes on from what is carried.
    auto inner = lanes.getDefiningOp<scf::ForOp>();
    if (inner && lanes.hasOneUse()) {
      OpOperand *init = inner.getTiedLoopInit(cast<OpResult>(lanes));
      if (isNeutral(init->get(), found.combiner)) {
        init->set(carried);
        return {lanes};
      }
    }
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(reduction);
    return {vector::makeArithReduction(b, loc, reduction.getKind(), carried, lanes)};
  };
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, start, /*replaceInitOperandUsesInLoop=*/false, combineVectors);
  assert(succeeded(replaced) && "an scf.for takes further values");
  auto wider = cast<scf::ForOp>(**replaced);
  rewriter.setInsertionPointAfter(wider);
  Value total = vector::ReductionOp::create(rewriter, loc, reduction.getKind(), wider.getResults().back(),
                                            reduction.getFastmath());
  Value init = wider.getInitArgs()[number];
  if (!isNeutral(init, found.combiner))
    total = rewriter
                .create(loc, found.combiner->getName().getIdentifier(), {init, total}, init.getType(),
                        found.combiner->getAttrs())
                ->getResult(0);
  // The number is carried round unchanged, and dropped when the loop is cleaned up.
  (*wider.getYieldedValuesMutable())[number].set(wider.getRegionIterArgs()[number]);
  rewriter.replaceAllUsesWith(wider.getResult(number), total);
  rewriter.eraseOp(found.combiner);
  rewriter.eraseOp(reduction);
  return wider;
}

static std::optional<CarriedReduction> findIn(scf::ForOp loop) {
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (std::optional<CarriedReduction> found = match(loop, carried))
      return found;
  return std::nullopt;
}

void flagtree::hoistReductions(Operation *function) {
  IRRewriter rewriter(function->getContext());
  // Inner loops first: what one gives may be combined by the next.
  SmallVector<scf::ForOp> loops;
  function->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    while (std::optional<CarriedReduction> found = findIn(loop))
      loop = hoist(rewriter, loop, *found);
}
