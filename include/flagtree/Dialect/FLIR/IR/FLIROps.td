// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRAtomicOps.td"
include "flagtree/Dialect/FLIR/IR/FLIRAttrs.td"
include "flagtree/Dialect/FLIR/IR/FLIRBase.td"
include "flagtree/Dialect/FLIR/IR/FLIRCombineOps.td"
include "flagtree/Dialect/FLIR/IR/FLIRExternOps.td"
include "flagtree/Dialect/FLIR/IR/FLIRProgramOps.td"
include "flagtree/Dialect/FLIR/IR/FLIRShuffleOps.td"

// One integer for each position along a dimension.
def FLIR_Index : AnyTypeOf<[1DTensorOf<[I64]>, VectorOfRankAndType<[1], [I64]>]>;
def FLIR_IndexDims : DefaultValuedAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>{}">;

def FLIR_LoadOp : FLIR_StructuredOp<"load", [sourceTiling, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read a strided block from global memory";
  let description = [{
    Element `(i0, …, ik)` is at `base + offset + Σ i_d · stride_d`, counted in
    elements; of a dimension in `indirect`, which has an index, at `index_d[i_d]`
    more. Elements outside the extents, or whose `mask` is false, are not read
    and have the value `pad`; without `pad` they are undefined.

    ```mlir
    %b = flir.load %x[%off] strides [%ld, 1] extents [%rows, 64] pad %zero : f32 -> tensor<32x64xf32>
    %r = flir.load %x[%off] strides [0, 1] extents [32, 64] indirect [0] (%rows : tensor<32xi64>) -> tensor<32x64xf32>
    %s = flir.load %x[%off] strides [] extents [] -> f32
    ```
  }];
  let arguments = (ins FLIR_Pointer:$base, Index:$offset, Variadic<Index>:$strides, Variadic<Index>:$extents,
    Variadic<FLIR_Index>:$indices, Optional<FLIR_Mask>:$mask, Optional<FLIR_Scalar>:$pad,
    DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_extents, FLIR_IndexDims:$index_dims,
    UnitAttr:$isVolatile);
  let results = (outs FLIR_Block:$result);
  let assemblyFormat = [{
    $base `[` $offset `]`
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    `extents` custom<DynamicIndexList>($extents, $static_extents)
    (`indirect` $index_dims `(` $indices^ `:` type($indices) `)`)?
    (`mask` $mask^ `:` type($mask))? (`pad` $pad^ `:` type($pad))?
    attr-dict `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$base, "::mlir::Value":$offset,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
    "::mlir::Value":$mask, "::mlir::Value":$pad,
    CArg<"::llvm::ArrayRef<::mlir::Value>", "{}">:$indexOfDims)>];
  let extraClassDeclaration = accessors # indirection # [{
    ::mlir::Type getBlockType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def FLIR_StoreOp : FLIR_StructuredOp<"store", [sinkTiling, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Write a strided block to global memory";
  let description = [{
    Elements are where `flir.load` has them. Those outside the extents, or whose
    `mask` is false, are not written.

    ```mlir
    flir.store %b, %x[%off] strides [1] extents [%n] : tensor<64xf32>
    ```
  }];
  let arguments = (ins FLIR_Block:$value, FLIR_Pointer:$base, Index:$offset, Variadic<Index>:$strides,
    Variadic<Index>:$extents, Variadic<FLIR_Index>:$indices, Optional<FLIR_Mask>:$mask,
    DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_extents, FLIR_IndexDims:$index_dims);
  let assemblyFormat = [{
    $value `,` $base `[` $offset `]`
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    `extents` custom<DynamicIndexList>($extents, $static_extents)
    (`indirect` $index_dims `(` $indices^ `:` type($indices) `)`)?
    (`mask` $mask^ `:` type($mask))?
    attr-dict `:` type($value)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$base, "::mlir::Value":$offset,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
    "::mlir::Value":$mask, CArg<"::llvm::ArrayRef<::mlir::Value>", "{}">:$indexOfDims)>];
  let extraClassDeclaration = accessors # indirection # [{
    ::mlir::Type getBlockType() { return getValue().getType(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def FLIR_GatherOp : FLIR_Op<"gather", [sourceTiling, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read elements at addresses that follow no structure";
  let description = [{
    Element `i` is read at the byte address `addresses[i]`. Where `mask` is
    false nothing is read and the value is `pad`, or undefined without it. It
    is the last resort of the pointer analysis.

    ```mlir
    %g = flir.gather %a : tensor<64xi64> mask %m : tensor<64xi1> pad %zero : f32 -> tensor<64xf32>
    ```
  }];
  let arguments = (ins FLIR_Addresses:$addresses, Optional<FLIR_Mask>:$mask, Optional<FLIR_Scalar>:$pad,
    UnitAttr:$isVolatile);
  let results = (outs FLIR_Block:$result);
  let assemblyFormat = [{
    $addresses `:` type($addresses) (`mask` $mask^ `:` type($mask))? (`pad` $pad^ `:` type($pad))?
    attr-dict `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Type getBlockType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
}

def FLIR_ScatterOp : FLIR_Op<"scatter", [sinkTiling, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Write elements to addresses that follow no structure";
  let description = [{
    Element `i` is written to the byte address `addresses[i]` where `mask` is
    true. Elements are written in row-major order, so the last of several
    writes to one place stays.

    ```mlir
    flir.scatter %v, %a mask %m : tensor<64xi1> : tensor<64xf32>, tensor<64xi64>
    ```
  }];
  let arguments = (ins FLIR_Block:$value, FLIR_Addresses:$addresses, Optional<FLIR_Mask>:$mask);
  let assemblyFormat = [{
    $value `,` $addresses (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value) `,` type($addresses)
  }];
  let extraClassDeclaration = [{
    ::mlir::Type getBlockType() { return getValue().getType(); }
  }];
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD
