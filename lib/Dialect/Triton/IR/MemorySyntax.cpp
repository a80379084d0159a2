// SPDX-License-Identifier: MIT
// Loads, stores and block pointers: syntax.
#include "CachePolicySyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace flagtree::tt;

using Operand = OpAsmParser::UnresolvedOperand;

/// `%ptr, …` with `least` to `most` operands.
static ParseResult parseOperands(OpAsmParser &parser, SmallVectorImpl<Operand> &operands, size_t least,
                                 size_t most) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands))
    return failure();
  if (operands.size() < least || operands.size() > most)
    return parser.emitError(loc) << "has " << operands.size()
                                 << (operands.size() == 1 ? " operand" : " operands") << "; it takes "
                                 << least << " to " << most;
  return success();
}

/// The address type after the colon, checked before types are derived from it.
static ParseResult parseAddressType(OpAsmParser &parser, Type &address) {
  SMLoc loc;
  if (parser.parseColon() || parser.getCurrentLocation(&loc) || parser.parseType(address))
    return failure();
  if (!isAddress(address))
    return parser.emitError(loc) << "accesses memory through " << address << ", which is no pointer";
  return success();
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Operand> operands;
  Type address;
  if (parseOperands(parser, operands, 1, 3) || parseCachePolicyWords(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) || parseAddressType(parser, address))
    return failure();
  Type value = getPointeeType(address);
  Type types[] = {address, getMaskType(address), value};
  if (parser.resolveOperands(operands, ArrayRef(types).take_front(operands.size()), parser.getNameLoc(),
                             result.operands))
    return failure();
  result.addTypes(value);
  auto &sizes = result.getOrAddProperties<Properties>().operandSegmentSizes;
  for (size_t i = 0; i < 3; ++i)
    sizes[i] = i < operands.size();
  return verifyParsedAttributes(parser, result);
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Operand> operands;
  Type address;
  if (parseOperands(parser, operands, 2, 3) || parseCachePolicyWords(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) || parseAddressType(parser, address))
    return failure();
  Type types[] = {address, getPointeeType(address), getMaskType(address)};
  if (parser.resolveOperands(operands, ArrayRef(types).take_front(operands.size()), parser.getNameLoc(),
                             result.operands))
    return failure();
  return verifyParsedAttributes(parser, result);
}

/// Operands, then the attributes that differ from their defaults.
static void printAccess(OpAsmPrinter &printer, Operation *op, Type address) {
  SmallVector<StringRef> hidden{"operandSegmentSizes"};
  if (auto check = op->getAttrOfType<DenseI32ArrayAttr>("boundaryCheck"); check && check.empty())
    hidden.push_back("boundaryCheck");
  if (auto isVolatile = op->getAttrOfType<BoolAttr>("isVolatile"); isVolatile && !isVolatile.getValue())
    hidden.push_back("isVolatile");
  printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs(), hidden);
  printer << " : " << address;
}

void LoadOp::print(OpAsmPrinter &printer) { printAccess(printer, *this, getPtr().getType()); }
void StoreOp::print(OpAsmPrinter &printer) { printAccess(printer, *this, getPtr().getType()); }

ParseResult MakeTensorPtrOp::parse(OpAsmParser &parser, OperationState &result) {
  Operand base;
  SmallVector<Operand> shape, strides, offsets;
  PointerType type;
  auto parseList = [&](SmallVectorImpl<Operand> &list) -> ParseResult {
    return failure(parser.parseComma() || parser.parseOperandList(list, OpAsmParser::Delimiter::Square));
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(base) || parseList(shape) || parseList(strides) || parseList(offsets) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseCustomTypeWithFallback(type))
    return failure();
  auto block = dyn_cast<RankedTensorType>(type.getPointeeType());
  if (!block || shape.size() != strides.size() || shape.size() != offsets.size())
    return parser.emitError(loc) << "has " << shape.size() << " sizes, " << strides.size() << " strides and "
                                 << offsets.size() << " offsets for " << type
                                 << "; a block pointer needs as many of each as its block has dimensions";
  Builder &builder = parser.getBuilder();
  result.addTypes(type);
  return failure(parser.resolveOperand(base, PointerType::get(block.getElementType(), type.getAddressSpace()),
                                       result.operands) ||
                 parser.resolveOperands(shape, builder.getI64Type(), result.operands) ||
                 parser.resolveOperands(strides, builder.getI64Type(), result.operands) ||
                 parser.resolveOperands(offsets, builder.getI32Type(), result.operands) ||
                 verifyParsedAttributes(parser, result));
}

void MakeTensorPtrOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBase() << ", [" << getShape() << "], [" << getStrides() << "], [" << getOffsets()
          << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : ";
  printer.printStrippedAttrOrType(getType());
}

ParseResult AdvanceOp::parse(OpAsmParser &parser, OperationState &result) {
  Operand ptr;
  SmallVector<Operand> offsets;
  PointerType type;
  if (parser.parseOperand(ptr) || parser.parseComma() ||
      parser.parseOperandList(offsets, OpAsmParser::Delimiter::Square) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseCustomTypeWithFallback(type))
    return failure();
  result.addTypes(type);
  return failure(parser.resolveOperand(ptr, type, result.operands) ||
                 parser.resolveOperands(offsets, parser.getBuilder().getI32Type(), result.operands));
}

void AdvanceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr() << ", [" << getOffsets() << ']';
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : ";
  printer.printStrippedAttrOrType(getType());
}
