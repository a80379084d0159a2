// SPDX-License-Identifier: MIT
// Tensor descriptors: syntax and rules.
#include "CachePolicySyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace flagtree::tt;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LogicalResult MakeTensorDescOp::verify() {
  TensorDescType type = getType();
  int64_t rank = type.getBlockType().getRank();
  if (static_cast<int64_t>(getShape().size()) != rank)
    return emitOpError() << "has " << getShape().size() << " sizes and strides for a block of rank " << rank;
  Type element = type.getSignlessBlockType().getElementType();
  if (getBase().getType().getPointeeType() == element)
    return success();
  return emitOpError() << "has a base of type " << getBase().getType() << " for a block of "
                       << type.getElementType();
}

/// A block moved through a descriptor: as many indices as dimensions, the same
/// elements; leading dimensions of size 1 may be missing from the tensor.
static LogicalResult verifyBlockAccess(Operation *op, TensorDescType desc, Type tensor, size_t numIndices) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (static_cast<int64_t>(numIndices) != block.getRank())
    return op->emitOpError() << "has " << numIndices << " indices for a block of rank " << block.getRank();
  auto moved = cast<RankedTensorType>(tensor);
  ArrayRef<int64_t> shape = block.getShape();
  while (static_cast<int64_t>(shape.size()) > moved.getRank() && shape.front() == 1)
    shape = shape.drop_front();
  if (shape == moved.getShape() && block.getElementType() == moved.getElementType())
    return success();
  return op->emitOpError() << "moves " << tensor << " through " << desc << ", whose block is " << block;
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getType(), getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

/// Rows moved through a descriptor of one-row blocks.
static LogicalResult verifyRowAccess(Operation *op, TensorDescType desc, Type rows, Type tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError() << "uses " << desc << "; rows are moved through a block of shape 1xN";
  auto indices = cast<RankedTensorType>(rows);
  if (indices.getRank() != 1)
    return op->emitOpError() << "has row indices of type " << rows << "; they must have one dimension";
  auto expected = RankedTensorType::get({indices.getDimSize(0), block.getDimSize(1)}, block.getElementType());
  if (tensor == expected)
    return success();
  return op->emitOpError() << "moves " << tensor << "; " << indices.getDimSize(0) << " rows of " << desc
                           << " are " << expected;
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRowAccess(*this, getDesc().getType(), getXOffsets().getType(), getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRowAccess(*this, getDesc().getType(), getXOffsets().getType(), getSrc().getType());
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

using Operand = OpAsmParser::UnresolvedOperand;

ParseResult MakeTensorDescOp::parse(OpAsmParser &parser, OperationState &result) {
  Operand base;
  SmallVector<Operand> shape, strides;
  PointerType pointer;
  TensorDescType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(base) || parser.parseComma() ||
      parser.parseOperandList(shape, OpAsmParser::Delimiter::Square) || parser.parseComma() ||
      parser.parseOperandList(strides, OpAsmParser::Delimiter::Square) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseCustomTypeWithFallback(pointer) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(type))
    return failure();
  if (shape.size() != strides.size())
    return parser.emitError(loc) << "has " << shape.size() << " sizes and " << strides.size()
                                 << " strides; each dimension needs one of each";
  Builder &builder = parser.getBuilder();
  result.addTypes(type);
  return failure(parser.resolveOperand(base, pointer, result.operands) ||
                 parser.resolveOperands(shape, builder.getI32Type(), result.operands) ||
                 parser.resolveOperands(strides, builder.getI64Type(), result.operands) ||
                 verifyParsedAttributes(parser, result));
}

void MakeTensorDescOp::print(OpAsmPrinter &printer) {
  SmallVector<StringRef> hidden;
  if (getPadding() == PaddingOption::Zero)
    hidden.push_back("padding");
  printer << ' ' << getBase() << ", [" << getShape() << "], [" << getStrides() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs(), hidden);
  printer << " : ";
  printer.printStrippedAttrOrType(getBase().getType());
  printer << ", ";
  printer.printStrippedAttrOrType(getType());
}

ParseResult DescriptorLoadOp::parse(OpAsmParser &parser, OperationState &result) {
  Operand desc;
  SmallVector<Operand> indices;
  Type type, value;
  if (parser.parseOperand(desc) || parser.parseOperandList(indices, OpAsmParser::Delimiter::Square) ||
      parseCachePolicyWords(parser, result) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.parseArrow() || parser.parseType(value))
    return failure();
  result.addTypes(value);
  return failure(parser.resolveOperand(desc, type, result.operands) ||
                 parser.resolveOperands(indices, parser.getBuilder().getI32Type(), result.operands) ||
                 verifyParsedAttributes(parser, result));
}

void DescriptorLoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getDesc() << '[' << getIndices() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getDesc().getType() << " -> " << getType();
}
