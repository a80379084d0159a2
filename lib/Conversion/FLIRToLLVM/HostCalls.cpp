// SPDX-License-Identifier: MIT
#include "flagtree/Conversion/HostCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace flagtree;

Value flagtree::hostContext(OpBuilder &b, Location loc) {
  Type ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(kContextFunction)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(b, loc, kContextFunction, b.getFunctionType({}, {ptr})).setPrivate();
  }
  return func::CallOp::create(b, loc, kContextFunction, TypeRange{ptr}).getResult(0);
}

Value flagtree::callHost(OpBuilder &b, Location loc, Value context, HostFunction function,
                         ValueRange operands, Type result) {
  Type ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto load = [&](Value base, int64_t bytes) -> Value {
    Value place = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
    return LLVM::LoadOp::create(b, loc, ptr, place, sizeof(void *));
  };
  Value table = load(context, kContextHostOffset);
  Value callee = load(table, static_cast<int64_t>(function) * sizeof(void *));
  SmallVector<Value> arguments{callee, context};
  llvm::append_range(arguments, operands);
  SmallVector<Type> types{ptr};
  llvm::append_range(types, operands.getTypes());
  Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  auto call = LLVM::CallOp::create(b, loc, LLVM::LLVMFunctionType::get(returned, types), arguments);
  return result ? call.getResult() : Value();
}
