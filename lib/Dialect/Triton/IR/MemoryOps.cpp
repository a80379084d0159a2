// SPDX-License-Identifier: MIT
// Loads, stores and block pointers: syntax, rules, effects and canonical form.
#include "CachePolicySyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace flagtree::tt;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && pointer.isBlockPointer();
}

/// The mask has the shape of the address; a block pointer has none.
static LogicalResult verifyMask(Operation *op, Type address, Value mask) {
  if (!mask)
    return success();
  if (isBlockPointer(address))
    return op->emitOpError() << "has a mask, but its address is the block pointer " << address
                             << "; use 'boundaryCheck' instead";
  Type expected = getMaskType(address);
  if (mask.getType() == expected)
    return success();
  return op->emitOpError() << "has a mask of type " << mask.getType() << ", but an address of type " << address
                           << " needs " << expected;
}

static LogicalResult verifyBoundaryCheck(Operation *op, Type address, ArrayRef<int32_t> dims) {
  if (dims.empty())
    return success();
  if (!isBlockPointer(address))
    return op->emitOpError() << "has 'boundaryCheck', but its address of type " << address
                             << " is no block pointer; use a mask instead";
  int64_t rank = cast<RankedTensorType>(cast<PointerType>(address).getPointeeType()).getRank();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "checks dimension " << dim << " of a block of rank " << rank
                               << "; dimensions are 0 to " << rank - 1;
    if (llvm::is_contained(dims.take_front(i), dim))
      return op->emitOpError() << "names dimension " << dim << " twice in 'boundaryCheck'";
  }
  return success();
}

LogicalResult LoadOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyMask(*this, address, getMask())) ||
      failed(verifyBoundaryCheck(*this, address, getBoundaryCheck())))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return emitOpError() << "has a value for masked-off elements but no mask";
  if (getOther().getType() == getType())
    return success();
  return emitOpError() << "gives " << getType() << ", but its value for masked-off elements has type "
                       << getOther().getType();
}

LogicalResult StoreOp::verify() {
  Type address = getPtr().getType(), expected = getPointeeType(address);
  if (failed(verifyMask(*this, address, getMask())) ||
      failed(verifyBoundaryCheck(*this, address, getBoundaryCheck())))
    return failure();
  if (getValue().getType() == expected)
    return success();
  return emitOpError() << "stores a value of type " << getValue().getType() << " through an address of type "
                       << address << ", which needs " << expected;
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type address = adaptor.getPtr().getType();
  if (!isAddress(address))
    return emitOptionalError(loc, "'tt.load' op reads through ", address, ", which is no pointer");
  types.push_back(getPointeeType(address));
  return success();
}

LogicalResult MakeTensorPtrOp::verify() {
  auto block = cast<RankedTensorType>(getType().getPointeeType());
  int64_t rank = block.getRank();
  if (block.getElementType() != getBase().getType().getPointeeType())
    return emitOpError() << "has a base of type " << getBase().getType() << " for a block of type " << block;
  if (static_cast<int64_t>(getShape().size()) != rank)
    return emitOpError() << "has " << getShape().size() << " sizes, strides and offsets for a block of rank " << rank;
  SmallVector<int32_t> order(getOrder());
  llvm::sort(order);
  if (!llvm::equal(order, llvm::seq<int32_t>(0, rank)))
    return emitOpError() << "has the order [" << getOrder() << "], which is no permutation of 0 to " << rank - 1;
  return success();
}

LogicalResult AdvanceOp::verify() {
  int64_t rank = cast<RankedTensorType>(getType().getPointeeType()).getRank();
  if (static_cast<int64_t>(getOffsets().size()) == rank)
    return success();
  return emitOpError() << "has " << getOffsets().size() << " offsets for a block of rank " << rank;
}

//===----------------------------------------------------------------------===//
// Effects and canonical form
//===----------------------------------------------------------------------===//

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  // Keeps a volatile load whose result nobody uses.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    // In place, so that attributes such as hints stay.
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero()) && op.getOther() && !op.getIsVolatile()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  return failure();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero())) {
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}

/// No offset in any dimension: the same block.
OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(adaptor.getOffsets(), [](Attribute offset) { return matchPattern(offset, m_Zero()); }))
    return getPtr();
  return {};
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

using Operand = OpAsmParser::UnresolvedOperand;

/// `%ptr, …` with `least` to `most` operands.
static ParseResult parseOperands(OpAsmParser &parser, SmallVectorImpl<Operand> &operands, size_t least, size_t most) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands))
    return failure();
  if (operands.size() < least || operands.size() > most)
    return parser.emitError(loc) << "has " << operands.size() << (operands.size() == 1 ? " operand" : " operands")
                                 << "; it takes " << least << " to " << most;
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
  return failure(
      parser.resolveOperand(base, PointerType::get(block.getElementType(), type.getAddressSpace()), result.operands) ||
      parser.resolveOperands(shape, builder.getI64Type(), result.operands) ||
      parser.resolveOperands(strides, builder.getI64Type(), result.operands) ||
      parser.resolveOperands(offsets, builder.getI32Type(), result.operands) ||
      verifyParsedAttributes(parser, result));
}

void MakeTensorPtrOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBase() << ", [" << getShape() << "], [" << getStrides() << "], [" << getOffsets() << ']';
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
