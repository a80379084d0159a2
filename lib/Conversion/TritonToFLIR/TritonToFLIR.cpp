// SPDX-License-Identifier: MIT
#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"
#include "flagtree/Dialect/Triton/IR/TritonGPU.h"

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace flagtree {
#define GEN_PASS_DEF_CONVERTTRITONTOFLIR
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

TritonTypeConverter::TritonTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tt::PointerType type) -> std::optional<Type> {
    if (type.isBlockPointer())
      return std::nullopt;
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  addConversion([](RankedTensorType type) -> std::optional<Type> {
    if (isa<tt::PointerType>(type.getElementType()))
      return type.clone(IntegerType::get(type.getContext(), 64));
    return type;
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

/// Operations that some pattern takes; all others of Triton are refused before
/// anything is changed, with a message that names them.
static bool hasLowering(Operation *op) {
  if (isa<tt::ReduceOp, tt::ScanOp>(op))
    return canCombine(op);
  if (isViewAccess(op))
    return true;
  return isa<tt::AddPtrOp, tt::AdvanceOp, tt::ApproxDivFOp, tt::AssertOp, tt::AtomicCASOp, tt::AtomicLoadOp,
             tt::AtomicPollOp, tt::AtomicRMWOp, tt::AtomicStoreOp, tt::BitcastOp, tt::BroadcastOp, tt::CatOp,
             tt::ClampFOp, tt::DotOp, tt::DotScaledOp, tt::ExpandDimsOp, tt::FpToFpOp, tt::GatherOp,
             tt::HistogramOp, tt::JoinOp, tt::SplitOp, tt::GridDependencyLaunchDependentsOp,
             tt::GridDependencyWaitOp, tt::IntToPtrOp, tt::LoadOp, tt::MakeRangeOp, tt::MakeTensorDescOp,
             tt::MakeTensorPtrOp, tt::MapElementwiseOp, tt::MapElementwiseReturnOp, tt::MulhiUIOp,
             tt::PreciseDivFOp, tt::PreciseSqrtOp, tt::PrintOp, tt::PtrToIntOp, tt::ReduceReturnOp,
             tt::ReshapeOp, tt::ScanReturnOp, tt::SplatOp, tt::StoreOp, tt::TransOp, tt::UnsplatOp,
             ttg::BarrierOp>(op);
}

namespace {

struct ConvertTritonToFLIR : flagtree::impl::ConvertTritonToFLIRBase<ConvertTritonToFLIR> {
  using ConvertTritonToFLIRBase::ConvertTritonToFLIRBase;

  void runOnOperation() override {
    if (failed(checkSupported()))
      return signalPassFailure();
    // A program is one thread, and launches follow each other: all that these
    // order is in order already.
    getOperation().walk([](Operation *op) {
      if (isa<gpu::BarrierOp, ttg::BarrierOp, tt::GridDependencyWaitOp, tt::GridDependencyLaunchDependentsOp>(
              op))
        op->erase();
    });
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      decomposeScaledDots(function);
      flattenExchanges(function);
      foldAccumulators(function);
      if (failed(rewriteAccesses(function)))
        return signalPassFailure();
      flattenMaps(function);
    }
    flattenCombiners(getOperation());
    // The language's `/` may be off by 2 units in the last place in fp32, which
    // tt.precise_divf, converted below, may not.
    getOperation().walk([](arith::DivFOp division) {
      if (getElementTypeOrSelf(division.getType()).isF32())
        division.setFastmath(division.getFastmath() | arith::FastMathFlags::arcp);
    });
    if (fpFusion)
      allowFusion();
    if (failed(convert()))
      signalPassFailure();
  }

private:
  /// What the program wrote, not what lowerings make of its other operations,
  /// some of which count on each rounding.
  void allowFusion() {
    getOperation().walk([](Operation *op) {
      if (!isa<arith::AddFOp, arith::MulFOp, arith::SubFOp>(op))
        return;
      auto math = cast<arith::ArithFastMathInterface>(op);
      arith::FastMathFlags flags = math.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
      op->setAttr(math.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
    });
  }

  LogicalResult checkSupported() {
    // An operation before its regions: it is named, not its terminator.
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      if (!isa<tt::TritonDialect, ttg::TritonGPUDialect>(op->getDialect()) || hasLowering(op))
        return WalkResult::advance();
      if (isa<tt::ExternElementwiseOp>(op))
        return failed(checkExternFunction(op)) ? WalkResult::interrupt() : WalkResult::advance();
      InFlightDiagnostic error = op->emitError() << "operation '" << op->getName() << "' ";
      if (isa<tt::ReduceOp, tt::ScanOp>(op))
        error << "with this combine function ";
      error << "is not supported yet by this backend";
      if (auto function = op->getParentOfType<func::FuncOp>())
        error << " (kernel '" << function.getName() << "')";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    TritonTypeConverter types;
    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, flir::FLIRDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                           math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    target.addIllegalDialect<tt::TritonDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return types.isSignatureLegal(op.getFunctionType()) && types.isLegal(&op.getBody());
    });
    target.addDynamicallyLegalOp<arith::SelectOp, func::CallOp, func::ReturnOp>(
        [&](Operation *op) { return types.isLegal(op); });
    RewritePatternSet patterns(context);
    for (PatternGroup populate :
         {populateDotPatterns, populateElementwisePatterns, populateExternPatterns, populateMapPatterns,
          populatePointerPatterns, populateProgramPatterns, populateReducePatterns, populateShapePatterns})
      populate(types, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
    populateCallOpTypeConversionPattern(patterns, types);
    populateReturnOpTypeConversionPattern(patterns, types);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
