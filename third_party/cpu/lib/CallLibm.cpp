// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUCALLLIBM
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

struct CpuCallLibm : flagtree::cpu::impl::CpuCallLibmBase<CpuCallLibm> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target
        .addLegalDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect, vector::VectorDialect>();
    // All others are intrinsics of LLVM, or made of such.
    target.addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinhOp, math::AtanhOp, math::CbrtOp, math::ErfOp,
                        math::ErfcOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
