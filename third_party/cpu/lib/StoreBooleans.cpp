// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUSTOREBOOLEANS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

bool isBooleanBuffer(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && buffer.getElementType().isInteger(1);
}

/// The address of an element of a buffer of booleans, each of which is a byte.
Value addressOf(OpBuilder &b, Location loc, const LLVMTypeConverter &types, Value buffer,
                ValueRange indices) {
  Type converted = types.convertType(buffer.getType());
  Value whole = UnrealizedConversionCastOp::create(b, loc, converted, buffer).getResult(0);
  MemRefDescriptor descriptor(whole);
  Value offset = descriptor.offset(b, loc);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value position = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
    position = arith::MulIOp::create(b, loc, position, descriptor.stride(b, loc, dim));
    offset = arith::AddIOp::create(b, loc, offset, position);
  }
  Value start = descriptor.alignedPtr(b, loc);
  return LLVM::GEPOp::create(b, loc, start.getType(), b.getI8Type(), start, ArrayRef<LLVM::GEPArg>{offset});
}

Value loadBytes(OpBuilder &b, Location loc, const LLVMTypeConverter &types, Value buffer, ValueRange indices,
                VectorType type) {
  Value bytes = LLVM::LoadOp::create(b, loc, type.clone(b.getI8Type()),
                                     addressOf(b, loc, types, buffer, indices), /*alignment=*/1);
  return arith::TruncIOp::create(b, loc, type, bytes);
}

void storeBytes(OpBuilder &b, Location loc, const LLVMTypeConverter &types, Value buffer, ValueRange indices,
                Value value) {
  Type bytes = cast<VectorType>(value.getType()).clone(b.getI8Type());
  LLVM::StoreOp::create(b, loc, arith::ExtUIOp::create(b, loc, bytes, value),
                        addressOf(b, loc, types, buffer, indices), /*alignment=*/1);
}

/// Elements side by side, none outside of the buffer.
template <typename Op> bool isPlain(Op transfer) {
  return transfer.getVectorType().getRank() == 1 && !transfer.getMask() &&
         transfer.getPermutationMap().isMinorIdentity() && transfer.isDimInBounds(0);
}

struct CpuStoreBooleans : flagtree::cpu::impl::CpuStoreBooleansBase<CpuStoreBooleans> {
  void runOnOperation() override {
    LLVMTypeConverter types(&getContext());
    WalkResult result = getOperation().walk([&](Operation *op) {
      OpBuilder b(op);
      Location loc = op->getLoc();
      if (auto read = dyn_cast<vector::TransferReadOp>(op);
          read && isBooleanBuffer(read.getBase().getType())) {
        if (!isPlain(read))
          return refuse(op);
        op->replaceAllUsesWith(
            ValueRange{loadBytes(b, loc, types, read.getBase(), read.getIndices(), read.getVectorType())});
      } else if (auto write = dyn_cast<vector::TransferWriteOp>(op);
                 write && isBooleanBuffer(write.getBase().getType())) {
        if (!isPlain(write))
          return refuse(op);
        storeBytes(b, loc, types, write.getBase(), write.getIndices(), write.getVector());
      } else if (auto load = dyn_cast<vector::LoadOp>(op);
                 load && isBooleanBuffer(load.getBase().getType())) {
        op->replaceAllUsesWith(
            ValueRange{loadBytes(b, loc, types, load.getBase(), load.getIndices(), load.getVectorType())});
      } else if (auto store = dyn_cast<vector::StoreOp>(op);
                 store && isBooleanBuffer(store.getBase().getType())) {
        storeBytes(b, loc, types, store.getBase(), store.getIndices(), store.getValueToStore());
      } else {
        return WalkResult::advance();
      }
      op->erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static WalkResult refuse(Operation *op) {
    op->emitError("cannot keep this block of booleans in memory; keep it as int8 in the kernel");
    return WalkResult::interrupt();
  }
};

} // namespace
