// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace flagtree::tt {

static LogicalResult verifyBlockTensor(Operation *op, StringRef kind, unsigned index, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  auto complain = [&] { return op->emitOpError() << kind << " #" << index << " has type " << type << ": "; };
  if (tensor.getEncoding())
    return complain()
           << "tensors of Triton IR carry no encoding; give the text from before upstream's GPU stage";
  if (!tensor.hasStaticShape())
    return complain() << "the shape must be static";
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (!llvm::isPowerOf2_64(size))
      return complain() << "dimension " << dim << " is " << size << ", which is not a power of two";
  if (tensor.getNumElements() > maxTensorElements)
    return complain() << "it has " << tensor.getNumElements() << " elements; at most " << maxTensorElements
                      << " are allowed";
  return success();
}

LogicalResult detail::verifyBlockTensors(Operation *op) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(verifyBlockTensor(op, "operand", index, type)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyBlockTensor(op, "result", index, type)))
      return failure();
  return success();
}

bool haveSameShape(Type a, Type b) {
  auto tensorA = dyn_cast<RankedTensorType>(a), tensorB = dyn_cast<RankedTensorType>(b);
  if (!tensorA || !tensorB)
    return !tensorA && !tensorB;
  return tensorA.getShape() == tensorB.getShape();
}

Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

Type getMaskType(Type type) { return withElementType(type, IntegerType::get(type.getContext(), 1)); }

bool isAddress(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  return pointer && !(isa<RankedTensorType>(type) && pointer.isBlockPointer());
}

Type getPointeeType(Type address) {
  if (!isAddress(address))
    return address;
  return withElementType(address, cast<PointerType>(getElementTypeOrSelf(address)).getPointeeType());
}

} // namespace flagtree::tt
