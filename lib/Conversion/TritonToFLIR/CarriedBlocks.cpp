// SPDX-License-Identifier: MIT
// Tensors of pointers and integers that a loop carries or a branch gives become
// numbers: `p += 64` carries an offset, no tensor. A tensor with the same
// elements is made of the numbers where one is still asked for, and the
// analysis knows what it is.
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
  Type element = getElementTypeOrSelf(type);
  if (auto pointer = dyn_cast<tt::PointerType>(element))
    return !pointer.isBlockPointer();
  return isa<RankedTensorType>(type) && element.isInteger() &&
         element.getIntOrFloatBitWidth() >= positionBits;
}

/// What one carried tensor becomes: `block` holds what stays the same; the
/// offset, and what else changes, is carried.
struct Dissolved {
  AffineBlock block;
  bool base = false;
  SmallVector<bool> strides;

  explicit Dissolved(const AffineBlock &block) : block(block), strides(block.strides.size(), false) {}

  /// The numbers of `from` that are carried.
  SmallVector<Value> pack(OpBuilder &b, Location loc, const AffineBlock &from) const {
    SmallVector<Value> result{getValueOrCreateConstantIndexOp(b, loc, from.offset)};
    if (base)
      result.push_back(from.base);
    for (auto [carried, stride] : llvm::zip_equal(strides, from.strides))
      if (carried)
        result.push_back(getValueOrCreateConstantIndexOp(b, loc, stride));
    return result;
  }

  /// The block that carried numbers stand for; takes them off the front.
  AffineBlock unpack(ValueRange &numbers) const {
    AffineBlock result = block;
    auto take = [&]() {
      Value number = numbers.front();
      numbers = numbers.drop_front();
      return number;
    };
    result.offset = take();
    if (base)
      result.base = take();
    for (auto [carried, stride] : llvm::zip_equal(strides, result.strides))
      if (carried)
        stride = take();
    return result;
  }

  /// Carries what differs in `other` too. False when that is not possible;
  /// `changed` when something was added.
  bool widen(const AffineBlock &other, bool &changed) {
    if (!other.base != !block.base)
      return false;
    for (auto [x, y] : llvm::zip_equal(block.indices, other.indices))
      if (x.numbers != y.numbers)
        return false;
    auto add = [&](bool &slot, bool differs) {
      changed |= differs && !slot;
      slot |= differs;
    };
    add(base, block.base != other.base);
    for (auto [slot, x, y] : llvm::zip_equal(strides, block.strides, other.strides))
      add(slot, !isSameNumber(x, y));
    return true;
  }
};

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
        else if (isa<scf::SCFDialect>(op.getDialect()))
          for (Region &inner : op.getRegions())
            visit(inner);
      }
  }

private:
  using Plan = SmallVector<std::optional<Dissolved>>;

  std::optional<AffineBlock> analyzeBefore(Operation *op, Value value) {
    OpBuilder b(op);
    return PtrAnalysis(b, known).analyze(value);
  }

  void forget(size_t size) {
    while (known.size() > size)
      known.pop_back();
  }

  //===--- loops ------------------------------------------------------------===//

  void visitFor(scf::ForOp loop) {
    Plan plan;
    for (Value init : loop.getInitArgs()) {
      std::optional<AffineBlock> block;
      if (mayDissolve(init.getType()))
        block = analyzeBefore(loop, init);
      plan.push_back(block ? std::optional<Dissolved>(*block) : std::nullopt);
    }
    // What is carried is guessed and proven on a copy, which shows what else changes.
    while (llvm::any_of(plan, [](const auto &item) { return item.has_value(); })) {
      size_t size = known.size();
      scf::ForOp copy = makeFor(loop, plan);
      if (finishFor(copy, plan)) {
        replaceResults(loop, copy->getResults(), plan);
        loop.erase();
        return;
      }
      copy.erase();
      forget(size);
    }
    visit(loop.getRegion());
  }

  /// A copy of the loop that carries numbers. What it yields is still of the
  /// old types.
  scf::ForOp makeFor(scf::ForOp loop, const Plan &plan) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> inits;
    for (auto [init, item] : llvm::zip_equal(loop.getInitArgs(), plan)) {
      if (item)
        inits.append(item->pack(b, loc, *analyzeBefore(loop, init)));
      else
        inits.push_back(init);
    }
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

  /// Makes the copy yield numbers; false, with a better plan, when it cannot.
  bool finishFor(scf::ForOp copy, Plan &plan) {
    visit(copy.getRegion());
    return yieldNumbers(copy.getBody()->getTerminator(), plan);
  }

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
    if (llvm::none_of(plan, [](const auto &item) { return item.has_value(); }))
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
    auto isWithin = [&](Value value) {
      return value && (branch.getThenRegion().isAncestor(value.getParentRegion()) ||
                       branch.getElseRegion().isAncestor(value.getParentRegion()));
    };
    for (const DimIndex &index : a->indices)
      if (isWithin(index.numbers) || isWithin(index.regular))
        return std::nullopt;
    Dissolved result(*a);
    bool changed = false;
    if (!result.widen(*b, changed))
      return std::nullopt;
    result.base |= isWithin(a->base);
    for (auto [slot, stride] : llvm::zip_equal(result.strides, a->strides))
      slot |= isWithin(dyn_cast<Value>(stride));
    return result;
  }

  //===--- tensors of numbers -----------------------------------------------===//

  /// A tensor or pointer with the elements of `block`, which is known from now on.
  Value materialize(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
    Value result = block.base ? makePointers(b, loc, block, type) : makeIntegers(b, loc, block, type);
    known.insert({result, block});
    return result;
  }

  static Value toInteger(OpBuilder &b, Location loc, OpFoldResult number, Type type) {
    Value wide = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(),
                                                    getValueOrCreateConstantIndexOp(b, loc, number));
    return type.isInteger(64) ? wide : b.createOrFold<arith::TruncIOp>(loc, type, wide);
  }

  static Value makePointers(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
    Value start = tt::AddPtrOp::create(b, loc, block.base.getType(), block.base,
                                       toInteger(b, loc, block.offset, b.getI64Type()));
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped)
      return start;
    Value result = tt::SplatOp::create(b, loc, type, start);
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (Value steps = makeSteps(b, loc, block, dim, shaped.clone(b.getI64Type())))
        result = tt::AddPtrOp::create(b, loc, type, result, steps);
    return result;
  }

  static Value makeIntegers(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
    auto shaped = cast<RankedTensorType>(type);
    Value result =
        tt::SplatOp::create(b, loc, type, toInteger(b, loc, block.offset, shaped.getElementType()));
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (Value steps = makeSteps(b, loc, block, dim, shaped))
        result = arith::AddIOp::create(b, loc, result, steps);
    return result;
  }

  /// What the position along `dim` adds; null for nothing.
  static Value makeSteps(OpBuilder &b, Location loc, const AffineBlock &block, int64_t dim,
                         RankedTensorType type) {
    if (block.isUniform(dim))
      return {};
    int64_t size = type.getDimSize(dim);
    auto line = RankedTensorType::get({size}, type.getElementType());
    auto cast = [&](Value value) -> Value {
      if (value.getType() == line)
        return value;
      if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() < line.getElementTypeBitWidth())
        return arith::ExtSIOp::create(b, loc, line, value);
      return arith::TruncIOp::create(b, loc, line, value);
    };
    Value steps;
    if (!isConstantIntValue(block.strides[dim], 0)) {
      steps = cast(tt::MakeRangeOp::create(b, loc, line.clone(b.getI32Type()), 0, size));
      Value stride =
          tt::SplatOp::create(b, loc, line, toInteger(b, loc, block.strides[dim], type.getElementType()));
      steps = arith::MulIOp::create(b, loc, steps, stride);
    }
    if (Value numbers = block.indices[dim].numbers) {
      Value narrow = cast(numbers);
      steps = steps ? arith::AddIOp::create(b, loc, steps, narrow).getResult() : narrow;
    }
    for (int64_t other = 0; other < type.getRank(); ++other)
      if (other != dim)
        steps = tt::ExpandDimsOp::create(b, loc, steps, other);
    return steps.getType() == type ? steps : tt::BroadcastOp::create(b, loc, type, steps).getResult();
  }

  KnownBlocks &known;
};

} // namespace

void flagtree::dissolveCarriedBlocks(func::FuncOp function, KnownBlocks &known) {
  CarriedBlocks(known).visit(function.getBody());
}
