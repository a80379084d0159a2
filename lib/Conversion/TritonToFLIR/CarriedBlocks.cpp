// SPDX-License-Identifier: MIT
// Tensors of pointers and integers that a loop carries or a branch gives become
// numbers: `p += 64` carries an offset, no tensor. A tensor with the same
// elements is made of the numbers where one is still asked for, and the
// analysis knows what it is.
#include "Dissolved.h"
#include "Patterns.h"
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// Integers this wide are taken for positions, which do not wrap around.
constexpr unsigned positionBits = 32;

bool mayDissolve(Type type) {
  if (isa<tt::TensorDescType>(type))
    return true;
  Type element = getElementTypeOrSelf(type);
  if (isa<tt::PointerType>(element))
    return true;
  return isa<RankedTensorType>(type) && element.isInteger() &&
         element.getIntOrFloatBitWidth() >= positionBits;
}

class CarriedBlocks {
public:
  explicit CarriedBlocks(KnownBlocks &known) : known(known) {}

  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (auto loop = dyn_cast<scf::ForOp>(op))
          visitFor(loop);
        else if (auto branch = dyn_cast<scf::IfOp>(op))
          visitIf(branch);
        else if (auto loop = dyn_cast<scf::WhileOp>(op))
          visitWhile(loop);
        else if (isa<scf::SCFDialect>(op.getDialect()))
          for (Region &inner : op.getRegions())
            visit(inner);
      }
  }

private:
  using Plan = std::vector<std::optional<Dissolved>>;

  std::optional<AffineBlock> analyzeBefore(Operation *op, Value value) {
    OpBuilder b(op);
    return PtrAnalysis(b, known).analyze(value);
  }

  void forget(size_t size) {
    while (known.size() > size)
      known.pop_back();
  }

  //===--- loops ------------------------------------------------------------===//

  static bool isAnyDissolved(const Plan &plan) {
    return llvm::any_of(plan, [](const auto &item) { return item.has_value(); });
  }

  Plan planFor(Operation *loop, ValueRange inits) {
    Plan plan;
    for (Value init : inits) {
      std::optional<AffineBlock> block;
      if (mayDissolve(init.getType()))
        block = analyzeBefore(loop, init);
      plan.push_back(block ? std::optional<Dissolved>(*block) : std::nullopt);
    }
    return plan;
  }

  /// The values that a loop with this plan starts with.
  SmallVector<Value> packAll(Operation *op, ValueRange values, const Plan &plan) {
    OpBuilder b(op);
    SmallVector<Value> numbers;
    for (auto [value, item] : llvm::zip_equal(values, plan)) {
      if (item)
        numbers.append(item->pack(b, op->getLoc(), *analyzeBefore(op, value)));
      else
        numbers.push_back(value);
    }
    return numbers;
  }

  // What is carried is guessed and proven on a copy, which shows what else changes.
  template <typename Loop, typename MakeCopy>
  void proveOnCopy(Loop loop, ValueRange inits, MakeCopy makeCopy) {
    Plan plan = planFor(loop, inits);
    while (isAnyDissolved(plan)) {
      size_t size = known.size();
      if (makeCopy(plan)) {
        loop.erase();
        return;
      }
      forget(size);
    }
    for (Region &region : loop->getRegions())
      visit(region);
  }

  void visitFor(scf::ForOp loop) {
    proveOnCopy(loop, loop.getInitArgs(), [&](Plan &plan) {
      scf::ForOp copy = makeFor(loop, plan);
      visit(copy.getRegion());
      bool proven = yieldNumbers(copy.getBody()->getTerminator(), plan);
      if (proven)
        replaceResults(loop, copy->getResults(), plan);
      else
        copy.erase();
      return proven;
    });
  }

  /// A copy of the loop that carries numbers. What it yields is still of the
  /// old types.
  scf::ForOp makeFor(scf::ForOp loop, const Plan &plan) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> inits = packAll(loop, loop.getInitArgs(), plan);
    auto copy = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
    copy->setAttrs(loop->getAttrs());
    Block *body = copy.getBody();
    body->clear();
    b.setInsertionPointToStart(body);
    IRMapping map;
    map.map(loop.getInductionVar(), copy.getInductionVar());
    mapArguments(b, loop.getRegionIterArgs(), copy.getRegionIterArgs(), plan, map);
    for (Operation &op : *loop.getBody())
      b.clone(op, map);
    return copy;
  }

  void mapArguments(OpBuilder &b, ValueRange from, ValueRange to, const Plan &plan, IRMapping &map) {
    for (auto [argument, item] : llvm::zip_equal(from, plan)) {
      if (item) {
        map.map(argument, materialize(b, argument.getLoc(), item->unpack(to), argument.getType()));
      } else {
        map.map(argument, to.front());
        to = to.drop_front();
      }
    }
  }

  /// Makes a copy of a loop yield numbers; false, with a better plan, when it cannot.
  bool yieldNumbers(Operation *yield, Plan &plan) {
    OpBuilder b(yield);
    SmallVector<Value> numbers;
    bool fits = true, changed = false;
    for (auto [value, item] : llvm::zip_equal(yield->getOperands(), plan)) {
      if (!item) {
        numbers.push_back(value);
        continue;
      }
      std::optional<AffineBlock> block = analyzeBefore(yield, value);
      if (!block || !item->widen(*block, changed)) {
        item.reset();
        fits = false;
      } else if (!changed) {
        numbers.append(item->pack(b, yield->getLoc(), *block));
      }
    }
    if (fits && !changed)
      yield->setOperands(numbers);
    return fits && !changed;
  }

  void replaceResults(Operation *op, ValueRange numbers, const Plan &plan) {
    OpBuilder b(op);
    for (auto [result, item] : llvm::zip_equal(op->getResults(), plan)) {
      if (item) {
        AffineBlock block = item->unpack(numbers);
        if (!result.use_empty())
          result.replaceAllUsesWith(materialize(b, op->getLoc(), block, result.getType()));
      } else {
        result.replaceAllUsesWith(numbers.front());
        numbers = numbers.drop_front();
      }
    }
  }

  void visitWhile(scf::WhileOp loop) {
    proveOnCopy(loop, loop.getInits(), [&](Plan &plan) { return tryWhile(loop, plan); });
  }

  /// The first part of the loop decides what the second part and the results
  /// are made of, so it is copied first.
  bool tryWhile(scf::WhileOp loop, Plan &plan) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> inits = packAll(loop, loop.getInits(), plan);
    SmallVector<Location> locs(inits.size(), loc);
    auto first = scf::WhileOp::create(b, loc, loop.getResultTypes(), inits);
    copyBody(b, *loop.getBeforeBody(), first.getBefore(), ValueRange(inits).getTypes(), plan);
    visit(first.getBefore());
    auto condition = cast<scf::ConditionOp>(first.getBeforeBody()->getTerminator());
    Plan forwarded = planFor(condition, condition.getArgs());
    for (auto &item : forwarded)
      if (item && !item->carryWhatIsWithin(first))
        item.reset();
    SmallVector<Value> numbers = packAll(condition, condition.getArgs(), forwarded);
    condition.getArgsMutable().assign(numbers);

    b.setInsertionPoint(loop);
    auto copy = scf::WhileOp::create(b, loc, ValueRange(numbers).getTypes(), inits);
    copy->setAttrs(loop->getAttrs());
    copy.getBefore().takeBody(first.getBefore());
    first.erase();
    copyBody(b, *loop.getAfterBody(), copy.getAfter(), ValueRange(numbers).getTypes(), forwarded);
    visit(copy.getAfter());
    bool proven = yieldNumbers(copy.getYieldOp(), plan);
    if (proven)
      replaceResults(loop, copy->getResults(), forwarded);
    else
      copy.erase();
    return proven;
  }

  /// Fills `region` with a copy of `body` whose arguments are numbers.
  void copyBody(OpBuilder &b, Block &body, Region &region, TypeRange types, const Plan &plan) {
    OpBuilder::InsertionGuard guard(b);
    Block *copy = b.createBlock(&region, {}, types, SmallVector<Location>(types.size(), region.getLoc()));
    IRMapping map;
    mapArguments(b, body.getArguments(), copy->getArguments(), plan, map);
    for (Operation &op : body)
      b.clone(op, map);
  }

  //===--- branches ---------------------------------------------------------===//

  void visitIf(scf::IfOp branch) {
    visit(branch.getThenRegion());
    visit(branch.getElseRegion());
    if (llvm::none_of(branch.getResultTypes(), mayDissolve))
      return;
    Operation *yields[] = {branch.thenYield(), branch.elseYield()};
    Plan plan;
    SmallVector<Value> numbers[2];
    SmallVector<Type> types;
    for (auto [i, type] : llvm::enumerate(branch.getResultTypes())) {
      plan.push_back(mayDissolve(type) ? join(branch, yields, i) : std::nullopt);
      for (auto [yield, kept] : llvm::zip_equal(yields, numbers)) {
        OpBuilder b(yield);
        Value value = yield->getOperand(i);
        if (plan.back())
          kept.append(plan.back()->pack(b, yield->getLoc(), *analyzeBefore(yield, value)));
        else
          kept.push_back(value);
      }
    }
    if (!isAnyDissolved(plan))
      return;
    for (auto [yield, kept] : llvm::zip_equal(yields, numbers))
      yield->setOperands(kept);
    OpBuilder b(branch);
    auto copy =
        scf::IfOp::create(b, branch.getLoc(), ValueRange(numbers[0]).getTypes(), branch.getCondition(),
                          /*withElseRegion=*/true);
    copy->setAttrs(branch->getAttrs());
    copy.getThenRegion().takeBody(branch.getThenRegion());
    copy.getElseRegion().takeBody(branch.getElseRegion());
    replaceResults(branch, copy->getResults(), plan);
    branch.erase();
  }

  /// What both sides of a branch have in common, computed before it.
  std::optional<Dissolved> join(scf::IfOp branch, ArrayRef<Operation *> yields, unsigned i) {
    std::optional<AffineBlock> a = analyzeBefore(yields[0], yields[0]->getOperand(i)),
                               b = analyzeBefore(yields[1], yields[1]->getOperand(i));
    if (!a || !b)
      return std::nullopt;
    Dissolved result(*a);
    bool changed = false;
    if (!result.widen(*b, changed) || !result.carryWhatIsWithin(branch))
      return std::nullopt;
    return result;
  }

  /// A tensor, pointer or view made of `block`, which is known from now on.
  Value materialize(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
    Value result = materializeBlock(b, loc, block, type);
    known.insert({result, block});
    return result;
  }

  KnownBlocks &known;
};

} // namespace

void flagtree::dissolveCarriedBlocks(func::FuncOp function, KnownBlocks &known) {
  CarriedBlocks(known).visit(function.getBody());
}
