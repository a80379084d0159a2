// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONDIALECT_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONDIALECT_TD

include "mlir/IR/OpBase.td"

def Triton_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::flagtree::tt";
  let summary = "The text that Triton's front ends print";
  let description = [{
    `tt` reads the TTIR text of Triton 3.6 to 3.9 in FlagTree's own MLIR. A
    kernel is a `tt.func` that one program of the launch grid runs; it works on
    scalars and on ranked tensors of static shape whose dimensions are powers
    of two. Tensors carry no encoding at this level.

    Where versions of Triton spell one thing in two ways both are read and the
    newer is printed:

    | thing | read | printed |
    |---|---|---|
    | cache policy | `cacheModifier = cg evictionPolicy = evict_first` | `{cachePolicy = #tt.cache_policy<…>}` |
    | descriptor type | `!tt.tensordesc<tensor<16x16xf32>>` | `!tt.tensordesc<16x16xf32>` |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOperations();
    void registerInliner();
  }];
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONDIALECT_TD
