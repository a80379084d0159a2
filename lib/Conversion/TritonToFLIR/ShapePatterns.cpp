// SPDX-License-Identifier: MIT
// Ranges and changes of shape.
#include "Patterns.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
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

/// Booleans that are read in other tiles than they were written in are bytes:
/// a vector of them has a bit for each.
static Value asBytes(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isInteger(1))
    return value;
  return arith::ExtUIOp::create(b, loc, type.clone(b.getI8Type()), value);
}

static Value fromBytes(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type ? value : arith::TruncIOp::create(b, loc, type, value).getResult();
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
    Value flat = asBytes(rewriter, op.getLoc(), adaptor.getSrc());
    auto allDims = [](int64_t rank) {
      auto dims = llvm::seq<int64_t>(0, rank);
      return SmallVector<ReassociationIndices>{ReassociationIndices(dims.begin(), dims.end())};
    };
    if (from.getRank() > 1)
      flat = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), flat, allDims(from.getRank()));
    if (type.getRank() > 1)
      flat = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type.clone(getElementTypeOrSelf(flat)),
                                           flat, allDims(type.getRank()));
    rewriter.replaceOp(op, fromBytes(rewriter, op.getLoc(), flat, type));
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

struct ConvertJoin : OpConversionPattern<tt::JoinOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::JoinOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    int64_t rank = type.getRank(), last = rank - 1;
    AffineMap whole = rewriter.getMultiDimIdentityMap(rank), half = whole.dropResult(last);
    SmallVector<AffineMap> maps{half, half, whole};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange{type}, adaptor.getOperands(), ValueRange{emptyTensor(rewriter, op.getLoc(), type)},
        maps, loops, [&](OpBuilder &b, Location loc, ValueRange args) {
          Value side = linalg::IndexOp::create(b, loc, last);
          Value left = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, side,
                                             arith::ConstantIndexOp::create(b, loc, 0));
          Value value = arith::SelectOp::create(b, loc, left, args[0], args[1]);
          linalg::YieldOp::create(b, loc, value);
        });
    return success();
  }
};

struct ConvertSplit : OpConversionPattern<tt::SplitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::SplitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = asBytes(rewriter, loc, adaptor.getSrc());
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getOutLHS().getType());
    auto half = type.clone(getElementTypeOrSelf(source));
    int64_t rank = type.getRank();
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    SmallVector<Value> halves;
    for (int64_t side : {0, 1}) {
      auto generic = linalg::GenericOp::create(
          rewriter, loc, TypeRange{half}, ValueRange{}, ValueRange{emptyTensor(rewriter, loc, half)},
          ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(rank)}, loops,
          [&](OpBuilder &b, Location loc, ValueRange) {
            SmallVector<Value> position;
            for (int64_t dim = 0; dim < rank; ++dim)
              position.push_back(linalg::IndexOp::create(b, loc, dim));
            position.push_back(arith::ConstantIndexOp::create(b, loc, side));
            Value value = tensor::ExtractOp::create(b, loc, source, position);
            linalg::YieldOp::create(b, loc, value);
          });
      halves.push_back(fromBytes(rewriter, loc, generic.getResult(0), type));
    }
    rewriter.replaceOp(op, halves);
    return success();
  }
};

struct ConvertCat : OpConversionPattern<tt::CatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::CatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Type element = type.getElementType().isInteger(1) ? rewriter.getI8Type() : type.getElementType();
    Value whole = emptyTensor(rewriter, op.getLoc(), type.clone(element));
    int64_t start = 0;
    for (Value part : adaptor.getOperands()) {
      part = asBytes(rewriter, op.getLoc(), part);
      auto shape = cast<RankedTensorType>(part.getType()).getShape();
      SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)),
          ones(shape.size(), rewriter.getIndexAttr(1)), sizes = getAsIndexOpFoldResult(getContext(), shape);
      offsets[0] = rewriter.getIndexAttr(start);
      whole = tensor::InsertSliceOp::create(rewriter, op.getLoc(), part, whole, offsets, sizes, ones);
      start += shape[0];
    }
    rewriter.replaceOp(op, fromBytes(rewriter, op.getLoc(), whole, type));
    return success();
  }
};

/// An index is kept inside of the axis: what is out of bounds is undefined, but must not fault.
struct ConvertGather : OpConversionPattern<tt::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value source = asBytes(rewriter, loc, adaptor.getSrc());
    auto picked = type.clone(getElementTypeOrSelf(source));
    int64_t rank = type.getRank(), axis = op.getAxis();
    int64_t size = cast<RankedTensorType>(source.getType()).getDimSize(axis);
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto gather =
        linalg::GenericOp::create(rewriter, loc, TypeRange{picked}, ValueRange{adaptor.getIndices()},
                                  ValueRange{emptyTensor(rewriter, loc, picked)}, maps, loops,
                                  [&](OpBuilder &b, Location loc, ValueRange args) {
                                    SmallVector<Value> position;
                                    for (int64_t dim = 0; dim < rank; ++dim)
                                      if (dim != axis)
                                        position.push_back(linalg::IndexOp::create(b, loc, dim));
                                    Value index =
                                        arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
                                    Value last = arith::ConstantIndexOp::create(b, loc, size - 1);
                                    index = arith::MinUIOp::create(b, loc, index, last);
                                    position.insert(position.begin() + axis, index);
                                    Value value = tensor::ExtractOp::create(b, loc, source, position);
                                    linalg::YieldOp::create(b, loc, value);
                                  });
    rewriter.replaceOp(op, fromBytes(rewriter, loc, gather.getResult(0), type));
    return success();
  }
};

struct ConvertHistogram : OpConversionPattern<tt::HistogramOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::HistogramOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value mask = adaptor.getMask() ? asBytes(rewriter, op.getLoc(), adaptor.getMask()) : Value();
    rewriter.replaceOpWithNewOp<flir::HistogramOp>(op, op.getType(), adaptor.getSrc(), mask);
    return success();
  }
};

} // namespace

void flagtree::populateShapePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertMakeRange, ConvertExpandDims, ConvertBroadcast, ConvertTrans, ConvertReshape,
               ConvertUnsplat, ConvertJoin, ConvertSplit, ConvertCat, ConvertGather, ConvertHistogram>(
      types, patterns.getContext());
}
