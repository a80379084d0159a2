// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"
#include "flagtree/Conversion/HostCalls.h"
#include "flagtree/Hints/Backup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitError("kernel '") << kernel.getName() << "' has branches; they must be structured";

    Type ptr = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
    auto entry = func::FuncOp::create(b, loc, kernel.getName(), b.getFunctionType({ptr, ptr, i64, i64}, {}));
    if (Attribute passthrough = kernel->getAttr("passthrough"))
      entry->setAttr("passthrough", passthrough);
    b.setInsertionPointToStart(entry.addEntryBlock());
    Value args = entry.getArgument(0), grid = entry.getArgument(1);
    provideContext(grid);

    SmallVector<Value> operands;
    for (Type type : kernel.getArgumentTypes().drop_back(gridArguments))
      operands.push_back(argument(args, operands.size(), type));
    SmallVector<Value> sizes;
    for (int axis = 0; axis < 3; ++axis)
      sizes.push_back(LLVM::LoadOp::create(b, loc, b.getI32Type(), element(grid, b.getI32Type(), axis), 4));
    bool bypasses = bypassesCache();
    hoistBuffers(entry.front());
    runPrograms(operands, sizes, entry.getArgument(2), entry.getArgument(3));
    b.setInsertionPointToEnd(&entry.front());
    // Such stores are not ordered before what the launcher does to announce the end.
    if (bypasses)
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::seq_cst);
    // Who asks the module asks the entry.
    for (StringRef name : {StringRef("flir.distinct"), StringRef(flagtree::hints::notesAttr)})
      if (Attribute attribute = kernel->getAttr(name))
        entry->setAttr(name, attribute);
    func::ReturnOp::create(b, loc);
    kernel.erase();
    return success();
  }

private:
  /// The grid's sizes open the context of the launch.
  void provideContext(Value grid) {
    kernel.walk([&](func::CallOp call) {
      if (call.getCallee() != flagtree::kContextFunction)
        return;
      call.replaceAllUsesWith(ValueRange{grid});
      call.erase();
    });
  }

  bool bypassesCache() {
    return kernel
        .walk([](LLVM::StoreOp store) {
          return store.getNontemporal() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// One for all programs: within the loop over them the stack would grow.
  void hoistBuffers(Block &start) {
    kernel.walk([&](memref::AllocaOp buffer) {
      if (buffer.getType().hasStaticShape())
        buffer->moveBefore(&start, start.begin());
    });
  }

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

  void runPrograms(ValueRange operands, ArrayRef<Value> sizes, Value begin, Value end) {
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
    SmallVector<Value> values(operands);
    values.append(ids);
    values.append(sizes.begin(), sizes.end());
    Block &program = kernel.getBody().front();
    program.getTerminator()->erase();
    for (auto [parameter, value] : llvm::zip_equal(program.getArguments(), values))
      parameter.replaceAllUsesWith(value);
    loop.getBody()->getOperations().splice(b.getInsertionPoint(), program.getOperations());

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
