// SPDX-License-Identifier: MIT
// Arithmetic on pointers that no structured access took over: scalars become
// llvm pointers, tensors of pointers tensors of addresses.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace flagtree;

/// Bytes of what a pointer points to; i1 is stored as a byte.
static int64_t pointeeBytes(Type type) {
  Type pointee = cast<tt::PointerType>(getElementTypeOrSelf(type)).getPointeeType();
  return isa<tt::PointerType>(pointee) ? 8 : llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
}

static Value widen(OpBuilder &builder, Location loc, Value offset) {
  Type type = builder.getI64Type();
  if (auto shaped = dyn_cast<ShapedType>(offset.getType()))
    type = shaped.clone(type);
  return offset.getType() == type ? offset : arith::ExtSIOp::create(builder, loc, type, offset);
}

namespace {

struct ConvertAddPtr : OpConversionPattern<tt::AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::AddPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value offset = widen(rewriter, loc, adaptor.getOffset());
    int64_t bytes = pointeeBytes(op.getType());
    if (auto type = dyn_cast<RankedTensorType>(offset.getType())) {
      Value size = arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, bytes));
      Value distance = arith::MulIOp::create(rewriter, loc, offset, size);
      rewriter.replaceOpWithNewOp<arith::AddIOp>(op, adaptor.getPtr(), distance);
      return success();
    }
    Value size = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(bytes));
    Value distance = arith::MulIOp::create(rewriter, loc, offset, size);
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, adaptor.getPtr().getType(), rewriter.getI8Type(),
                                             adaptor.getPtr(), distance);
    return success();
  }
};

struct ConvertSplat : OpConversionPattern<tt::SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value scalar = adaptor.getSrc();
    if (isa<LLVM::LLVMPointerType>(scalar.getType()))
      scalar = LLVM::PtrToIntOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), scalar);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, scalar, empty);
    return success();
  }
};

/// Tensors of pointers are tensors of integers already.
template <typename Scalar, typename Op> struct ConvertPtrCast : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (isa<ShapedType>(type))
      rewriter.replaceOp(op, adaptor.getSrc());
    else
      rewriter.replaceOpWithNewOp<Scalar>(op, type, adaptor.getSrc());
    return success();
  }
};

struct ConvertBitcast : OpConversionPattern<tt::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isa<tt::PointerType>(getElementTypeOrSelf(op.getType())))
      rewriter.replaceOp(op, adaptor.getSrc());
    else
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), adaptor.getSrc());
    return success();
  }
};

} // namespace

void flagtree::populatePointerPatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertAddPtr, ConvertSplat, ConvertPtrCast<LLVM::IntToPtrOp, tt::IntToPtrOp>,
               ConvertPtrCast<LLVM::PtrToIntOp, tt::PtrToIntOp>, ConvertBitcast>(types,
                                                                                 patterns.getContext());
}
