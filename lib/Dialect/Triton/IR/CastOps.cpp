// SPDX-License-Identifier: MIT
// Conversions and pointer arithmetic: rules and folding.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree::tt;

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

LogicalResult BitcastOp::verify() {
  Type from = elementOf(getSrc()), to = elementOf(getResult());
  bool fromPointer = isa<PointerType>(from), toPointer = isa<PointerType>(to);
  if (fromPointer != toPointer)
    return emitOpError() << "casts " << from << " to " << to
                         << "; use tt.ptr_to_int or tt.int_to_ptr between pointers and integers";
  if (!fromPointer && from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "casts " << from << " to " << to << "; both must have the same number of bits";
  return success();
}

OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<BitcastOp>();
  if (!inner)
    return {};
  if (inner.getSrc().getType() == getType())
    return inner.getSrc();
  setOperand(inner.getSrc());
  return getResult();
}

/// Address to integer and back: the integer itself.
OpFoldResult PtrToIntOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getSrc().getDefiningOp<IntToPtrOp>())
    return inner.getSrc();
  return {};
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

LogicalResult FpToFpOp::verify() {
  Type from = elementOf(getSrc()), to = elementOf(getResult());
  unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = to.getIntOrFloatBitWidth();
  // Types of one width, such as bf16 and f16, lose digits or range either way.
  bool narrower = toBits < fromBits || (toBits == fromBits && from != to && getRounding());
  if (narrower && !getRounding())
    return emitOpError() << "narrows " << from << " to " << to << " and needs 'rounding'; give rtne or rtz";
  if (!narrower && getRounding())
    return emitOpError() << "converts " << from << " to " << to
                         << ", which is not narrower; leave 'rounding' out";
  return success();
}
