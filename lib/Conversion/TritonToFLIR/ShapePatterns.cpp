// SPDX-License-Identifier: MIT
// Ranges and changes of shape.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace flagtree;

static Value emptyTensor(OpBuilder &builder, Location loc, RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}

namespace {

struct ConvertMakeRange : OpConversionPattern<tt::MakeRangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MakeRangeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto start = static_cast<int32_t>(op.getStart());
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange{type}, ValueRange{}, ValueRange{emptyTensor(rewriter, op.getLoc(), type)},
        ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(1)},
        ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
        [&](OpBuilder &b, Location loc, ValueRange) {
          Value index = linalg::IndexOp::create(b, loc, 0);
          Value number = arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
          if (start != 0)
            number = arith::AddIOp::create(b, loc, number,
                                           arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(start)));
          linalg::YieldOp::create(b, loc, number);
        });
    return success();
  }
};

struct ConvertExpandDims : OpConversionPattern<tt::ExpandDimsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ExpandDimsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto from = cast<RankedTensorType>(adaptor.getSrc().getType());
    std::optional<SmallVector<ReassociationIndices>> groups = getReassociationIndicesForReshape(from, type);
    if (!groups)
      return failure();
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, adaptor.getSrc(), *groups);
    return success();
  }
};

/// A broadcast reads its source with a map; dimensions of size 1 that were put
/// in just before are left out of it, so that no reshape stands in between.
struct ConvertBroadcast : OpConversionPattern<tt::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value source = adaptor.getSrc();
    SmallVector<AffineExpr> results;
    auto from = cast<RankedTensorType>(source.getType());
    for (auto [dim, size] : llvm::enumerate(from.getShape()))
      results.push_back(size == type.getDimSize(dim) ? rewriter.getAffineDimExpr(dim)
                                                     : rewriter.getAffineConstantExpr(0));
    while (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>()) {
      auto inner = cast<RankedTensorType>(expand.getSrc().getType());
      SmallVector<AffineExpr> kept;
      for (const ReassociationIndices &group : expand.getReassociationIndices()) {
        // The one dimension of the group that is not of size 1 carries the data.
        auto carrier = llvm::find_if(group, [&](int64_t dim) {
          return cast<RankedTensorType>(expand.getType()).getDimSize(dim) != 1;
        });
        kept.push_back(results[carrier == group.end() ? group.front() : *carrier]);
      }
      if (static_cast<int64_t>(kept.size()) != inner.getRank())
        break;
      results = std::move(kept);
      source = expand.getSrc();
    }
    int64_t rank = type.getRank();
    AffineMap read = AffineMap::get(rank, 0, results, getContext());
    SmallVector<AffineMap> maps{read, rewriter.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange{type}, ValueRange{source}, ValueRange{emptyTensor(rewriter, op.getLoc(), type)}, maps,
        loops, [](OpBuilder &b, Location loc, ValueRange args) { linalg::YieldOp::create(b, loc, args[0]); });
    return success();
  }
};

struct ConvertTrans : OpConversionPattern<tt::TransOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::TransOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<int64_t> order(op.getOrder().begin(), op.getOrder().end());
    auto transpose = linalg::TransposeOp::create(rewriter, op.getLoc(), adaptor.getSrc(),
                                                 emptyTensor(rewriter, op.getLoc(), type), order);
    rewriter.replaceOp(op, transpose);
    return success();
  }
};

/// Row-major order is kept, which also serves `allow_reorder`.
struct ConvertReshape : OpConversionPattern<tt::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto from = cast<RankedTensorType>(adaptor.getSrc().getType());
    Value flat = adaptor.getSrc();
    auto allDims = [](int64_t rank) {
      auto dims = llvm::seq<int64_t>(0, rank);
      return SmallVector<ReassociationIndices>{ReassociationIndices(dims.begin(), dims.end())};
    };
    if (from.getRank() > 1)
      flat = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), flat, allDims(from.getRank()));
    if (type.getRank() > 1)
      flat = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, flat, allDims(type.getRank()));
    rewriter.replaceOp(op, flat);
    return success();
  }
};

struct ConvertUnsplat : OpConversionPattern<tt::UnsplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::UnsplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(adaptor.getSrc().getType());
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, adaptor.getSrc(),
                                                   SmallVector<Value>(from.getRank(), zero));
    return success();
  }
};

} // namespace

void flagtree::populateShapePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertMakeRange, ConvertExpandDims, ConvertBroadcast, ConvertTrans, ConvertReshape,
               ConvertUnsplat>(types, patterns.getContext());
}
