// SPDX-License-Identifier: MIT
#include "ProductOperands.h"
#include "flagtree-cpu/Passes.h"
#include "flagtree/Transforms/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUMERGEPRODUCTSTEPS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

namespace {

/// A tile of the result is read and written once for so many products; more
/// gained nothing (measured with AVX2: 32, 64 and 128).
constexpr int64_t wantedDepth = 64;

/// What is packed for one step has to stay in the first level of cache, of 32
/// KiB or more, beside rows of the other operand and of the result.
constexpr int64_t packedBytes = 24 * 1024;

/// By how much numbers grow from one iteration of a loop to the next.
class Growth {
public:
  explicit Growth(scf::ForOp loop) : loop(loop) {}

  /// Nothing when it is not a sum of numbers known before the loop.
  std::optional<LinearForm> of(Value value) {
    LinearForm result;
    if (loop.isDefinedOutsideOfLoop(value))
      return result;
    if (value == loop.getInductionVar()) {
      result.add(loop.getStep());
      return result;
    }
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofArgument(argument);
    Operation *op = value.getDefiningOp();
    if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return of(op->getOperand(0));
    if (isa<arith::AddIOp, arith::SubIOp>(op)) {
      std::optional<LinearForm> a = of(op->getOperand(0)), b = of(op->getOperand(1));
      if (!a || !b)
        return std::nullopt;
      a->add(*b, isa<arith::SubIOp>(op) ? -1 : 1);
      return a;
    }
    if (isa<arith::MulIOp>(op))
      return ofProduct(op->getOperand(0), op->getOperand(1));
    return std::nullopt;
  }

  bool isFixed(Value value) {
    std::optional<LinearForm> growth = of(value);
    return growth && *growth == LinearForm();
  }

private:
  std::optional<LinearForm> ofArgument(BlockArgument argument) {
    if (argument.getOwner() != loop.getBody())
      return std::nullopt;
    LinearForm result;
    result.add(loop.getTiedLoopYieldedValue(argument)->get());
    result.add(argument, -1);
    bool known =
        llvm::all_of(result.terms, [&](auto term) { return loop.isDefinedOutsideOfLoop(term.first); });
    return known ? std::optional(result) : std::nullopt;
  }

  std::optional<LinearForm> ofProduct(Value a, Value b) {
    if (loop.isDefinedOutsideOfLoop(a))
      std::swap(a, b);
    std::optional<LinearForm> growth = of(a);
    if (!growth || !loop.isDefinedOutsideOfLoop(b))
      return std::nullopt;
    LinearForm result;
    APInt number;
    if (matchPattern(b, m_ConstantInt(&number)))
      result.add(*growth, number.getSExtValue());
    else if (growth->terms.empty())
      result.add(b, growth->constant);
    else
      return std::nullopt;
    return result;
  }

  scf::ForOp loop;
};

/// Iterations of a loop that multiply blocks next to each other along K become one.
class StepMerger {
public:
  StepMerger(scf::ForOp loop, linalg::MatmulOp dot)
      : loop(loop), dot(dot), growth(loop), b(loop), loc(dot.getLoc()) {
    depth = cast<ShapedType>(dot.getDpsInputs()[0].getType()).getDimSize(1);
  }

  void run() {
    factor = chooseFactor();
    if (factor < 2 || !isAlone() || !isCounted() || !canWiden(0) || !canWiden(1))
      return;
    b.setInsertionPointToStart(loop.getBody());
    Value left = depthLeft();
    widen(0, left);
    widen(1, left);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (argument != accumulator())
        advance(argument, index);
    b.setInsertionPoint(loop);
    auto step = cast<IntegerAttr>(b.getIntegerAttr(loop.getStep().getType(), stepOf() * factor));
    loop.setStep(arith::ConstantOp::create(b, loc, step));
  }

private:
  BlockArgument accumulator() { return dyn_cast<BlockArgument>(dot.getDpsInits()[0]); }

  int64_t stepOf() { return *getConstantIntValue(loop.getStep()); }

  int64_t chooseFactor() {
    if (depth >= wantedDepth || wantedDepth % depth != 0)
      return 1;
    auto left = cast<ShapedType>(dot.getDpsInputs()[0].getType());
    auto right = cast<ShapedType>(dot.getDpsInputs()[1].getType());
    int64_t bytes =
        std::max<int64_t>(4, cast<ShapedType>(dot.getResult(0).getType()).getElementTypeBitWidth() / 8);
    // fp32 and fp64 on the left are read where they lie.
    int64_t rows =
        right.getDimSize(1) + (left.getElementTypeBitWidth() / 8 == bytes ? 0 : left.getDimSize(0));
    int64_t factor = wantedDepth / depth;
    while (factor > 1 && factor * depth * rows * bytes > packedBytes)
      factor /= 2;
    return factor;
  }

  /// True when the loop does nothing but to add up the products.
  bool isAlone() {
    BlockArgument sum = accumulator();
    if (!sum || sum.getOwner() != loop.getBody() || !sum.hasOneUse() || !dot->hasOneUse() ||
        loop.getTiedLoopYieldedValue(sum)->get() != dot.getResult(0))
      return false;
    for (int64_t side : {0, 1})
      if (!collectBlocks(dot.getDpsInputs()[side], blocks[side]))
        return false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool ofScalars = op.getNumRegions() == 0 && isPure(&op) &&
                       llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
      bool ofBlocks = &op == dot || blocks[0].holds(&op) || blocks[1].holds(&op);
      if (!ofScalars && !ofBlocks)
        return false;
    }
    return true;
  }

  /// True when all that goes from iteration to iteration grows by what is known before the loop, and is
  /// not asked for behind it.
  bool isCounted() {
    if (!getConstantIntValue(loop.getStep()) || stepOf() < 1)
      return false;
    for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
      if (argument == accumulator())
        continue;
      auto sum = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::AddIOp>();
      if (!result.use_empty() || !sum || sum.getLhs() != argument ||
          !loop.isDefinedOutsideOfLoop(sum.getRhs()))
        return false;
    }
    return true;
  }

  int64_t dimOf(int64_t side) { return side == 0 ? 1 : 0; }

  bool canWiden(int64_t side) {
    int64_t along = dimOf(side);
    for (scf::IfOp branch : blocks[side].branches)
      if (!loop.isDefinedOutsideOfLoop(branch.getCondition()))
        return false;
    return llvm::all_of(blocks[side].loads, [&](flir::LoadOp load) {
      if (load.getMask() || load.getIsVolatile() || load.getIndexOfDims()[along] ||
          !growth.isFixed(load.getBase()))
        return false;
      // The padding of what lies behind K adds nothing.
      bool isCut = !load.isFull(0) || !load.isFull(1);
      if (load.getPad()
              ? !matchPattern(load.getPad(), m_AnyZeroFloat()) && !matchPattern(load.getPad(), m_Zero())
              : isCut)
        return false;
      for (Value index : load.getIndices())
        if (!loop.isDefinedOutsideOfLoop(index))
          return false;
      for (Value stride : load.getStrides())
        if (!growth.isFixed(stride))
          return false;
      for (int64_t dim : {0, 1})
        if (!load.isFull(dim) && !extentFollows(load.getMixedExtents()[dim], dim == along))
          return false;
      std::optional<LinearForm> step = growth.of(load.getOffset());
      return step && *step == product(load.getMixedStrides()[along], depth);
    });
  }

  /// Along K each block begins where the one before ends, and so do the extents.
  bool extentFollows(OpFoldResult extent, bool along) {
    auto value = dyn_cast<Value>(extent);
    if (!value)
      return !along;
    std::optional<LinearForm> growth = this->growth.of(value);
    LinearForm expected;
    expected.constant = along ? -depth : 0;
    return growth && *growth == expected;
  }

  static LinearForm product(OpFoldResult number, int64_t factor) {
    LinearForm result;
    if (auto value = dyn_cast<Value>(number))
      result.add(value, factor);
    else
      result.constant = factor * *getConstantIntValue(number);
    return result;
  }

  /// How many positions along K this iteration and the following ones have.
  Value depthLeft() {
    auto index = [&](Value value) {
      return getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), value);
    };
    auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
    Value left = arith::SubIOp::create(b, loc, index(loop.getUpperBound()), index(loop.getInductionVar()));
    if (int64_t step = stepOf(); step > 1) {
      left = arith::AddIOp::create(b, loc, left, number(step - 1));
      left = arith::DivUIOp::create(b, loc, left, number(step));
    }
    return arith::MulIOp::create(b, loc, left, number(depth));
  }

  void widen(int64_t side, Value left) {
    OpBuilder::InsertionGuard guard(b);
    int64_t along = dimOf(side);
    Type wide;
    for (flir::LoadOp load : blocks[side].loads) {
      auto type = cast<RankedTensorType>(load.getType());
      SmallVector<int64_t> shape(type.getShape());
      SmallVector<OpFoldResult> extents = load.getMixedExtents();
      b.setInsertionPoint(load);
      if (load.isFull(along))
        extents[along] = left;
      else
        extents[along] = cutAt(cast<Value>(extents[along]), left);
      shape[along] *= factor;
      wide = RankedTensorType::get(shape, type.getElementType());
      load.setMixedExtents(extents);
      if (!load.getPad())
        load.getPadMutable().assign(
            arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType())).getResult());
      load.getResult().setType(wide);
    }
    for (scf::IfOp branch : blocks[side].branches)
      branch.getResult(0).setType(wide);
  }

  /// One number for equal extents: it bounds the product of both sides.
  Value cutAt(Value extent, Value left) {
    Value &known = cut[extent];
    if (!known) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointAfterValue(extent);
      known = arith::MinSIOp::create(b, loc, extent, left);
    }
    return known;
  }

  void advance(BlockArgument argument, unsigned index) {
    auto sum = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::AddIOp>();
    auto times = b.getIntegerAttr(argument.getType(), factor);
    Value more = arith::MulIOp::create(b, loc, sum.getRhs(), arith::ConstantOp::create(b, loc, times));
    loop.getBody()->getTerminator()->setOperand(index, arith::AddIOp::create(b, loc, argument, more));
  }

  scf::ForOp loop;
  linalg::MatmulOp dot;
  Growth growth;
  OpBuilder b;
  Location loc;
  int64_t depth = 0, factor = 1;
  flagtree::cpu::Blocks blocks[2];
  DenseMap<Value, Value> cut;
};

struct CpuMergeProductSteps : flagtree::cpu::impl::CpuMergeProductStepsBase<CpuMergeProductSteps> {
  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> dots;
    getOperation().walk([&](linalg::MatmulOp dot) { dots.push_back(dot); });
    for (linalg::MatmulOp dot : dots)
      if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp())) {
        moveLoopInvariantCode(loop);
        StepMerger(loop, dot).run();
      }
  }
};

} // namespace
