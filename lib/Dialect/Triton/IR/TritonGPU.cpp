// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/Triton/IR/TritonGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace flagtree::ttg;

#include "flagtree/Dialect/Triton/IR/TritonGPUDialect.cpp.inc"
#include "flagtree/Dialect/Triton/IR/TritonGPUEnums.cpp.inc"

/// `all`, or names joined by bars.
static ParseResult parseBarrierSpaces(OpAsmParser &parser, BarrierSpacesAttr &attr) {
  auto spaces = BarrierSpaces::None;
  do {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<BarrierSpaces> parsed = symbolizeBarrierSpaces(word);
    if (!parsed)
      return parser.emitError(loc)
             << "barrier orders '" << word
             << "'; it must be all, none, local, global_read, global_write, tensor_read or "
                "tensor_write";
    spaces = spaces | *parsed;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  attr = BarrierSpacesAttr::get(parser.getContext(), spaces);
  return success();
}

static void printBarrierSpaces(OpAsmPrinter &printer, Operation *, BarrierSpacesAttr attr) {
  printer << stringifyBarrierSpaces(attr.getValue());
}

#define GET_OP_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonGPUOps.cpp.inc"

namespace {
/// A barrier may be inlined wherever it is called.
struct BarrierInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

Attribute TritonGPUDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseKeyword(&name)))
    parser.emitError(loc) << "#ttg." << name
                          << " belongs to upstream's GPU stage; give the Triton IR from before it";
  return {};
}

void TritonGPUDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "flagtree/Dialect/Triton/IR/TritonGPUOps.cpp.inc"
      >();
  addInterfaces<BarrierInliner>();
}
