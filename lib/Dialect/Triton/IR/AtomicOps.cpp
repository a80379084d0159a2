// SPDX-License-Identifier: MIT
// Atomic accesses: rules.
#include "flagtree/Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace flagtree::tt;

static LogicalResult verifyMask(Operation *op, Type address, Value mask) {
  if (!mask || mask.getType() == getMaskType(address))
    return success();
  return op->emitOpError() << "has a mask of type " << mask.getType() << ", but an address of type "
                           << address << " needs " << getMaskType(address);
}

/// `what` has the type that the address points to.
static LogicalResult verifyValue(Operation *op, Type address, StringRef what, Type type) {
  if (type == getPointeeType(address))
    return success();
  return op->emitOpError() << "has " << what << " of type " << type << ", but an address of type " << address
                           << " needs " << getPointeeType(address);
}

static LogicalResult verifyOrder(Operation *op, MemSemantic order, ArrayRef<MemSemantic> allowed) {
  if (llvm::is_contained(allowed, order))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "has the memory order " << stringifyMemSemantic(order) << "; ";
  llvm::interleave(
      allowed, [&](MemSemantic each) { diag << stringifyMemSemantic(each); }, [&] { diag << " and "; });
  return diag << " are allowed";
}

LogicalResult AtomicRMWOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyValue(*this, address, "a value", getVal().getType())) ||
      failed(verifyValue(*this, address, "a result", getType())) ||
      failed(verifyMask(*this, address, getMask())))
    return failure();
  Type element = getElementTypeOrSelf(getType());
  bool isFloat = isa<FloatType>(element), isInt = isa<IntegerType>(element);
  AtomicOp kind = getAtomicRmwOp();
  if (kind == AtomicOp::Exchange || (kind == AtomicOp::FAdd ? isFloat : isInt))
    return success();
  // Minimum and maximum of floats are written on their bits as integers.
  return emitOpError() << "applies '" << stringifyAtomicOp(kind) << "' to " << element << "; it needs "
                       << (kind == AtomicOp::FAdd ? "floating-point" : "integer") << " elements";
}

LogicalResult AtomicCASOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyValue(*this, address, "an expected value", getCmp().getType())) ||
      failed(verifyValue(*this, address, "a value", getVal().getType())) ||
      failed(verifyValue(*this, address, "a result", getType())))
    return failure();
  Type element = getElementTypeOrSelf(getType());
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  if (width == 16 || width == 32 || width == 64)
    return success();
  return emitOpError() << "compares " << element << "; elements must have 16, 32 or 64 bits";
}

LogicalResult AtomicLoadOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyValue(*this, address, "a result", getType())) ||
      failed(verifyMask(*this, address, getMask())))
    return failure();
  return verifyOrder(*this, getSem(), {MemSemantic::Relaxed, MemSemantic::Acquire});
}

LogicalResult AtomicStoreOp::verify() {
  return verifyOrder(*this, getSem(), {MemSemantic::Relaxed, MemSemantic::Release});
}

LogicalResult AtomicPollOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyValue(*this, address, "an expected value", getExpected().getType())))
    return failure();
  if (getType() != getMaskType(address))
    return emitOpError() << "has a result of type " << getType() << ", but an address of type " << address
                         << " needs " << getMaskType(address);
  return verifyOrder(*this, getSem(), {MemSemantic::Relaxed, MemSemantic::Acquire});
}
