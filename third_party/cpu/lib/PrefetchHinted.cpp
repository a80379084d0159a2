// SPDX-License-Identifier: MIT
#include "MemoryAccess.h"
#include "flagtree-cpu/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Hints/Backup.h"
#include "flagtree/Hints/Hints.h"
#include "flagtree/Support/Hardware.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUPREFETCHHINTED
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

namespace {

constexpr llvm::StringLiteral prefetch = "prefetch";

/// Iterations ahead where the hint does not tell: rows of 64 to 256 numbers
/// read at random gained nearly as much from 4 as from 8 or 16.
constexpr int64_t usualDistance = 4;

/// What numbers are some iterations of `loop` later, for an operation in it.
class Later {
public:
  Later(scf::ForOp loop, Operation *user, int64_t distance)
      : loop(loop), loc(user->getLoc()), distance(distance), ofTile(user),
        ofBlock(loop.getBody()->findAncestorOpInBlock(*user)) {}

  /// Null when it is not known that early.
  Value of(Value value) { return find(value).value; }

private:
  /// `exact`: the number that this iteration will have, and not just where the loop is heading.
  struct Number {
    Value value;
    bool exact = true;
  };

  Number find(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return {value};
    auto known = map.find(value);
    if (known != map.end())
      return known->second;
    auto argument = dyn_cast<BlockArgument>(value);
    Number made = argument ? ofArgument(argument) : ofResult(cast<OpResult>(value));
    map[value] = made;
    return made;
  }

  Number ofResult(OpResult result) {
    Operation *op = result.getOwner();
    IRMapping operands;
    bool exact = true, isOfTile = false;
    if (op->getNumRegions() != 0)
      return {};
    for (Value operand : op->getOperands()) {
      Number later = find(operand);
      if (!later.value)
        return {};
      operands.map(operand, later.value);
      exact &= later.exact;
      isOfTile |= !loop.isDefinedOutsideOfLoop(later.value) && later.value.getParentBlock() != loop.getBody();
    }
    if (!isPure(op)) {
      if (!exact || !isReadInAnyCase(op))
        return {};
      exact = cpu::hasOnlyReads(loop); // until that iteration another number may be there
    }
    // What does not depend on the tile is computed once for all of them.
    OpBuilder b(isOfTile ? ofTile : ofBlock);
    return {b.clone(*op, operands)->getResult(result.getResultNumber()), exact};
  }

  /// True for a number that each iteration reads, so that it may be read before.
  /// A call, of an assertion for example, may end the program.
  bool isReadInAnyCase(Operation *op) {
    auto load = dyn_cast<flir::LoadOp>(op);
    if (!load || load.getRank() != 0 || load.getIsVolatile() || load->getBlock() != loop.getBody())
      return false;
    return !loop->walk([](CallOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  Number ofArgument(BlockArgument argument) {
    if (argument == loop.getInductionVar())
      return {counter()};
    if (argument.getOwner() != loop.getBody()) {
      // A tile is at the same place in a later block.
      auto tiles = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      return {tiles && argument == tiles.getInductionVar() ? Value(argument) : Value()};
    }
    auto sum = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::AddIOp>();
    if (!sum || sum.getLhs() != argument || !loop.isDefinedOutsideOfLoop(sum.getRhs()))
      return {};
    OpBuilder b(ofBlock);
    Value more = arith::MulIOp::create(b, loc, sum.getRhs(), number(b, argument.getType()));
    return {arith::AddIOp::create(b, loc, argument, more), /*exact=*/false};
  }

  /// The counter of that iteration, or of this one when there is none any more.
  Value counter() {
    OpBuilder b(ofBlock);
    Value now = loop.getInductionVar(), step = loop.getStep(), times = number(b, now.getType());
    Value left = arith::SubIOp::create(b, loc, loop.getUpperBound(), now);
    Value steps = arith::DivUIOp::create(b, loc, left, times);
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, steps, step);
    Value more = arith::MulIOp::create(b, loc, step, times);
    Value later = arith::AddIOp::create(b, loc, now, more);
    return arith::SelectOp::create(b, loc, any, later, now);
  }

  Value number(OpBuilder &b, Type type) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, distance));
  }

  scf::ForOp loop;
  Location loc;
  int64_t distance;
  Operation *ofTile, *ofBlock; // before which numbers of one tile, and of a block, are computed
  DenseMap<Value, Number> map;
};

/// The loop of the program around `op`: those over tiles count in index.
scf::ForOp loopOfProgram(Operation *op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  while (loop && loop.getInductionVar().getType().isIndex())
    loop = loop->getParentOfType<scf::ForOp>();
  return loop;
}

/// The position of an element in a block.
using Position = SmallVector<int64_t>;

/// One element of each cache line of a block.
SmallVector<Position> linesOf(flir::LoadOp load, int64_t elementBytes, int64_t lineBytes) {
  SmallVector<OpFoldResult> strides = load.getMixedStrides();
  ArrayRef<int64_t> shape = load.getBlockShape();
  SmallVector<Position> lines{Position(load.getRank())};
  for (int64_t dim = 0; dim < load.getRank(); ++dim) {
    int64_t step = isConstantIntValue(strides[dim], 1) ? std::max<int64_t>(1, lineBytes / elementBytes) : 1;
    SmallVector<Position> more;
    for (const Position &line : lines)
      for (int64_t at = 0; at < shape[dim]; at += step) {
        more.push_back(line);
        more.back()[dim] = at;
      }
    lines = std::move(more);
  }
  return lines;
}

hints::Result prefetchFor(flir::LoadOp load, flir::HintAttr hint) {
  constexpr int64_t mostLines = 64;
  int64_t distance = hint.getNumber(0).value_or(usualDistance);
  scf::ForOp loop = loopOfProgram(load);
  if (!loop)
    return {hints::Outcome::Failed, "its statement is in no loop over a range"};
  if (!load.getIndices().empty())
    return {hints::Outcome::Failed, "where it reads is told by a block of numbers"};
  int64_t elementBytes =
      llvm::divideCeil(getElementTypeOrSelf(load.getBlockType()).getIntOrFloatBitWidth(), 8);
  SmallVector<Position> lines = linesOf(load, elementBytes, Hardware(load).cacheLineBytes());
  if (static_cast<int64_t>(lines.size()) > mostLines)
    return {hints::Outcome::Failed, "its block has too many cache lines to ask for each"};
  Later later(loop, load, distance);
  Value base = later.of(load.getBase()), offset = later.of(load.getOffset());
  SmallVector<Value> strides;
  for (OpFoldResult stride : load.getMixedStrides())
    if (auto value = dyn_cast<Value>(stride))
      strides.push_back(later.of(value));
  if (!base || !offset || !llvm::all_of(strides, [](Value stride) { return bool(stride); }))
    return {hints::Outcome::Failed, "where it reads is not known that early"};
  if (base == load.getBase() && offset == load.getOffset())
    return {hints::Outcome::Unchanged, "each iteration reads the same block"};

  OpBuilder b(load);
  Location loc = load.getLoc();
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  for (const Position &line : lines) {
    Value position = offset;
    unsigned dynamic = 0;
    for (auto [dim, stride] : llvm::enumerate(load.getMixedStrides())) {
      Value by = isa<Value>(stride) ? strides[dynamic++] : number(*getConstantIntValue(stride));
      if (line[dim] != 0)
        position = arith::AddIOp::create(b, loc, position,
                                         arith::MulIOp::create(b, loc, by, number(line[dim])).getResult());
    }
    Value bytes = arith::MulIOp::create(b, loc, position, number(elementBytes));
    cpu::prefetchLine(b, loc, base, arith::IndexCastOp::create(b, loc, b.getI64Type(), bytes).getResult());
  }
  return {hints::Outcome::Applied, "its block is fetched " + std::to_string(distance) + " iterations ahead"};
}

struct CpuPrefetchHinted : flagtree::cpu::impl::CpuPrefetchHintedBase<CpuPrefetchHinted> {
  using CpuPrefetchHintedBase::CpuPrefetchHintedBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    while (Operation *op = hints::firstHinted(function, prefetch)) {
      flir::HintAttr hint = hints::takeHint(op, prefetch);
      auto rewrite = [&]() -> hints::Result {
        auto load = dyn_cast<flir::LoadOp>(op);
        if (!load)
          return {hints::Outcome::Failed, "where it reads is told by a block of addresses"};
        return prefetchFor(load, hint);
      };
      hints::attempt(function, getArgument(), op->getLoc(), hint, rewrite, hints::injectionOf(injectFailure));
    }
  }
};

} // namespace
