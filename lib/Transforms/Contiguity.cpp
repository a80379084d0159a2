// SPDX-License-Identifier: MIT
#include "Contiguity.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace flagtree;

//===----------------------------------------------------------------------===//
// Which loop
//===----------------------------------------------------------------------===//

namespace {

class ContiguityFinder {
public:
  ContiguityFinder(int64_t loops, llvm::function_ref<bool(Operation *)> isFused)
      : innermost(loops - 1), isFused(isFused) {}

  std::optional<ContiguousLoop> find(TilingInterface root) {
    // A tensor that a root gives is kept row by row.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(*root);
    rowsUsed = isa<flir::LoadOp, flir::GatherOp>(*root) || (linalgOp && linalgOp.getNumReductionLoops() == 0);
    visit(root, llvm::to_vector(llvm::seq<int64_t>(0, innermost + 1)));
    // Producers are found by widening circles, so the first one is the nearest.
    for (size_t next = 0; next < work.size(); ++next) {
      auto [op, loops] = work[next];
      visit(op, loops);
    }
    if (found)
      found->transposes = rowsUsed;
    return found;
  }

private:
  /// `loops` gives the root's loop for each dimension of what `op` accesses or
  /// computes; -1: none.
  void visit(Operation *op, ArrayRef<int64_t> loops) {
    if (auto load = dyn_cast<flir::LoadOp>(op)) {
      visitAccess(load, loops);
    } else if (auto store = dyn_cast<flir::StoreOp>(op)) {
      visitAccess(store, loops);
      push(store.getValue(), SmallVector<int64_t>(loops));
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      visitLinalg(linalgOp, loops);
    }
  }

  template <typename Op> void visitAccess(Op access, ArrayRef<int64_t> loops) {
    std::optional<int64_t> contiguous;
    bool strided = false;
    SmallVector<OpFoldResult> strides = access.getMixedStrides();
    SmallVector<Value> indices = access.getIndexOfDims();
    for (auto [dim, size] : llvm::enumerate(access.getBlockShape())) {
      if (size == 1 || loops[dim] < 0)
        continue;
      if (isConstantIntValue(strides[dim], 1) && !indices[dim]) {
        if (loops[dim] == innermost)
          rowsUsed = true;
        else
          contiguous = loops[dim];
      } else if (loops[dim] == innermost && (indices[dim] || !isConstantIntValue(strides[dim], 0))) {
        strided = true;
      }
    }
    if (!contiguous || !strided)
      return;
    int64_t bytes = llvm::divideCeil(getElementTypeOrSelf(access.getBlockType()).getIntOrFloatBitWidth(), 8);
    if (!found)
      found = ContiguousLoop{*contiguous, false, bytes};
    else if (found->loop == *contiguous)
      found->elementBytes = std::max(found->elementBytes, bytes);
  }

  void visitLinalg(linalg::LinalgOp op, ArrayRef<int64_t> loops) {
    SmallVector<int64_t> own(op.getNumLoops(), -1);
    if (isRoot(loops, op)) {
      own.assign(loops.begin(), loops.end());
    } else {
      AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      for (auto [dim, expr] : llvm::enumerate(result.getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          own[loop.getPosition()] = loops[dim];
    }
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(input->get().getType()))
        continue;
      SmallVector<int64_t> inner;
      for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        inner.push_back(loop ? own[loop.getPosition()] : -1);
      }
      push(input->get(), std::move(inner));
    }
  }

  /// The root's own loops are meant, not the dimensions of its result.
  bool isRoot(ArrayRef<int64_t> loops, linalg::LinalgOp op) {
    return work.empty() && static_cast<int64_t>(loops.size()) == op.getNumLoops();
  }

  void push(Value value, SmallVector<int64_t> loops) {
    Operation *producer = value.getDefiningOp();
    if (producer && isFused(producer) && seen.insert(producer).second)
      work.push_back({producer, std::move(loops)});
  }

  int64_t innermost;
  llvm::function_ref<bool(Operation *)> isFused;
  SmallVector<std::pair<Operation *, SmallVector<int64_t>>> work;
  llvm::SmallPtrSet<Operation *, 16> seen;
  std::optional<ContiguousLoop> found;
  bool rowsUsed = false;
};

} // namespace

std::optional<ContiguousLoop> flagtree::findContiguousLoop(TilingInterface root,
                                                           llvm::function_ref<bool(Operation *)> isFused) {
  int64_t loops = root.getLoopIteratorTypes().size();
  if (loops < 2)
    return std::nullopt;
  return ContiguityFinder(loops, isFused).find(root);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The order of dimensions that puts the contiguous one last; none when it is
/// last already, or when there is none.
template <typename Op> static std::optional<SmallVector<int64_t>> contiguousLast(Op access) {
  ArrayRef<int64_t> shape = access.getBlockShape();
  SmallVector<OpFoldResult> strides = access.getMixedStrides();
  SmallVector<Value> indices = access.getIndexOfDims();
  int64_t last = access.getRank() - 1;
  if (!isa<VectorType>(access.getBlockType()) || last < 1 ||
      (shape[last] > 1 && !indices[last] &&
       (isConstantIntValue(strides[last], 1) || isConstantIntValue(strides[last], 0))))
    return std::nullopt;
  for (int64_t dim = last - 1; dim >= 0; --dim) {
    if (shape[dim] == 1 || indices[dim] || !isConstantIntValue(strides[dim], 1))
      continue;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
    std::swap(order[dim], order[last]);
    return order;
  }
  return std::nullopt;
}

template <typename T> static SmallVector<T> permute(ArrayRef<T> values, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return values[dim]; });
}

static Value transpose(OpBuilder &b, Location loc, Value vector, ArrayRef<int64_t> order) {
  return vector ? vector::TransposeOp::create(b, loc, vector, order).getResult() : Value();
}

namespace {

struct ContiguousLoad : OpRewritePattern<flir::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(flir::LoadOp load, PatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> order = contiguousLast(load);
    if (!order)
      return failure();
    auto type = cast<VectorType>(load.getType());
    auto permuted = VectorType::get(permute(type.getShape(), *order), type.getElementType());
    auto contiguous =
        flir::LoadOp::create(rewriter, load.getLoc(), permuted, load.getBase(), load.getOffset(),
                             permute<OpFoldResult>(load.getMixedStrides(), *order),
                             permute<OpFoldResult>(load.getMixedExtents(), *order),
                             transpose(rewriter, load.getLoc(), load.getMask(), *order), load.getPad(),
                             permute<Value>(load.getIndexOfDims(), *order));
    contiguous.setIsVolatile(load.getIsVolatile());
    contiguous->setDiscardableAttrs(load->getDiscardableAttrDictionary());
    // Two dimensions change places, so the order is its own inverse.
    rewriter.replaceOp(load, transpose(rewriter, load.getLoc(), contiguous, *order));
    return success();
  }
};

struct ContiguousStore : OpRewritePattern<flir::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(flir::StoreOp store, PatternRewriter &rewriter) const override {
    std::optional<SmallVector<int64_t>> order = contiguousLast(store);
    if (!order)
      return failure();
    Location loc = store.getLoc();
    auto contiguous = flir::StoreOp::create(
        rewriter, loc, transpose(rewriter, loc, store.getValue(), *order), store.getBase(), store.getOffset(),
        permute<OpFoldResult>(store.getMixedStrides(), *order),
        permute<OpFoldResult>(store.getMixedExtents(), *order),
        transpose(rewriter, loc, store.getMask(), *order), permute<Value>(store.getIndexOfDims(), *order));
    contiguous->setDiscardableAttrs(store->getDiscardableAttrDictionary());
    rewriter.eraseOp(store);
    return success();
  }
};

} // namespace

void flagtree::populateContiguousAccessPatterns(RewritePatternSet &patterns) {
  patterns.add<ContiguousLoad, ContiguousStore>(patterns.getContext());
}
