// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"
#include "flagtree/Conversion/HostCalls.h"
#include "flagtree/Hints/Backup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUMAKEENTRY
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

/// Three ids and three sizes close the list of a kernel's arguments.
constexpr unsigned gridArguments = 6;
constexpr int64_t slotBytes = 8;

class EntryBuilder {
public:
  explicit EntryBuilder(func::FuncOp kernel) : kernel(kernel), b(kernel), loc(kernel.getLoc()) {}

  LogicalResult run() {
    if (kernel.getNumResults() != 0)
      return kernel.emitError("kernel '") << kernel.getName() << "' returns a value; kernels return nothing";
    ArrayRef<Type> types = kernel.getArgumentTypes();
    if (types.size() < gridArguments ||
        llvm::any_of(types.take_back(gridArguments), [](Type type) { return !type.isInteger(32); }))
      return kernel.emitError("kernel '")
             << kernel.getName() << "' does not take the grid's six i32 numbers last; "
             << "kernels are written as tt.func";
    std::string name = kernel.getName().str();
    kernel.setName(name + ".program");
    kernel.setPrivate();
    kernel->setAttr("llvm.linkage", LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));

    Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
    SmallVector<func::CallOp> contexts = contextUses();
    if (!contexts.empty())
      passContext(contexts, ptr);
    auto entry = func::FuncOp::create(b, loc, name, b.getFunctionType({ptr, ptr, i64, i64}, {}));
    // The program is inlined, so what holds for its code holds for the entry.
    if (Attribute passthrough = kernel->getAttr("passthrough"))
      entry->setAttr("passthrough", passthrough);
    b.setInsertionPointToStart(entry.addEntryBlock());
    Value args = entry.getArgument(0), grid = entry.getArgument(1);

    SmallVector<Value> operands;
    if (!contexts.empty())
      context = grid;
    for (Type type : kernel.getArgumentTypes().drop_back(gridArguments + contextArguments()))
      operands.push_back(argument(args, operands.size(), type));
    SmallVector<Value> sizes;
    for (int axis = 0; axis < 3; ++axis)
      sizes.push_back(LLVM::LoadOp::create(b, loc, b.getI32Type(), element(grid, b.getI32Type(), axis), 4));
    callPrograms(operands, sizes, entry.getArgument(2), entry.getArgument(3));
    b.setInsertionPointToEnd(&entry.front());
    // Stores that bypass the cache are not ordered before what the launcher
    // does to announce the end.
    bool bypasses = kernel
                        .walk([](LLVM::StoreOp store) {
                          return store.getNontemporal() ? WalkResult::interrupt() : WalkResult::advance();
                        })
                        .wasInterrupted();
    if (bypasses)
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::seq_cst);
    kernel->removeAttr("flir.stored_bytes");
    // Who asks the module asks the entry.
    for (StringRef name : {StringRef("flir.distinct"), StringRef(flagtree::hints::notesAttr)})
      if (Attribute attribute = kernel->removeAttr(name))
        entry->setAttr(name, attribute);
    func::ReturnOp::create(b, loc);
    return success();
  }

private:
  SmallVector<func::CallOp> contextUses() {
    SmallVector<func::CallOp> calls;
    kernel.walk([&](func::CallOp call) {
      if (call.getCallee() == flagtree::kContextFunction)
        calls.push_back(call);
    });
    return calls;
  }

  /// The grid's sizes open the context of the launch.
  void passContext(ArrayRef<func::CallOp> uses, Type ptr) {
    (void)kernel.insertArgument(kernel.getNumArguments(), ptr, {}, loc);
    for (func::CallOp use : uses) {
      use.replaceAllUsesWith(ValueRange{kernel.getArguments().back()});
      use.erase();
    }
  }

  unsigned contextArguments() const { return context ? 1 : 0; }

  Value element(Value base, Type type, int64_t index) {
    return LLVM::GEPOp::create(b, loc, base.getType(), type, base,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  /// Slots are 8 bytes, the value in the low ones; a bool is a whole byte.
  Value argument(Value args, int64_t slot, Type type) {
    Value address = element(args, b.getI64Type(), slot);
    if (type.isInteger(1)) {
      Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), address, slotBytes);
      return arith::TruncIOp::create(b, loc, type, byte);
    }
    return LLVM::LoadOp::create(b, loc, type, address, slotBytes);
  }

  void callPrograms(ValueRange operands, ArrayRef<Value> sizes, Value begin, Value end) {
    auto constant = [&](Type type, int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
    };
    auto wide = [&](Value value) -> Value { return arith::ExtUIOp::create(b, loc, b.getI64Type(), value); };
    auto narrow = [&](Value value) -> Value {
      return arith::TruncIOp::create(b, loc, b.getI32Type(), value);
    };

    // An empty range must not divide by a size of zero.
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, begin, end);
    auto guard = scf::IfOp::create(b, loc, any);
    b.setInsertionPointToStart(guard.thenBlock());
    Value nx = wide(sizes[0]), ny = wide(sizes[1]);
    Value row = arith::DivUIOp::create(b, loc, begin, nx);
    Value x = narrow(arith::RemUIOp::create(b, loc, begin, nx));
    Value y = narrow(arith::RemUIOp::create(b, loc, row, ny));
    Value z = narrow(arith::DivUIOp::create(b, loc, row, ny));

    auto loop = scf::ForOp::create(b, loc, begin, end, constant(b.getI64Type(), 1), ValueRange{x, y, z});
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> ids(loop.getRegionIterArgs());
    SmallVector<Value> callOperands(operands);
    callOperands.append(ids);
    callOperands.append(sizes.begin(), sizes.end());
    if (context)
      callOperands.push_back(context);
    func::CallOp::create(b, loc, kernel, callOperands);

    Value zero = constant(b.getI32Type(), 0), one = constant(b.getI32Type(), 1);
    SmallVector<Value> next;
    Value carry; // whether the axis before went round; the first always advances
    for (int axis = 0; axis < 3; ++axis) {
      Value advanced = arith::AddIOp::create(b, loc, ids[axis], one);
      Value round = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, advanced, sizes[axis]);
      Value value = arith::SelectOp::create(b, loc, round, zero, advanced);
      next.push_back(carry ? arith::SelectOp::create(b, loc, carry, value, ids[axis]).getResult() : value);
      carry = carry ? arith::AndIOp::create(b, loc, carry, round).getResult() : round;
    }
    scf::YieldOp::create(b, loc, next);
  }

  func::FuncOp kernel;
  OpBuilder b;
  Location loc;
  Value context; // passed on to programs that call the host
};

struct CpuMakeEntry : flagtree::cpu::impl::CpuMakeEntryBase<CpuMakeEntry> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.isPublic() && !function.isExternal() && failed(EntryBuilder(function).run()))
        return signalPassFailure();
    if (auto context = getOperation().lookupSymbol<func::FuncOp>(flagtree::kContextFunction))
      context.erase();
  }
};

} // namespace
