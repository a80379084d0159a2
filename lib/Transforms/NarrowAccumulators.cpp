// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRNARROWACCUMULATORS
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;

namespace {

/// The operation that gives what a body yields, when it combines two values
/// of one type.
Operation *combinerOf(linalg::GenericOp op) {
  Operation *yield = op.getBody()->getTerminator();
  Operation *combiner = yield->getNumOperands() == 1 ? yield->getOperand(0).getDefiningOp() : nullptr;
  bool combines = combiner && combiner->getNumOperands() == 2 && combiner->getNumResults() == 1 &&
                  combiner->getOperand(0).getType() == combiner->getResult(0).getType() &&
                  combiner->getOperand(1).getType() == combiner->getResult(0).getType();
  return combines && arith::getNeutralElement(combiner) ? combiner : nullptr;
}

/// True when combining with `start` once or often is the same as not at all, or
/// the same as combining with it once.
bool mayStartFrom(Operation *combiner, Attribute start) {
  auto number = dyn_cast<FloatAttr>(start);
  if (isa<arith::AddFOp>(combiner))
    return number && number.getValue().isZero();
  if (isa<arith::MulFOp, arith::AddIOp, arith::MulIOp, arith::XOrIOp>(combiner))
    return arith::getNeutralElement(combiner) == start;
  return true; // a maximum, minimum, conjunction or disjunction
}

/// A tensor that a loop carries, which each iteration combines with another one
/// element by element, and of which only the combination of all is used.
struct Accumulator {
  scf::ForOp loop;
  BlockArgument carried;
  linalg::GenericOp update, reduction;
  Operation *combiner; // of the reduction
  TypedAttr start;
};

std::optional<Attribute> filledWith(Value tensor) {
  Value scalar;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    scalar = fill.getInputs()[0];
  else if (auto generic = tensor.getDefiningOp<linalg::GenericOp>(); generic && generic.getInputs().empty())
    scalar = generic.getBody()->getTerminator()->getOperand(0);
  Attribute constant;
  if (scalar && matchPattern(scalar, m_Constant(&constant)))
    return constant;
  return std::nullopt;
}

std::optional<Accumulator> match(linalg::GenericOp reduction) {
  if (reduction.getNumLoops() == 0 || reduction.getNumReductionLoops() != reduction.getNumLoops() ||
      reduction.getInputs().size() != 1 || reduction.getNumResults() != 1 ||
      !reduction.getIndexingMapsArray()[0].isIdentity() || reduction.getBody()->getOperations().size() != 2)
    return std::nullopt;
  Accumulator result{{}, {}, {}, reduction, combinerOf(reduction), {}};
  auto total = dyn_cast<OpResult>(reduction.getInputs()[0]);
  if (!result.combiner || !total || !total.hasOneUse() ||
      !llvm::all_of(reduction->getUsers(), llvm::IsaPred<tensor::ExtractOp>))
    return std::nullopt;
  std::optional<Attribute> neutral = filledWith(reduction.getOutputs()[0]);
  if (!neutral || !mayStartFrom(result.combiner, *neutral) ||
      (*neutral != Attribute(*arith::getNeutralElement(result.combiner)) &&
       !isa<arith::AddFOp>(result.combiner)))
    return std::nullopt;

  result.loop = dyn_cast<scf::ForOp>(total.getOwner());
  if (!result.loop)
    return std::nullopt;
  DenseElementsAttr start;
  if (!matchPattern(result.loop.getTiedLoopInit(total)->get(), m_Constant(&start)) || !start.isSplat() ||
      !mayStartFrom(result.combiner, start.getSplatValue<Attribute>()))
    return std::nullopt;
  result.start = start.getSplatValue<TypedAttr>();

  result.carried = result.loop.getTiedLoopRegionIterArg(total);
  if (!result.carried.hasOneUse())
    return std::nullopt;
  OpOperand &use = *result.carried.use_begin();
  auto update = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!update || update->getBlock() != result.loop.getBody() || update.getNumResults() != 1 ||
      !update->hasOneUse() || update.getNumReductionLoops() != 0 || !update.isDpsInput(&use) ||
      !update.getMatchingIndexingMap(&use).isIdentity() ||
      !update.getMatchingIndexingMap(update.getDpsInitOperand(0)).isIdentity() ||
      update.payloadUsesValueFromOperand(update.getDpsInitOperand(0)) ||
      result.loop.getTiedLoopYieldedValue(result.carried)->get() != update.getResult(0))
    return std::nullopt;
  Operation *inner = combinerOf(update);
  Value old = update.getMatchingBlockArgument(&use);
  if (!inner || inner->getName() != result.combiner->getName() || !old.hasOneUse() ||
      *old.user_begin() != inner)
    return std::nullopt;
  result.update = update;
  return result;
}

/// What the iteration adds, combined to one number.
Value combineIteration(RewriterBase &rewriter, Accumulator &found) {
  linalg::GenericOp update = found.update;
  Location loc = update.getLoc();
  rewriter.setInsertionPoint(update);
  Type element = found.start.getType();
  Value empty = tensor::EmptyOp::create(rewriter, loc, ArrayRef<int64_t>{}, element);
  Value neutral =
      arith::ConstantOp::create(rewriter, loc, *arith::getNeutralElement(combinerOf(found.reduction)));
  Value start = linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  OpOperand *use = &*found.carried.use_begin();
  unsigned position = use->getOperandNumber(), rank = update.getNumLoops();
  SmallVector<Value> inputs(update.getInputs());
  SmallVector<AffineMap> maps = update.getIndexingMapsArray();
  inputs.erase(inputs.begin() + position);
  maps.erase(maps.begin() + position);
  maps.back() = AffineMap::get(rank, 0, rewriter.getContext());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::reduction);
  auto partial = linalg::GenericOp::create(rewriter, loc, TypeRange{start.getType()}, inputs,
                                           ValueRange{start}, maps, loops);
  Block *body = update.getBody();
  body->getArgument(position).replaceAllUsesWith(body->getArguments().back());
  body->eraseArgument(position);
  partial.getRegion().takeBody(update.getRegion());
  return tensor::ExtractOp::create(rewriter, loc, partial.getResult(0), ValueRange{});
}

void narrow(IRRewriter &rewriter, Accumulator found) {
  scf::ForOp loop = found.loop;
  Location loc = found.reduction.getLoc();
  unsigned number = found.carried.getArgNumber() - loop.getNumInductionVars();
  Value partial = combineIteration(rewriter, found);
  rewriter.setInsertionPoint(loop);
  Value start = arith::ConstantOp::create(rewriter, loc, found.start);
  // The tensor is carried round unchanged, and dropped when the loop is cleaned up.
  (*loop.getYieldedValuesMutable())[number].set(found.carried);
  rewriter.eraseOp(found.update);
  auto combine = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
    Operation *combined =
        b.create(loc, found.combiner->getName().getIdentifier(), {arguments.back(), partial},
                 partial.getType(), found.combiner->getAttrs());
    return {combined->getResult(0)};
  };
  FailureOr<LoopLikeOpInterface> replaced =
      loop.replaceWithAdditionalYields(rewriter, start, /*replaceInitOperandUsesInLoop=*/false, combine);
  assert(succeeded(replaced) && "an scf.for takes further values");
  Value total = (*replaced)->getResults().back();
  for (Operation *user : llvm::make_early_inc_range(found.reduction->getUsers()))
    rewriter.replaceOp(user, total);
  rewriter.eraseOp(found.reduction);
}

struct FLIRNarrowAccumulators : flagtree::impl::FLIRNarrowAccumulatorsBase<FLIRNarrowAccumulators> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> reductions;
    getOperation().walk([&](linalg::GenericOp op) { reductions.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp reduction : reductions)
      if (std::optional<Accumulator> found = match(reduction))
        narrow(rewriter, *found);
  }
};

} // namespace
