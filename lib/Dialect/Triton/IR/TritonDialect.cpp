// SPDX-License-Identifier: MIT
// The dialect itself, its attributes and its constants.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace flagtree::tt;

#include "flagtree/Dialect/Triton/IR/TritonDialect.cpp.inc"
#include "flagtree/Dialect/Triton/IR/TritonEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "flagtree/Dialect/Triton/IR/TritonAttrs.cpp.inc"

void TritonDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "flagtree/Dialect/Triton/IR/TritonAttrs.cpp.inc"
      >();
}

void TritonDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOperations();
  registerInliner();
}

Operation *TritonDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
