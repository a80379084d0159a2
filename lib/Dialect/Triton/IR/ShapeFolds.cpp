// SPDX-License-Identifier: MIT
// Folding and canonical form of the ops that make and reshape tensors.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace flagtree::tt;

/// A constant that is the same everywhere, in another shape.
static OpFoldResult foldSplat(Attribute source, RankedTensorType type) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(source))
    return splat.resizeSplat(type);
  return {};
}

/// A constant whose elements keep their order in another shape.
static OpFoldResult foldReshape(Attribute source, RankedTensorType type) {
  if (OpFoldResult splat = foldSplat(source, type))
    return splat;
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(source))
    return dense.reshape(type);
  return {};
}

/// Whatever only moves elements about leaves a splat a splat.
template <typename OpT> static LogicalResult rewriteSplat(OpT op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor adaptor) {
  auto type = cast<RankedTensorType>(getType());
  if (type.getNumElements() != 1)
    return {};
  return SplatElementsAttr::get(type, adaptor.getStartAttr().getValue());
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (auto value = adaptor.getSrc(); isa_and_nonnull<IntegerAttr, FloatAttr>(value))
    return SplatElementsAttr::get(getType(), ArrayRef<Attribute>(value));
  return {};
}

OpFoldResult UnsplatOp::fold(FoldAdaptor adaptor) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.getSplatValue<Attribute>();
  if (auto splat = getSrc().getDefiningOp<SplatOp>())
    return splat.getSrc();
  return {};
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldReshape(adaptor.getSrc(), getType()); }
LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  return rewriteSplat(op, rewriter);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (succeeded(rewriteSplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!inner)
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(inner.getSrc()); });
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // With allow_reorder the source is one of the allowed orders.
  if (getSrc().getType() == getType())
    return getSrc();
  return foldReshape(adaptor.getSrc(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (succeeded(rewriteSplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
  if (!inner)
    return failure();
  // Either may have put the elements in any order, so both together may.
  rewriter.modifyOpInPlace(op, [&] {
    op.setAllowReorder(op.getAllowReorder() || inner.getAllowReorder());
    op.getSrcMutable().assign(inner.getSrc());
  });
  return success();
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getOrder(), llvm::seq<int32_t>(0, getOrder().size())))
    return getSrc();
  return foldSplat(adaptor.getSrc(), getType());
}

LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  if (succeeded(rewriteSplat(op, rewriter)))
    return success();
  auto inner = op.getSrc().getDefiningOp<TransOp>();
  if (!inner)
    return failure();
  SmallVector<int32_t> order;
  for (int32_t dim : op.getOrder())
    order.push_back(inner.getOrder()[dim]);
  rewriter.modifyOpInPlace(op, [&] {
    op.setOrder(order);
    op.getSrcMutable().assign(inner.getSrc());
  });
  return success();
}

OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  if (split && getLhs() == split.getOutLHS() && getRhs() == split.getOutRHS())
    return split.getSrc();
  return {};
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto join = getSrc().getDefiningOp<JoinOp>()) {
    results.append({join.getLhs(), join.getRhs()});
    return success();
  }
  if (OpFoldResult half = foldSplat(adaptor.getSrc(), getOutLHS().getType())) {
    results.append({half, half});
    return success();
  }
  return failure();
}
