// SPDX-License-Identifier: MIT
// Functions, calls and returns.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSFUNCTION_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSFUNCTION_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Triton_FuncOp : Triton_Op<"func", [AffineScope, AutomaticAllocationScope, IsolatedFromAbove,
                                       FunctionOpInterface]> {
  let summary = "A kernel or a device function";
  let description = [{
    The public function of a module is the kernel. A function with the
    attribute `noinline = true` stays a function when the inliner runs.

    ```mlir
    tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
      tt.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::mlir::StringRef":$name, "::mlir::FunctionType":$type,
                                 CArg<"::mlir::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    /// Whether the source asked for this function never to be inlined.
    bool isNoInline();
  }];
}

def Triton_CallOp : Triton_Op<"call", [DeclareOpInterfaceMethods<CallOpInterface>,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Call of a device function";
  let description = "`%r:2 = tt.call @\"m.f__fp32\"(%a, %b) : (f32, f32) -> (f32, f32)`";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
  let extraClassDeclaration = [{
    ::mlir::FunctionType getCalleeType() {
      return ::mlir::FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
    }
  }];
}

def Triton_ReturnOp : Triton_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "End of a function";
  let description = "`tt.return %a, %b : f32, f32`";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange());">];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSFUNCTION_TD
