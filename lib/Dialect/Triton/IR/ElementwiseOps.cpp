// SPDX-License-Identifier: MIT
// Foreign code on each element: rules and effects.
#include "flagtree/Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace flagtree::tt;

/// All operands and results are scalars, or tensors of one shape.
static LogicalResult verifyOneShape(Operation *op) {
  if (op->getNumResults() == 0)
    return op->emitOpError() << "has no result; it must have at least one";
  Type first = op->getResult(0).getType();
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                            llvm::to_vector(op->getResultTypes())))
    if (!haveSameShape(first, type))
      return op->emitOpError() << "mixes " << first << " and " << type << "; all must have the same shape";
  return success();
}

/// What is not pure may read and write anything.
static void addEffects(bool pure, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

static Speculation::Speculatability speculatability(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

LogicalResult ExternElementwiseOp::verify() {
  if (getSymbol().empty())
    return emitOpError() << "names no function; 'symbol' must not be empty";
  return verifyOneShape(*this);
}

void ExternElementwiseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(getPure(), effects);
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() { return speculatability(getPure()); }

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (failed(verifyOneShape(*this)))
    return failure();
  int64_t packed = getPackedElement();
  auto tensor = dyn_cast<RankedTensorType>((*this)->getResult(0).getType());
  int64_t elements = tensor ? tensor.getNumElements() : 1;
  if (packed >= 1 && (packed == 1 || elements % packed == 0))
    return success();
  return emitOpError() << "takes " << packed << " elements at a time of " << elements
                       << "; 'packed_element' must divide the number of elements";
}

void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addEffects(getPure(), effects);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return speculatability(getPure());
}
