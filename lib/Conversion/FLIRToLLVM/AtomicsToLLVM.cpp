// SPDX-License-Identifier: MIT
// Atomic accesses on vectors and scalars become loops over their elements:
// processors update memory one element at a time.
#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "ScalarAtomics.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace flagtree {
#define GEN_PASS_DEF_CONVERTFLIRATOMICSTOLLVM
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

constexpr int64_t bufferAlignment = 64;

class AtomicLowering {
public:
  explicit AtomicLowering(Operation *op) : op(op), b(op), loc(op->getLoc()), scalar(b, loc) {}

  void run() {
    if (auto update = dyn_cast<flir::AtomicRMWOp>(op))
      structured(update);
    else
      addressed();
  }

private:
  //===--- one element ------------------------------------------------------===//

  /// The access on scalars: `operands` are the operands of `op`, one element
  /// of each, but the mask. Null when the access gives nothing.
  Value access(Value pointer, ValueRange operands) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<flir::AtomicRMWOp, flir::ScatterRMWOp>([&](auto rmw) {
          if (isStore(rmw)) {
            scalar.store(rmw.getOrder(), pointer, operands[0]);
            return Value();
          }
          return scalar.update(rmw.getKind(), rmw.getOrder(), pointer, operands[0]);
        })
        .Case([&](flir::AtomicCASOp cas) {
          return scalar.compareAndSwap(cas.getOrder(), pointer, operands[0], operands[1]);
        })
        .Case([&](flir::AtomicLoadOp load) {
          return scalar.load(load.getOrder(), pointer, getElementTypeOrSelf(load.getType()));
        })
        .Case([&](flir::AtomicPollOp poll) {
          return scalar.poll(poll.getOrder(), pointer, operands[0], poll.getDeadline());
        });
  }

  /// An exchange whose old value nobody wants, and that acquires nothing.
  template <typename Op> static bool isStore(Op rmw) {
    flir::MemoryOrder order = rmw.getOrder();
    return rmw.getKind() == flir::AtomicKind::Exchange && !rmw.getOld() &&
           (order == flir::MemoryOrder::Relaxed || order == flir::MemoryOrder::Release);
  }

  /// What an element gives where the mask keeps it out.
  Value nothing() {
    if (op->getNumResults() == 0)
      return {};
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  }

  Value guarded(Value mask, llvm::function_ref<Value()> body) {
    if (!mask)
      return body();
    Value otherwise = nothing();
    auto branch = otherwise ? scf::IfOp::create(b, loc, otherwise.getType(), mask, /*withElseRegion=*/true)
                            : scf::IfOp::create(b, loc, mask);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value result = body();
    if (!otherwise)
      return {};
    scf::YieldOp::create(b, loc, result);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, otherwise);
    return branch.getResult(0);
  }

  //===--- blocks -----------------------------------------------------------===//

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  /// Elements in memory; bits as bytes, for memory has no smaller ones.
  static Type stored(Type element) {
    return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8)) : element;
  }

  /// A buffer on the stack, made once a program.
  Value buffer(VectorType type) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&op->getParentOfType<func::FuncOp>().getBody().front());
    auto memory = MemRefType::get({type.getNumElements()}, stored(type.getElementType()));
    return memref::AllocaOp::create(b, loc, memory, b.getI64IntegerAttr(bufferAlignment));
  }

  Value flat(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    auto line = VectorType::get(type.getNumElements(), type.getElementType());
    if (type != line)
      vector = vector::ShapeCastOp::create(b, loc, line, vector);
    if (type.getElementType().isInteger(1))
      vector = arith::ExtUIOp::create(b, loc, line.clone(b.getI8Type()), vector);
    return vector;
  }

  void fill(Value memory, Value vector) {
    vector::StoreOp::create(b, loc, flat(vector), memory, ValueRange{index(0)});
  }

  /// Puts each operand that is a vector into memory, where single elements are
  /// read at no cost; scalars stay what they are.
  Value spill(Value operand) {
    auto type = dyn_cast_or_null<VectorType>(operand ? operand.getType() : Type());
    if (!type)
      return operand;
    Value memory = buffer(type);
    fill(memory, operand);
    return memory;
  }

  Value element(Value spilled, Value position, Type type) {
    if (!isa<MemRefType>(spilled.getType()))
      return spilled;
    Value value = memref::LoadOp::create(b, loc, spilled, ValueRange{position});
    if (value.getType() == type)
      return value;
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType()));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  }

  void prepareResult() {
    if (op->getNumResults() == 0)
      return;
    auto type = cast<VectorType>(op->getResult(0).getType());
    result = buffer(type);
    fill(result, arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  }

  void keep(Value value, Value position) {
    if (!result)
      return;
    if (value.getType().isInteger(1))
      value = arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
    memref::StoreOp::create(b, loc, value, result, ValueRange{position});
  }

  void finishBlock() {
    if (result) {
      auto type = cast<VectorType>(op->getResult(0).getType());
      auto line = VectorType::get(type.getNumElements(), stored(type.getElementType()));
      Value whole = vector::LoadOp::create(b, loc, line, result, ValueRange{index(0)});
      if (type.getElementType().isInteger(1))
        whole = arith::TruncIOp::create(b, loc, line.clone(b.getI1Type()), whole);
      if (whole.getType() != type)
        whole = vector::ShapeCastOp::create(b, loc, type, whole);
      op->getResult(0).replaceAllUsesWith(whole);
    }
    op->erase();
  }

  void finishScalar(Value value) {
    if (op->getNumResults() == 1)
      op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  //===--- kinds of addresses -----------------------------------------------===//

  Value pointer(Value base, Value offset, Type element) {
    Value position = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), offset);
    return LLVM::GEPOp::create(b, loc, base.getType(), ScalarAtomics::memoryType(element), base,
                               ArrayRef<LLVM::GEPArg>{position});
  }

  /// Loops over what lies inside of the extents, so that no element needs a
  /// look at them.
  void structured(flir::AtomicRMWOp update) {
    Value mask = update.getMask();
    auto type = dyn_cast<VectorType>(update.getValue().getType());
    if (!type) {
      Value start = pointer(update.getBase(), update.getOffset(), update.getValue().getType());
      finishScalar(guarded(mask, [&] { return access(start, update.getValue()); }));
      return;
    }
    Value values = spill(update.getValue()), masks = spill(mask);
    prepareResult();
    Value offset = update.getOffset(), position = index(0);
    for (auto [dim, extent, stride] : llvm::enumerate(update.getMixedExtents(), update.getMixedStrides())) {
      int64_t size = type.getDimSize(dim);
      Value end = index(size);
      if (!update.isFull(dim)) {
        end = arith::MinSIOp::create(b, loc, end, getValueOrCreateConstantIndexOp(b, loc, extent));
        end = arith::MaxSIOp::create(b, loc, end, index(0));
      }
      auto loop = scf::ForOp::create(b, loc, index(0), end, index(1));
      b.setInsertionPointToStart(loop.getBody());
      Value i = loop.getInductionVar(), step = getValueOrCreateConstantIndexOp(b, loc, stride);
      offset = arith::AddIOp::create(b, loc, offset, b.createOrFold<arith::MulIOp>(loc, i, step));
      position =
          b.createOrFold<arith::AddIOp>(loc, b.createOrFold<arith::MulIOp>(loc, position, index(size)), i);
    }
    Value inside = masks ? element(masks, position, b.getI1Type()) : Value();
    guarded(inside, [&] {
      Value value = element(values, position, type.getElementType());
      Value old = access(pointer(update.getBase(), offset, type.getElementType()), value);
      keep(old, position);
      return old;
    });
    b.setInsertionPoint(op);
    finishBlock();
  }

  void addressed() {
    auto addressesOf = [](auto access) -> Value { return access.getAddresses(); };
    auto maskOf = [](auto access) -> Value { return access.getMask(); };
    Value addresses =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case<flir::ScatterRMWOp, flir::AtomicCASOp, flir::AtomicLoadOp, flir::AtomicPollOp>(addressesOf);
    Value mask =
        llvm::TypeSwitch<Operation *, Value>(op).Case<flir::ScatterRMWOp, flir::AtomicLoadOp>(maskOf).Default(
            Value());
    SmallVector<Value> operands; // all but addresses, mask and deadline
    for (Value operand : op->getOperands()) {
      if (operand == addresses)
        break;
      operands.push_back(operand);
    }
    Type ptr = LLVM::LLVMPointerType::get(b.getContext());
    auto type = dyn_cast<VectorType>(addresses.getType());
    if (!type) {
      Value start = LLVM::IntToPtrOp::create(b, loc, ptr, addresses);
      finishScalar(guarded(mask, [&] { return access(start, operands); }));
      return;
    }
    Value places = spill(addresses), masks = spill(mask);
    SmallVector<Value> spilled = llvm::map_to_vector(operands, [&](Value each) { return spill(each); });
    prepareResult();
    auto loop = scf::ForOp::create(b, loc, index(0), index(type.getNumElements()), index(1));
    b.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    Value inside = masks ? element(masks, position, b.getI1Type()) : Value();
    guarded(inside, [&] {
      Value start = LLVM::IntToPtrOp::create(b, loc, ptr, element(places, position, b.getI64Type()));
      SmallVector<Value> elements;
      for (auto [each, operand] : llvm::zip_equal(spilled, operands))
        elements.push_back(element(each, position, getElementTypeOrSelf(operand.getType())));
      Value value = access(start, elements);
      keep(value, position);
      return value;
    });
    b.setInsertionPoint(op);
    finishBlock();
  }

  Operation *op;
  OpBuilder b;
  Location loc;
  ScalarAtomics scalar;
  Value result; // buffer of a block's result
};

struct ConvertFLIRAtomicsToLLVM : flagtree::impl::ConvertFLIRAtomicsToLLVMBase<ConvertFLIRAtomicsToLLVM> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (auto clock = dyn_cast<flir::ClockOp>(op)) {
        OpBuilder b(op);
        clock.replaceAllUsesWith(ScalarAtomics(b, op->getLoc()).clock());
        op->erase();
        return WalkResult::advance();
      }
      if (!flir::isAtomic(op))
        return WalkResult::advance();
      if (flir::isOnTensors(op)) {
        op->emitOpError("on a tensor must be tiled and vectorised before it is lowered");
        return WalkResult::interrupt();
      }
      AtomicLowering(op).run();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
