// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIREXPANDHISTOGRAM
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

Value isSet(OpBuilder &b, Location loc, Value mask, Value i) {
  Value byte = tensor::ExtractOp::create(b, loc, mask, i);
  Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte, zero);
}

/// One element after the other, without a branch: what is not counted adds 0 to the first bin.
void expand(flir::HistogramOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  auto source = cast<RankedTensorType>(op.getSource().getType());
  Type count = type.getElementType(), element = source.getElementType();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(count));
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), count);
  Value start = linalg::FillOp::create(b, loc, none, empty).getResult(0);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  Value zero = index(0), bins = index(type.getNumElements());
  auto body = [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
    Value value = tensor::ExtractOp::create(b, loc, op.getSource(), i);
    // As an unsigned number a negative one is too large, and small types can name all bins.
    Value bin = element.getIntOrFloatBitWidth() < 64
                    ? arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                 arith::ExtUIOp::create(b, loc, b.getI64Type(), value))
                          .getResult()
                    : arith::IndexCastOp::create(b, loc, b.getIndexType(), value).getResult();
    Value counts = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, bin, bins);
    if (op.getMask())
      counts = arith::AndIOp::create(b, loc, counts, isSet(b, loc, op.getMask(), i));
    bin = arith::SelectOp::create(b, loc, counts, bin, zero);
    Value before = tensor::ExtractOp::create(b, loc, carried[0], bin);
    Value more = count.isInteger(1) ? counts : arith::ExtUIOp::create(b, loc, count, counts).getResult();
    Value after = arith::AddIOp::create(b, loc, before, more);
    Value next = tensor::InsertOp::create(b, loc, after, carried[0], bin);
    scf::YieldOp::create(b, loc, next);
  };
  auto loop =
      scf::ForOp::create(b, loc, zero, index(source.getNumElements()), index(1), ValueRange{start}, body);
  op.replaceAllUsesWith(loop.getResult(0));
  op.erase();
}

struct FLIRExpandHistogram : flagtree::impl::FLIRExpandHistogramBase<FLIRExpandHistogram> {
  void runOnOperation() override {
    getOperation().walk([](flir::HistogramOp op) { expand(op); });
  }
};

} // namespace
