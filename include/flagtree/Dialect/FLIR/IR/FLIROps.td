// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "mlir/IR/BuiltinAttributes.td"

class FLIR_Op<string mnemonic, list<Trait> traits = []> : Op<FLIR_Dialect, mnemonic, traits>;

// A plain address: kernel arguments, pointers loaded from memory and addresses
// made from integers alike.
def FLIR_Pointer : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "pointer",
    "::mlir::LLVM::LLVMPointerType">,
  BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

// Tensors before vectorisation, vectors after it, a scalar for a rank-0 access.
def FLIR_Block : AnyTypeOf<[AnyStaticShapeTensor, AnyVectorOfNonZeroRank, AnySignlessInteger, AnyFloat,
                            FLIR_Pointer]>;
def FLIR_Mask : AnyTypeOf<[StaticShapeTensorOf<[I1]>, VectorOfNonZeroRankOf<[I1]>, I1]>;
def FLIR_Addresses : AnyTypeOf<[StaticShapeTensorOf<[I64]>, VectorOfNonZeroRankOf<[I64]>]>;
def FLIR_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, FLIR_Pointer]>;

defvar sinkTiling = DeclareOpInterfaceMethods<TilingInterface, [
  "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation"]>;
defvar sourceTiling = DeclareOpInterfaceMethods<TilingInterface, [
  "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation", "getResultTilePosition",
  "generateResultTileValue"]>;

class FLIR_StructuredOp<string mnemonic, list<Trait> traits> : FLIR_Op<mnemonic, traits # [AttrSizedOperandSegments]> {
  code accessors = [{
    /// Rank of the block; 0 for a scalar access.
    int64_t getRank() { return getStaticStrides().size(); }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides() {
      return ::mlir::getMixedValues(getStaticStrides(), getStrides(), getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents() {
      return ::mlir::getMixedValues(getStaticExtents(), getExtents(), getContext());
    }
    /// True when no element of dimension `dim` can be outside the extent.
    bool isFull(int64_t dim) {
      return !::mlir::ShapedType::isDynamic(getStaticExtents()[dim]) &&
             getStaticExtents()[dim] >= getBlockShape()[dim];
    }
    ::llvm::ArrayRef<int64_t> getBlockShape() {
      if (auto shaped = ::mlir::dyn_cast<::mlir::ShapedType>(getBlockType()))
        return shaped.getShape();
      return {};
    }
  }];
}

def FLIR_LoadOp : FLIR_StructuredOp<"load", [sourceTiling, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read a strided block from global memory";
  let description = [{
    Elements outside the extents, or whose `mask` is false, are not read and
    have the value `pad`; without `pad` they are undefined.

    ```mlir
    %b = flir.load %x[%off] strides [%ld, 1] extents [%rows, 64] pad %zero : f32 -> tensor<32x64xf32>
    %s = flir.load %x[%off] strides [] extents [] -> f32
    ```
  }];
  let arguments = (ins FLIR_Pointer:$base, Index:$offset, Variadic<Index>:$strides, Variadic<Index>:$extents,
    Optional<FLIR_Mask>:$mask, Optional<FLIR_Scalar>:$pad,
    DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_extents, UnitAttr:$isVolatile);
  let results = (outs FLIR_Block:$result);
  let assemblyFormat = [{
    $base `[` $offset `]`
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    `extents` custom<DynamicIndexList>($extents, $static_extents)
    (`mask` $mask^ `:` type($mask))? (`pad` $pad^ `:` type($pad))?
    attr-dict `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$base, "::mlir::Value":$offset,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
    "::mlir::Value":$mask, "::mlir::Value":$pad)>];
  let extraClassDeclaration = accessors # [{
    ::mlir::Type getBlockType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def FLIR_StoreOp : FLIR_StructuredOp<"store", [sinkTiling, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Write a strided block to global memory";
  let description = [{
    Elements outside the extents, or whose `mask` is false, are not written.

    ```mlir
    flir.store %b, %x[%off] strides [1] extents [%n] : tensor<64xf32>
    ```
  }];
  let arguments = (ins FLIR_Block:$value, FLIR_Pointer:$base, Index:$offset, Variadic<Index>:$strides,
    Variadic<Index>:$extents, Optional<FLIR_Mask>:$mask,
    DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_extents);
  let assemblyFormat = [{
    $value `,` $base `[` $offset `]`
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    `extents` custom<DynamicIndexList>($extents, $static_extents)
    (`mask` $mask^ `:` type($mask))?
    attr-dict `:` type($value)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$base, "::mlir::Value":$offset,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
    "::mlir::Value":$mask)>];
  let extraClassDeclaration = accessors # [{
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

include "flagtree/Dialect/FLIR/IR/FLIRCombineOps.td"
include "flagtree/Dialect/FLIR/IR/FLIRExternOps.td"

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIROPS_TD
