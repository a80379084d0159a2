// SPDX-License-Identifier: MIT
// Functions, calls and returns: syntax and rules.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace flagtree::tt;

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag,
                     std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

bool FuncOp::isNoInline() {
  auto flag = (*this)->getAttrOfType<BoolAttr>("noinline");
  return flag && flag.getValue();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}
Operation::operand_range CallOp::getArgOperands() { return getOperands(); }
MutableOperandRange CallOp::getArgOperandsMutable() { return getOperandsMutable(); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!func)
    return emitOpError() << "calls @" << getCallee() << ", which is no tt.func of this module";
  if (getCalleeType() == func.getFunctionType())
    return success();
  InFlightDiagnostic diag = emitOpError() << "calls @" << getCallee() << " as " << getCalleeType()
                                          << ", but its type is " << func.getFunctionType();
  diag.attachNote(func.getLoc()) << "the function is defined here";
  return diag;
}

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (TypeRange(getOperandTypes()) == TypeRange(func.getResultTypes()))
    return success();
  return emitOpError() << "returns (" << getOperandTypes() << "), but @" << func.getName()
                       << " has the results (" << func.getResultTypes() << ")";
}
