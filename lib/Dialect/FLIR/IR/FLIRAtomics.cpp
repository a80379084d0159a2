// SPDX-License-Identifier: MIT
// Atomic accesses: rules, and tiles of those at addresses.
#include "AtomicRules.h"
#include "Tiles.h"

using namespace mlir;
using namespace flagtree::flir;

bool flagtree::flir::isAtomic(Operation *op) {
  return isa<AtomicRMWOp, ScatterRMWOp, AtomicCASOp, AtomicLoadOp, AtomicPollOp>(op);
}

bool flagtree::flir::ordersMemory(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AtomicRMWOp, ScatterRMWOp, AtomicCASOp, AtomicLoadOp, AtomicPollOp>(
          [](auto access) { return access.getOrder() != MemoryOrder::Relaxed; })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult flagtree::flir::verifyUpdate(Operation *op, AtomicKind kind, Type block, Value old) {
  if (old && old.getType() != block)
    return op->emitOpError("expects old values of type ") << block << ", got " << old.getType();
  Type element = getElementTypeOrSelf(block);
  bool ofFloats = kind == AtomicKind::FAdd || kind == AtomicKind::FMax || kind == AtomicKind::FMin;
  if (kind == AtomicKind::Exchange || (ofFloats ? isa<FloatType>(element) : isa<IntegerType>(element)))
    return success();
  return op->emitOpError("applies '") << stringifyAtomicKind(kind) << "' to " << element << "; it needs "
                                      << (ofFloats ? "floating-point" : "integer") << " elements";
}

/// `type` has the shape and the kind (tensor, vector, scalar) of the addresses.
static LogicalResult verifyShape(Operation *op, StringRef what, Type type, Type addresses) {
  auto shaped = dyn_cast<ShapedType>(addresses);
  Type expected = getElementTypeOrSelf(type);
  if (shaped)
    expected = shaped.clone(expected);
  if (type == expected)
    return success();
  return op->emitOpError("expects ") << what << " of type " << expected << " for addresses of type "
                                     << addresses << ", got " << type;
}

static LogicalResult verifyMask(Operation *op, Value mask, Type addresses) {
  return mask ? verifyShape(op, "a mask", mask.getType(), addresses) : success();
}

LogicalResult ScatterRMWOp::verify() {
  Type addresses = getAddresses().getType();
  if (failed(verifyShape(*this, "values", getValue().getType(), addresses)) ||
      failed(verifyMask(*this, getMask(), addresses)))
    return failure();
  return verifyUpdate(*this, getKind(), getValue().getType(), getOld());
}

LogicalResult AtomicCASOp::verify() {
  return verifyShape(*this, "values", getValue().getType(), getAddresses().getType());
}

LogicalResult AtomicLoadOp::verify() {
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Acquire)
    return emitOpError("reads; its memory order is relaxed or acquire");
  Type addresses = getAddresses().getType();
  if (failed(verifyShape(*this, "a result", getResult().getType(), addresses)))
    return failure();
  return verifyMask(*this, getMask(), addresses);
}

LogicalResult AtomicPollOp::verify() {
  if (getOrder() != MemoryOrder::Relaxed && getOrder() != MemoryOrder::Acquire)
    return emitOpError("reads; its memory order is relaxed or acquire");
  Type addresses = getAddresses().getType();
  if (failed(verifyShape(*this, "expected values", getExpected().getType(), addresses)))
    return failure();
  return verifyShape(*this, "a result", getSeen().getType(), addresses);
}

//===----------------------------------------------------------------------===//
// Tiles: every tensor that comes in or goes out is cut alike
//===----------------------------------------------------------------------===//

static FailureOr<TilingResult> addressedTile(OpBuilder &b, Operation *op, ArrayRef<OpFoldResult> offsets,
                                             ArrayRef<OpFoldResult> sizes) {
  std::optional<SmallVector<int64_t>> shape = getConstantIntValues(sizes);
  if (!shape)
    return failure();
  TilingResult result;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    bool isCut = isa<RankedTensorType>(operand.getType());
    operands.push_back(isCut ? sliceOf(b, op->getLoc(), operand, offsets, sizes, result.generatedSlices)
                             : operand);
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(RankedTensorType::get(*shape, getElementTypeOrSelf(type)));
  Operation *tile = b.create(op->getLoc(), op->getName().getIdentifier(), operands, types, op->getAttrs());
  result.tiledOps = {tile};
  llvm::append_range(result.tiledValues, tile->getResults());
  return result;
}

#define FLAGTREE_ADDRESSED_TILING(OP)                                                                        \
  SmallVector<utils::IteratorType> OP::getLoopIteratorTypes() {                                              \
    return parallelLoops(getAddresses().getType());                                                          \
  }                                                                                                          \
  SmallVector<Range> OP::getIterationDomain(OpBuilder &b) {                                                  \
    return blockDomain(b, getAddresses().getType());                                                         \
  }                                                                                                          \
  FailureOr<TilingResult> OP::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,           \
                                                     ArrayRef<OpFoldResult> sizes) {                         \
    return addressedTile(b, *this, offsets, sizes);                                                          \
  }                                                                                                          \
  LogicalResult OP::getResultTilePosition(                                                                   \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,                   \
      SmallVector<OpFoldResult> &resultOffsets, SmallVector<OpFoldResult> &resultSizes) {                    \
    return sameTile(offsets, sizes, resultOffsets, resultSizes);                                             \
  }

FLAGTREE_ADDRESSED_TILING(ScatterRMWOp)
FLAGTREE_ADDRESSED_TILING(AtomicCASOp)
FLAGTREE_ADDRESSED_TILING(AtomicLoadOp)
FLAGTREE_ADDRESSED_TILING(AtomicPollOp)
