// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUPREPAREDOTS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

/// The type that products are computed in. Products of 8-bit integers are whole
/// numbers of at most 2^14: 1,024 of them add up exactly in fp32, which every
/// processor multiplies and adds faster than 32-bit integers.
Type computeType(linalg::LinalgOp dot) {
  Builder b(dot.getContext());
  Type element = getElementTypeOrSelf(dot.getDpsInputs()[0].getType());
  Type result = getElementTypeOrSelf(dot.getDpsInits()[0].getType());
  if (element.isF64() || result.isF64())
    return b.getF64Type();
  if (isa<FloatType>(element) || element.getIntOrFloatBitWidth() <= 8)
    return b.getF32Type();
  return result;
}

/// Makes operands of a wider type, each as early as it can be: a block is
/// widened where it is read, so that it is not copied once more.
class Widener {
public:
  explicit Widener(linalg::LinalgOp dot) : dot(dot), rewriter(dot.getContext()), to(computeType(dot)) {}

  void run() {
    rewriter.setInsertionPoint(dot);
    SmallVector<Value> inputs;
    for (Value input : dot.getDpsInputs())
      inputs.push_back(widen(input));
    if (llvm::equal(inputs, dot.getDpsInputs()))
      return;
    Location loc = dot.getLoc();
    Operation *wide;
    if (isa<linalg::MatmulOp>(dot.getOperation()))
      wide = linalg::MatmulOp::create(rewriter, loc, dot->getResultTypes(), inputs, dot.getDpsInits());
    else
      wide = linalg::BatchMatmulOp::create(rewriter, loc, dot->getResultTypes(), inputs, dot.getDpsInits());
    wide->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
    rewriter.replaceOp(dot, wide);
    for (Operation *op : replaced)
      rewriter.eraseOp(op);
  }

private:
  /// `tensor` with elements of type `to`, which holds each of its values.
  Value widen(Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Type from = type.getElementType(), wide = type.clone(to);
    if (from == to)
      return tensor;
    if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
      replaced.push_back(part); // before what it is a part of
      Value whole = widen(part.getSource());
      return tensor::ExtractSliceOp::create(rewriter, tensor.getLoc(), cast<RankedTensorType>(wide), whole,
                                            part.getMixedOffsets(), part.getMixedSizes(),
                                            part.getMixedStrides());
    }
    auto branch = tensor.getDefiningOp<scf::IfOp>();
    if (branch && branch.getNumResults() == 1 && tensor.hasOneUse())
      return widenBranches(branch, wide);
    Location loc = tensor.getLoc();
    if (isa<FloatType>(from))
      return arith::ExtFOp::create(rewriter, loc, wide, tensor);
    if (isa<FloatType>(to))
      return arith::SIToFPOp::create(rewriter, loc, wide, tensor);
    return arith::ExtSIOp::create(rewriter, loc, wide, tensor);
  }

  Value widenBranches(scf::IfOp branch, Type wide) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch);
    auto result = scf::IfOp::create(rewriter, branch.getLoc(), TypeRange{wide}, branch.getCondition(),
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
    result.getThenRegion().takeBody(branch.getThenRegion());
    result.getElseRegion().takeBody(branch.getElseRegion());
    for (scf::YieldOp yield : {result.thenYield(), result.elseYield()}) {
      rewriter.setInsertionPoint(yield);
      yield->setOperand(0, widen(yield->getOperand(0)));
    }
    replaced.push_back(branch);
    return result.getResult(0);
  }

  linalg::LinalgOp dot;
  IRRewriter rewriter;
  Type to;
  SmallVector<Operation *> replaced;
};

/// One product after the other.
LogicalResult unrollBatch(IRRewriter &rewriter, linalg::BatchMatmulOp batch) {
  Location loc = batch.getLoc();
  rewriter.setInsertionPoint(batch);
  auto type = cast<RankedTensorType>(batch.getResult(0).getType());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value count = arith::ConstantIndexOp::create(rewriter, loc, type.getDimSize(0));
  auto loop = scf::ForOp::create(rewriter, loc, zero, count, one, batch.getDpsInits());
  rewriter.setInsertionPointToStart(loop.getBody());
  auto matrix = [&](Value tensor) -> Value {
    auto whole = cast<RankedTensorType>(tensor.getType());
    SmallVector<OpFoldResult> offsets{loop.getInductionVar(), rewriter.getIndexAttr(0),
                                      rewriter.getIndexAttr(0)};
    SmallVector<OpFoldResult> sizes{rewriter.getIndexAttr(1), rewriter.getIndexAttr(whole.getDimSize(1)),
                                    rewriter.getIndexAttr(whole.getDimSize(2))};
    SmallVector<OpFoldResult> strides(3, rewriter.getIndexAttr(1));
    auto part = RankedTensorType::get(whole.getShape().drop_front(), whole.getElementType());
    return tensor::ExtractSliceOp::create(rewriter, loc, part, tensor, offsets, sizes, strides);
  };
  Value carried = loop.getRegionIterArg(0);
  Value into = matrix(carried);
  auto product = linalg::MatmulOp::create(
      rewriter, loc, TypeRange{into.getType()},
      ValueRange{matrix(batch.getDpsInputs()[0]), matrix(batch.getDpsInputs()[1])}, ValueRange{into});
  auto slice = into.getDefiningOp<tensor::ExtractSliceOp>();
  Value whole =
      tensor::InsertSliceOp::create(rewriter, loc, product.getResult(0), carried, slice.getMixedOffsets(),
                                    slice.getMixedSizes(), slice.getMixedStrides());
  scf::YieldOp::create(rewriter, loc, whole);
  rewriter.replaceOp(batch, loop.getResults());
  return success();
}

bool isZero(Value tensor) {
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = part.getSource();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    tensor = fill.getInputs()[0];
  return matchPattern(tensor, m_AnyZeroFloat()) || matchPattern(tensor, m_Zero());
}

/// What a loop over products starts with is filled where it is one number, not
/// copied from a constant of its size.
void fillStarts(IRRewriter &rewriter, scf::ForOp loop) {
  for (OpOperand &start : loop.getInitArgsMutable()) {
    DenseElementsAttr splat;
    auto type = dyn_cast<RankedTensorType>(start.get().getType());
    if (!type || type.getRank() < 2 || !matchPattern(start.get(), m_Constant(&splat)) || !splat.isSplat())
      continue;
    rewriter.setInsertionPoint(loop);
    Location loc = loop.getLoc();
    Value number = arith::ConstantOp::create(rewriter, loc, splat.getSplatValue<TypedAttr>());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    start.set(linalg::FillOp::create(rewriter, loc, number, empty).getResult(0));
  }
}

struct CpuPrepareDots : flagtree::cpu::impl::CpuPrepareDotsBase<CpuPrepareDots> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> dots;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
        dots.push_back(op);
    });
    for (linalg::LinalgOp dot : dots)
      Widener(dot).run();
    SmallVector<linalg::BatchMatmulOp> batches;
    getOperation().walk([&](linalg::BatchMatmulOp batch) { batches.push_back(batch); });
    for (linalg::BatchMatmulOp batch : batches)
      if (failed(unrollBatch(rewriter, batch)))
        return signalPassFailure();
    getOperation().walk([&](linalg::MatmulOp dot) {
      if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp()))
        fillStarts(rewriter, loop);
      OpOperand *init = dot.getDpsInitOperand(0);
      if (!isZero(init->get()))
        return;
      auto part = init->get().getDefiningOp<tensor::ExtractSliceOp>();
      Value zero = part ? part.getSource() : init->get();
      auto type = cast<RankedTensorType>(zero.getType());
      rewriter.setInsertionPoint(part ? part : dot.getOperation());
      Value empty = tensor::EmptyOp::create(rewriter, dot.getLoc(), type.getShape(), type.getElementType());
      if (part) {
        // What is not computed is not stored either.
        part.getSourceMutable().assign(empty);
        for (Operation *user : dot->getUsers())
          if (auto whole = dyn_cast<tensor::InsertSliceOp>(user); whole && whole.getDest() == zero)
            whole.getDestMutable().assign(empty);
      } else {
        init->set(empty);
      }
      dot->setAttr(flagtree::cpu::overwritesAttr, rewriter.getUnitAttr());
    });
  }
};

} // namespace
