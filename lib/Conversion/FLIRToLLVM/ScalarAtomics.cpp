// SPDX-License-Identifier: MIT
#include "ScalarAtomics.h"

#include "flagtree/Conversion/HostCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace flagtree;

static LLVM::AtomicOrdering orderingOf(flir::MemoryOrder order) {
  switch (order) {
  case flir::MemoryOrder::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case flir::MemoryOrder::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case flir::MemoryOrder::Release:
    return LLVM::AtomicOrdering::release;
  case flir::MemoryOrder::AcquireRelease:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("no other order");
}

static LLVM::AtomicBinOp operationOf(flir::AtomicKind kind) {
  switch (kind) {
  case flir::AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case flir::AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case flir::AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case flir::AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case flir::AtomicKind::FAdd:
    return LLVM::AtomicBinOp::fadd;
  case flir::AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case flir::AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case flir::AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case flir::AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case flir::AtomicKind::Exchange:
    return LLVM::AtomicBinOp::xchg;
  case flir::AtomicKind::FMax:
    return LLVM::AtomicBinOp::fmax;
  case flir::AtomicKind::FMin:
    return LLVM::AtomicBinOp::fmin;
  }
  llvm_unreachable("no other kind");
}

static unsigned alignmentOf(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

Type ScalarAtomics::memoryType(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8
             ? IntegerType::get(element.getContext(), 8)
             : element;
}

Value ScalarAtomics::bits(Value value) {
  if (!isa<FloatType>(value.getType()))
    return value;
  return arith::BitcastOp::create(b, loc, b.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
}

Value ScalarAtomics::fromBits(Value value, Type element) {
  return value.getType() == element ? value : arith::BitcastOp::create(b, loc, element, value);
}

Value ScalarAtomics::update(flir::AtomicKind kind, flir::MemoryOrder order, Value pointer, Value value) {
  Type element = value.getType();
  bool isExchange = kind == flir::AtomicKind::Exchange;
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 && !isExchange)
    return updateShortFloat(kind, order, pointer, value);
  if (isExchange)
    value = bits(value);
  Value old = LLVM::AtomicRMWOp::create(b, loc, operationOf(kind), pointer, value, orderingOf(order),
                                        StringRef(), alignmentOf(element));
  return fromBits(old, element);
}

/// LLVM would call a runtime library that no process exports.
Value ScalarAtomics::updateShortFloat(flir::AtomicKind kind, flir::MemoryOrder order, Value pointer,
                                      Value value) {
  Type element = value.getType(), bitsType = b.getIntegerType(element.getIntOrFloatBitWidth());
  Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), value);
  Value first = load(flir::MemoryOrder::Relaxed, pointer, bitsType);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{bitsType}, ValueRange{first},
      [&](OpBuilder &, Location, ValueRange args) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(args[0].getParentBlock());
        Value old = arith::ExtFOp::create(b, loc, b.getF32Type(), fromBits(args[0], element));
        Value combined;
        if (kind == flir::AtomicKind::FAdd)
          combined = arith::AddFOp::create(b, loc, old, wide);
        else if (kind == flir::AtomicKind::FMax)
          combined = arith::MaxNumFOp::create(b, loc, old, wide);
        else
          combined = arith::MinNumFOp::create(b, loc, old, wide);
        Value next = bits(arith::TruncFOp::create(b, loc, element, combined));
        Value seen = compareAndSwap(order, pointer, args[0], next);
        Value again = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, seen, args[0]);
        scf::ConditionOp::create(b, loc, again, seen);
      },
      [&](OpBuilder &inner, Location, ValueRange args) { scf::YieldOp::create(inner, loc, args); });
  return fromBits(loop.getResult(0), element);
}

void ScalarAtomics::store(flir::MemoryOrder order, Value pointer, Value value) {
  unsigned align = alignmentOf(value.getType());
  LLVM::StoreOp::create(b, loc, bits(value), pointer, align, /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, orderingOf(order));
}

Value ScalarAtomics::compareAndSwap(flir::MemoryOrder order, Value pointer, Value expected, Value value) {
  LLVM::AtomicOrdering success = orderingOf(order);
  bool acquires = order == flir::MemoryOrder::Acquire || order == flir::MemoryOrder::AcquireRelease;
  LLVM::AtomicOrdering failure = acquires ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
  Value pair = LLVM::AtomicCmpXchgOp::create(b, loc, pointer, bits(expected), bits(value), success, failure,
                                             StringRef(), alignmentOf(value.getType()));
  return fromBits(LLVM::ExtractValueOp::create(b, loc, pair, ArrayRef<int64_t>{0}), value.getType());
}

Value ScalarAtomics::load(flir::MemoryOrder order, Value pointer, Type element) {
  Type type = isa<FloatType>(element) ? b.getIntegerType(element.getIntOrFloatBitWidth()) : element;
  Value read = LLVM::LoadOp::create(b, loc, type, pointer, alignmentOf(element), /*isVolatile=*/false,
                                    /*isNonTemporal=*/false, /*isInvariant=*/false,
                                    /*isInvariantGroup=*/false, orderingOf(order));
  return fromBits(read, element);
}

Value ScalarAtomics::poll(flir::MemoryOrder order, Value pointer, Value expected, Value deadline) {
  Type i1 = b.getI1Type();
  Value context = hostContext(b, loc);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{i1}, ValueRange{},
      [&](OpBuilder &inner, Location, ValueRange) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        Value seen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           load(order, pointer, expected.getType()), expected);
        Value over = seen;
        if (deadline) {
          Value late = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, clock(context), deadline);
          over = arith::OrIOp::create(b, loc, seen, late);
        }
        Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
        scf::ConditionOp::create(b, loc, arith::XOrIOp::create(b, loc, over, one), seen);
      },
      [&](OpBuilder &inner, Location, ValueRange) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        // Who will write the value may be waiting for this very processor.
        callHost(b, loc, context, HostFunction::Yield, {}, {});
        scf::YieldOp::create(b, loc);
      });
  return loop.getResult(0);
}

Value ScalarAtomics::clock() { return clock(hostContext(b, loc)); }

Value ScalarAtomics::clock(Value context) {
  return callHost(b, loc, context, HostFunction::Clock, {}, b.getI64Type());
}
