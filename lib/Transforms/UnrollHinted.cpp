// SPDX-License-Identifier: MIT
#include "flagtree/Hints/Backup.h"
#include "flagtree/Hints/Hints.h"
#include "flagtree/Transforms/Cost.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRUNROLLHINTED
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

constexpr llvm::StringLiteral unroll = "unroll";

/// Whole groups of iterations run in a loop in front, of which each iteration is
/// a group; `loop` keeps the rest. Where the bounds of the groups are computed
/// nothing can overflow that did not before.
class Unroller {
public:
  Unroller(scf::ForOp loop, int64_t count)
      : loop(loop), count(count), b(loop), loc(loop.getLoc()), type(loop.getInductionVar().getType()) {}

  void run() {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
    // A step of which no whole group can be counted is as good as no group.
    int64_t mostStep = llvm::maxIntN(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()) / count;
    Value fits = compare(arith::CmpIPredicate::sle, step, number(mostStep));
    Value any = arith::AndIOp::create(b, loc, fits, compare(arith::CmpIPredicate::slt, lower, upper));
    Value group = arith::MulIOp::create(b, loc, step, number(count));
    group = arith::SelectOp::create(b, loc, fits, group, step);
    Value distance = arith::SubIOp::create(b, loc, upper, lower);
    Value rest = arith::RemUIOp::create(b, loc, distance, group);
    Value whole = arith::SubIOp::create(b, loc, distance, rest);
    whole = arith::SelectOp::create(b, loc, any, whole, number(0));
    Value between = arith::AddIOp::create(b, loc, lower, whole);

    auto groups = cast<scf::ForOp>(b.clone(*loop));
    groups.setUpperBound(between);
    groups.setStep(group);
    Block *body = groups.getBody();
    SmallVector<Value> yielded(body->getTerminator()->getOperands());
    auto counter = [&](unsigned position, Value start, OpBuilder inside) -> Value {
      Value times = arith::ConstantOp::create(inside, loc, inside.getIntegerAttr(type, position));
      Value distance = arith::MulIOp::create(inside, loc, step, times);
      return arith::AddIOp::create(inside, loc, start, distance);
    };
    generateUnrolledLoop(body, groups.getInductionVar(), count, counter, /*annotateFn=*/nullptr,
                         groups.getRegionIterArgs(), yielded);

    loop.setLowerBound(between);
    loop.getInitArgsMutable().assign(groups.getResults());
  }

private:
  Value number(int64_t value) { return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value)); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value c) {
    return arith::CmpIOp::create(b, loc, predicate, a, c);
  }

  scf::ForOp loop;
  int64_t count;
  OpBuilder b;
  Location loc;
  Type type;
};

/// Where divisions or functions of math are computed for each element, the block that the
/// loop carries costs little beside them, and in longer code masks are not taken
/// out of the steady part: on Zen 4 a softmax over long rows lost 7 % by 4 copies.
bool isDear(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        return hasDearOperation(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why `count` copies of the body would take the compiler too long; empty when they would not.
/// Where tensors pass through loops and branches one after the other, MLIR asks
/// each of them for its buffer's type by way of all before it, along every branch.
std::string tooMuch(scf::ForOp loop, int64_t count) {
  constexpr int64_t mostOperations = 8192, mostRegions = 16;
  int64_t operations = 0, regions = 0;
  loop.getBody()->walk([&](Operation *op) {
    ++operations;
    regions +=
        isa<RegionBranchOpInterface>(op) && llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  });
  auto reason = [&](int64_t copies, const Twine &what, int64_t most) {
    return (Twine(count) + " copies of the body have " + Twine(copies) + what + ", more than " + Twine(most))
        .str();
  };
  if (operations * count > mostOperations)
    return reason(operations * count, " operations", mostOperations);
  if (regions * count > mostRegions)
    return reason(regions * count, " loops and branches with blocks", mostRegions);
  return {};
}

hints::Result unrollLoop(Operation *op, flir::HintAttr hint) {
  constexpr int64_t most = 64;
  std::optional<int64_t> count = hint.getNumber(0);
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return {hints::Outcome::Unchanged, "only loops over a range are unrolled"};
  if (!count || *count < 1 || *count > most)
    return {hints::Outcome::Failed, "it wants one whole number from 1 to 64"};
  if (*count == 1)
    return {hints::Outcome::Unchanged, "one copy of the body is what there is"};
  if (isDear(loop))
    return {hints::Outcome::Unchanged,
            "its divisions or functions of math take longest, and copies of them gain nothing"};
  if (std::string reason = tooMuch(loop, *count); !reason.empty())
    return {hints::Outcome::Failed, reason};
  Unroller(loop, *count).run();
  return {hints::Outcome::Applied, "the body is repeated " + std::to_string(*count) + " times"};
}

struct FLIRUnrollHinted : flagtree::impl::FLIRUnrollHintedBase<FLIRUnrollHinted> {
  using FLIRUnrollHintedBase::FLIRUnrollHintedBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool changed = false;
    // A hint is taken off before it is tried, so that none is met twice. Inner
    // loops first: the copies of an outer one then hold what they became.
    while (Operation *op = hints::firstHinted(function, unroll)) {
      flir::HintAttr hint = hints::takeHint(op, unroll);
      changed |= hints::attempt(
          function, getArgument(), op->getLoc(), hint, [&] { return unrollLoop(op, hint); },
          hints::injectionOf(injectFailure));
    }
    if (!changed)
      return;
    // What now lies side by side becomes one: the copies' bounds, loads and elementwise work.
    OpPassManager cleanUp(func::FuncOp::getOperationName());
    cleanUp.addPass(createCanonicalizerPass());
    cleanUp.addPass(createCSEPass());
    cleanUp.addPass(createFLIRFuseElementwise());
    if (failed(runPipeline(cleanUp, function)))
      signalPassFailure();
  }
};

} // namespace
