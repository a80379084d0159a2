// SPDX-License-Identifier: MIT
// Prints and assertions.
#include "Patterns.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace flagtree;

static Type like(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

namespace {

/// The host knows integers of 8 bits and more, fp32 and fp64.
struct ConvertPrint : OpConversionPattern<tt::PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (Value value : adaptor.getArgs())
      values.push_back(printable(rewriter, op.getLoc(), value));
    rewriter.replaceOpWithNewOp<flir::PrintOp>(op, op.getPrefix(), op.getHex(), op.getIsSigned(), values);
    return success();
  }

private:
  static Value printable(OpBuilder &b, Location loc, Value value) {
    Type type = value.getType(), element = getElementTypeOrSelf(type);
    if (isa<LLVM::LLVMPointerType>(type))
      return LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), value);
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
      return arith::ExtFOp::create(b, loc, like(type, b.getF32Type()), value);
    if (element.isInteger(1))
      return arith::ExtUIOp::create(b, loc, like(type, b.getI8Type()), value);
    return value;
  }
};

struct ConvertAssert : OpConversionPattern<tt::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value condition = adaptor.getCondition();
    if (!getElementTypeOrSelf(condition.getType()).isInteger(1)) {
      Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(condition.getType()));
      condition = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, condition, zero);
    }
    if (auto type = dyn_cast<RankedTensorType>(condition.getType()))
      condition = holdsEverywhere(rewriter, loc, condition, type);
    rewriter.replaceOpWithNewOp<flir::AssertOp>(op, condition, op.getMessage());
    return success();
  }

private:
  static Value holdsEverywhere(OpBuilder &b, Location loc, Value condition, RankedTensorType type) {
    Value empty = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{}, b.getI1Type());
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value start = linalg::FillOp::create(b, loc, yes, empty).getResult(0);
    auto reduce = linalg::ReduceOp::create(
        b, loc, ValueRange{condition}, ValueRange{start},
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())),
        [](OpBuilder &inner, Location loc, ValueRange args) {
          linalg::YieldOp::create(inner, loc,
                                  arith::AndIOp::create(inner, loc, args[0], args[1]).getResult());
        });
    return tensor::ExtractOp::create(b, loc, reduce.getResult(0), ValueRange{});
  }
};

} // namespace

void flagtree::populateProgramPatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertPrint, ConvertAssert>(types, patterns.getContext());
}
