// SPDX-License-Identifier: MIT
// tt.extern_elementwise: functions of libdevice by the names that CUDA's has,
// so that a kernel written for it compiles as it is.
#include "ExternFunctions.h"
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace flagtree;

static const ExternTable &functions() {
  static const ExternTable table = [] {
    ExternTable made;
    addExternFloatFunctions(made);
    addExternIntegerFunctions(made);
    addExternConversions(made);
    return made;
  }();
  return table;
}

static ExternFunction find(StringRef symbol) {
  return symbol.consume_front("__nv_") ? functions().lookup(symbol) : nullptr;
}

LogicalResult flagtree::checkExternFunction(Operation *op) {
  StringRef symbol = cast<tt::ExternElementwiseOp>(op).getSymbol();
  if (find(symbol))
    return success();
  InFlightDiagnostic error = op->emitError();
  bool rounds = symbol.ends_with("_rd") || symbol.ends_with("_ru") || symbol.ends_with("_rz");
  if (!symbol.consume_front("__nv_"))
    error << "function '" << symbol << "' of a device library is not available on this backend; "
          << "use functions of tl.math or of triton.language.extra.libdevice";
  else if (rounds)
    error << "libdevice function '" << symbol << "' rounds in a way that this backend does not offer; "
          << "use the one that ends in _rn";
  else
    error << "libdevice function '" << symbol << "' is not available on this backend; "
          << "compute it with functions of tl.math";
  if (auto function = op->getParentOfType<func::FuncOp>())
    error << " (kernel '" << function.getName() << "')";
  return error;
}

namespace {

struct ConvertExtern : OpConversionPattern<tt::ExternElementwiseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ExternElementwiseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ExternFunction function = find(op.getSymbol());
    if (!function)
      return failure();
    ExternCall call{rewriter, op.getLoc(), op.getSymbol().drop_front(StringRef("__nv_").size()),
                    adaptor.getSrcs(), op.getType()};
    rewriter.replaceOp(op, function(call));
    return success();
  }
};

} // namespace

void flagtree::populateExternPatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertExtern>(types, patterns.getContext());
}
