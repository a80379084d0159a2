// SPDX-License-Identifier: MIT
// Pointers and tensor descriptors: syntax and rules.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace flagtree::tt;

#define GET_TYPEDEF_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonTypes.cpp.inc"

void TritonDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "flagtree/Dialect/Triton/IR/TritonTypes.cpp.inc"
      >();
}

namespace {
enum AddressSpace : int { globalSpace = 1, constantSpace = 4 };
} // namespace

/// A number, or one of the names of Triton 3.9.
static ParseResult parseAddressSpace(AsmParser &parser, int &space) {
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalString(&name)))
    return parser.parseInteger(space);
  if (name == "global")
    space = globalSpace;
  else if (name == "constant")
    space = constantSpace;
  else
    return parser.emitError(loc) << "pointer has address space \"" << name
                                 << "\"; it must be \"global\", \"constant\" or a number";
  return success();
}

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int space = globalSpace;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parseAddressSpace(parser, space))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointee, space);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << '<' << getPointeeType();
  if (getAddressSpace() == constantSpace)
    printer << ", \"constant\"";
  else if (getAddressSpace() != globalSpace)
    printer << ", " << getAddressSpace();
  printer << '>';
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee,
                                  int addressSpace) {
  if (addressSpace < 0)
    return emitError() << "pointer has address space " << addressSpace << "; it must not be negative";
  if (auto tensor = dyn_cast<RankedTensorType>(pointee)) {
    if (!tensor.hasStaticShape())
      return emitError() << "block pointer to " << pointee << "; the block must have a static shape";
    return success();
  }
  if (isa<FloatType, PointerType>(pointee) || pointee.isSignlessInteger())
    return success();
  return emitError()
         << "pointer to " << pointee
         << "; a pointer points to a signless integer, a floating-point value, a pointer or a block";
}

// `<16x64xf32>`, or `<tensor<16x64xf32>>` as Triton 3.6 and 3.7 print it.
Type TensorDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type type;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(type))
    return {};
  if (parser.parseGreater())
    return {};
  auto block = dyn_cast<RankedTensorType>(type);
  if (!shape.empty() && (block || !RankedTensorType::isValidElementType(type))) {
    parser.emitError(loc) << "tensor descriptor has element type " << type
                          << "; write !tt.tensordesc<16x64xf32>";
    return {};
  }
  if (!shape.empty())
    block = RankedTensorType::get(shape, type);
  if (!block || !block.hasStaticShape()) {
    parser.emitError(loc) << "tensor descriptor of " << type
                          << "; it describes a block of static shape, as in !tt.tensordesc<16x64xf32>";
    return {};
  }
  return TensorDescType::get(block);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << '>';
}

RankedTensorType TensorDescType::getSignlessBlockType() {
  RankedTensorType block = getBlockType();
  if (auto integer = dyn_cast<IntegerType>(block.getElementType()))
    return block.clone(IntegerType::get(getContext(), integer.getWidth()));
  return block;
}

ShapedType TensorDescType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return TensorDescType::get(cast<RankedTensorType>(getBlockType().cloneWith(shape, elementType)));
}
