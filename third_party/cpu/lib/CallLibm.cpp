// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUCALLLIBM
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

/// Functions that LLVM has no intrinsic for, nor makes of such.
static bool isLibraryFunction(Operation *op) {
  return isa<math::AcosOp, math::AcoshOp, math::AsinhOp, math::AtanhOp, math::CbrtOp, math::ErfOp,
             math::ErfcOp, flir::ExternOp>(op);
}

/// Scalar functions that the code generator would call for each element of a
/// vector, in code as long as the vector.
static bool becomesCalls(Operation *op) {
  return isLibraryFunction(op) ||
         isa<math::AsinOp, math::Atan2Op, math::AtanOp, math::CoshOp, math::CosOp, math::Exp2Op,
             math::ExpM1Op, math::ExpOp, math::Log10Op, math::Log1pOp, math::Log2Op, math::LogOp,
             math::PowFOp, math::SinhOp, math::SinOp, math::TanhOp, math::TanOp, arith::RemFOp>(op);
}

namespace {

/// A function of vectors as a loop over their elements, which lie in buffers at
/// the start of the function, on its stack.
class ElementLoop {
public:
  ElementLoop(Operation *op, func::FuncOp function) : op(op), function(function), b(op), loc(op->getLoc()) {}

  void replace() {
    auto type = cast<VectorType>(op->getResult(0).getType());
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands())
      buffers.push_back(isa<VectorType>(operand.getType()) ? stored(operand) : operand);
    Value result = buffer(rowOf(type));
    auto loop = scf::ForOp::create(b, loc, index(0), index(type.getNumElements()), index(1));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value place = loop.getInductionVar();
      SmallVector<Value> elements;
      for (Value each : buffers)
        elements.push_back(
            isa<MemRefType>(each.getType()) ? memref::LoadOp::create(b, loc, each, place).getResult() : each);
      Operation *one =
          b.create(loc, op->getName().getIdentifier(), elements, type.getElementType(), op->getAttrs());
      memref::StoreOp::create(b, loc, one->getResult(0), result, place);
    }
    Value row = vector::LoadOp::create(b, loc, rowOf(type), result, ValueRange{index(0)});
    op->replaceAllUsesWith(ValueRange{reshape(row, type)});
    op->erase();
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  static VectorType rowOf(VectorType type) {
    return VectorType::get(type.getNumElements(), type.getElementType());
  }
  Value reshape(Value value, VectorType type) {
    return value.getType() == type ? value : vector::ShapeCastOp::create(b, loc, type, value);
  }

  Value buffer(VectorType row) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getBody().front());
    return memref::AllocaOp::create(b, loc, MemRefType::get(row.getShape(), row.getElementType()),
                                    b.getI64IntegerAttr(64));
  }

  Value stored(Value operand) {
    VectorType row = rowOf(cast<VectorType>(operand.getType()));
    Value made = buffer(row);
    vector::StoreOp::create(b, loc, reshape(operand, row), made, ValueRange{index(0)});
    return made;
  }

  Operation *op;
  func::FuncOp function;
  OpBuilder b;
  Location loc;
};

struct CpuCallLibm : flagtree::cpu::impl::CpuCallLibmBase<CpuCallLibm> {
  void runOnOperation() override {
    SmallVector<Operation *> vectors, externs;
    getOperation().walk([&](Operation *op) {
      if (becomesCalls(op) && isa<VectorType>(op->getResult(0).getType()))
        vectors.push_back(op);
    });
    for (Operation *op : vectors)
      ElementLoop(op, op->getParentOfType<func::FuncOp>()).replace();
    getOperation().walk([&](flir::ExternOp op) { externs.push_back(op); });
    for (Operation *op : externs)
      call(cast<flir::ExternOp>(op));
    if (failed(callMath()))
      signalPassFailure();
  }

private:
  void call(flir::ExternOp op) {
    OpBuilder b(op);
    auto type = FunctionType::get(&getContext(), op.getArguments().getTypes(), op.getType());
    auto function = getOperation().lookupSymbol<func::FuncOp>(op.getSymbol());
    if (!function) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(getOperation().getBody());
      function = func::FuncOp::create(b, op.getLoc(), op.getSymbol(), type);
      function.setPrivate();
      function->setAttr(LLVM::LLVMDialect::getReadnoneAttrName(), b.getUnitAttr());
    }
    auto made = func::CallOp::create(b, op.getLoc(), function, op.getArguments());
    op.replaceAllUsesWith(made.getResult(0));
    op.erase();
  }

  LogicalResult callMath() {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) { return !isLibraryFunction(op); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
