// SPDX-License-Identifier: MIT
#include "Contiguity.h"
#include "HoistReductions.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Passes.h"

#include "VectorizeCombines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRVECTORIZE
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

static VectorType vectorOf(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return VectorType::get(type.getShape(), type.getElementType());
}

/// The tensor that holds just `vector`.
static Value tensorOf(OpBuilder &b, Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<Value> zeros(type.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferWriteOp::create(b, loc, vector, empty, zeros, ArrayRef<bool>(inBounds)).getResult();
}

/// All of a tensor as a vector.
static Value vectorIn(OpBuilder &b, Location loc, Value tensor) {
  VectorType type = vectorOf(tensor.getType());
  SmallVector<Value> zeros(type.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<bool> inBounds(type.getRank(), true);
  Value pad = ub::PoisonOp::create(b, loc, type.getElementType());
  return vector::TransferReadOp::create(b, loc, type, tensor, zeros, pad, ArrayRef<bool>(inBounds));
}

/// The vector of which `tensor` was made with `tensorOf`, or by linalg's
/// vectoriser in the same form; null otherwise.
static Value wholeVector(Value tensor) {
  auto write = tensor.getDefiningOp<vector::TransferWriteOp>();
  if (!write || write.getMask() || !write.getPermutationMap().isIdentity())
    return {};
  auto type = cast<RankedTensorType>(tensor.getType());
  if (write.getVectorType().getShape() != type.getShape())
    return {};
  bool atZero = llvm::all_of(write.getIndices(), [](Value index) { return isConstantIntValue(index, 0); });
  return atZero ? Value(write.getVector()) : Value();
}

//===----------------------------------------------------------------------===//
// FLIR's accesses
//===----------------------------------------------------------------------===//

/// The same operation on vectors.
static void vectorizeAccess(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType()) ? vectorIn(b, loc, operand) : operand);
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(isa<RankedTensorType>(type) ? vectorOf(type) : type);
  Operation *vectorized = b.create(loc, op->getName().getIdentifier(), operands, types, op->getAttrs());
  for (auto [old, result] : llvm::zip_equal(op->getResults(), vectorized->getResults()))
    old.replaceAllUsesWith(isa<RankedTensorType>(old.getType()) ? tensorOf(b, loc, result) : result);
  op->erase();
}

static void vectorizeShuffle(flir::XorShuffleOp op) {
  OpBuilder b(op);
  Value vector = vectorIn(b, op.getLoc(), op.getSource());
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < cast<VectorType>(vector.getType()).getNumElements(); ++lane)
    lanes.push_back(lane ^ static_cast<int64_t>(op.getDistance()));
  Value shuffled = vector::ShuffleOp::create(b, op.getLoc(), vector, vector, lanes);
  op.replaceAllUsesWith(tensorOf(b, op.getLoc(), shuffled));
  op.erase();
}

/// A tile that is scanned, or reduced to the end.
static void vectorizeCombine(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> vectors =
      llvm::map_to_vector(op->getOperands(), [&](Value tile) { return vectorIn(b, loc, tile); });
  auto scan = dyn_cast<flir::ScanOp>(op);
  vectors = scan ? scanVectors(b, scan, vectors) : reduceVectors(b, cast<flir::ReduceOp>(op), vectors);
  for (auto [result, vector] : llvm::zip_equal(op->getResults(), vectors))
    result.replaceAllUsesWith(tensorOf(b, loc, vector));
  op->erase();
}

//===----------------------------------------------------------------------===//
// Patterns that let values pass from vector to vector
//===----------------------------------------------------------------------===//

namespace {

/// A read of a whole tile through any map of dimensions and zeros is a
/// transposition and a broadcast.
struct ForwardRead : OpRewritePattern<vector::TransferReadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::TransferReadOp read, PatternRewriter &rewriter) const override {
    Value source = wholeVector(read.getBase());
    if (!source || read.getMask() ||
        !llvm::all_of(read.getIndices(), [](Value index) { return isConstantIntValue(index, 0); }))
      return failure();
    auto from = cast<VectorType>(source.getType());
    VectorType to = read.getVectorType();
    SmallVector<int64_t> order, shape; // dimensions of the source in use; their sizes among ones
    for (auto [dim, expr] : llvm::enumerate(read.getPermutationMap().getResults())) {
      if (auto position = dyn_cast<AffineDimExpr>(expr)) {
        if (from.getDimSize(position.getPosition()) != to.getDimSize(dim))
          return failure();
        order.push_back(position.getPosition());
        shape.push_back(to.getDimSize(dim));
      } else {
        shape.push_back(1);
      }
    }
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      if (llvm::is_contained(order, dim))
        kept.push_back(dim);
      else if (from.getDimSize(dim) != 1)
        return failure();
    }
    Location loc = read.getLoc();
    Value value = source;
    auto cast = [&](ArrayRef<int64_t> shape) {
      auto type = VectorType::get(shape, from.getElementType());
      if (value.getType() != type)
        value = vector::ShapeCastOp::create(rewriter, loc, type, value);
    };
    SmallVector<int64_t> keptShape, permutation;
    for (int64_t dim : kept)
      keptShape.push_back(from.getDimSize(dim));
    cast(keptShape);
    for (int64_t dim : order)
      permutation.push_back(llvm::find(kept, dim) - kept.begin());
    if (!llvm::is_sorted(permutation))
      value = vector::TransposeOp::create(rewriter, loc, value, permutation);
    cast(shape);
    if (value.getType() != to)
      value = vector::BroadcastOp::create(rewriter, loc, to, value);
    rewriter.replaceOp(read, value);
    return success();
  }
};

struct ForwardExtract : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp extract, PatternRewriter &rewriter) const override {
    Value source = wholeVector(extract.getTensor());
    if (!source)
      return failure();
    SmallVector<OpFoldResult> position = getAsOpFoldResult(extract.getIndices());
    rewriter.replaceOpWithNewOp<vector::ExtractOp>(extract, source, position);
    return success();
  }
};

template <typename Op> struct ForwardReshape : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op reshape, PatternRewriter &rewriter) const override {
    Value source = wholeVector(reshape.getSrc());
    if (!source)
      return failure();
    Value value =
        vector::ShapeCastOp::create(rewriter, reshape.getLoc(), vectorOf(reshape.getType()), source);
    rewriter.replaceOp(reshape, tensorOf(rewriter, reshape.getLoc(), value));
    return success();
  }
};

/// Floating-point reductions may be done in any order: the language defines
/// none, and a chain of dependent additions costs four cycles each.
struct ReassociateReduction : OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ReductionOp reduction, PatternRewriter &rewriter) const override {
    auto reassoc = arith::FastMathFlags::reassoc;
    if (!isa<FloatType>(reduction.getSourceVectorType().getElementType()) ||
        bitEnumContainsAll(reduction.getFastmath(), reassoc))
      return failure();
    rewriter.modifyOpInPlace(reduction, [&] { reduction.setFastmath(reduction.getFastmath() | reassoc); });
    return success();
  }
};

struct FLIRVectorize : flagtree::impl::FLIRVectorizeBase<FLIRVectorize> {
  void runOnOperation() override {
    if (failed(vectorizeOperations()) || failed(forward()))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<LoopLikeOpInterface> loops;
    getOperation().walk([&](LoopLikeOpInterface loop) { loops.push_back(loop); });
    for (LoopLikeOpInterface loop : loops)
      (void)hoistLoopInvariantSubsets(rewriter, loop);
    if (failed(lowerReductions()))
      return signalPassFailure();
    hoistReductions(getOperation());
    if (failed(writeInPlace()))
      signalPassFailure();
  }

private:
  LogicalResult vectorizeOperations() {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (linalgOp ? linalgOp.hasPureTensorSemantics() && !isa<linalg::ContractionOpInterface>(op)
                   : flir::isOnTensors(op))
        operations.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : operations) {
      if (auto shuffle = dyn_cast<flir::XorShuffleOp>(op)) {
        vectorizeShuffle(shuffle);
        continue;
      }
      if (isa<flir::ReduceOp, flir::ScanOp>(op)) {
        vectorizeCombine(op);
        continue;
      }
      if (!isa<linalg::LinalgOp>(op)) {
        vectorizeAccess(op);
        continue;
      }
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::VectorizationResult> result = linalg::vectorize(
          rewriter, op, /*inputVectorSizes=*/{}, /*inputScalableVecDims=*/{}, /*vectorizeNDExtract=*/true);
      if (failed(result))
        return op->emitError("cannot vectorise this operation");
      rewriter.replaceOp(op, result->replacements);
    }
    return success();
  }

  LogicalResult forward() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ForwardRead, ForwardExtract, ForwardReshape<tensor::ExpandShapeOp>,
                 ForwardReshape<tensor::CollapseShapeOp>>(context);
    populateContiguousAccessPatterns(patterns);
    vector::populateSinkVectorOpsPatterns(patterns);
    vector::TransposeOp::getCanonicalizationPatterns(patterns, context);
    vector::MultiDimReductionOp::getCanonicalizationPatterns(patterns, context); // over one element
    vector::TransferReadOp::getCanonicalizationPatterns(patterns, context);
    vector::TransferWriteOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
    tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// Tiles of a larger tensor are written there, not into tensors of their own
  /// that are copied.
  LogicalResult writeInPlace() {
    RewritePatternSet patterns(&getContext());
    tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult lowerReductions() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    patterns.add<ReassociateReduction, ForwardRead, ForwardExtract>(context);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
