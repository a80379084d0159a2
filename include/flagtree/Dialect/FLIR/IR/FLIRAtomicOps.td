// SPDX-License-Identifier: MIT
// Atomic accesses.
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRATOMICOPS_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRATOMICOPS_TD

include "flagtree/Dialect/FLIR/IR/FLIRBase.td"
include "mlir/IR/EnumAttr.td"

class FLIR_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::flagtree::flir";
}

def FLIR_AtomicKind : FLIR_Enum<"AtomicKind", "what an atomic update does", [
  I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">, I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"Add", 4, "add">, I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
  I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"UMin", 9, "umin">,
  I32EnumAttrCase<"Exchange", 10, "exch">, I32EnumAttrCase<"FMax", 11, "fmax">,
  I32EnumAttrCase<"FMin", 12, "fmin">]>;

def FLIR_MemoryOrder : FLIR_Enum<"MemoryOrder", "how an atomic access is ordered with others", [
  I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
  I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcquireRelease", 4, "acq_rel">]>;

// Programs of one launch run on one device; a system is all devices and the host.
def FLIR_MemoryScope : FLIR_Enum<"MemoryScope", "who sees the memory order", [
  I32EnumAttrCase<"Device", 1, "device">, I32EnumAttrCase<"Program", 2, "program">,
  I32EnumAttrCase<"System", 3, "system">]>;

def FLIR_Address : AnyTypeOf<[FLIR_Addresses, I64]>;

// No tile of a result on demand: an update must happen once, so it is never fused into its users.
defvar atomicInterfaces = [
  DeclareOpInterfaceMethods<TilingInterface, [
    "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation", "getResultTilePosition"]>,
  MemoryEffects<[MemRead, MemWrite]>];

def FLIR_AtomicRMWOp : FLIR_StructuredOp<"atomic_rmw", atomicInterfaces> {
  let summary = "Update a strided block of global memory element by element";
  let description = [{
    Each element that takes part is replaced by `kind(old, value)` in one
    indivisible step; the block as a whole is not one. The result, where it is
    asked for, holds the old values, and zero for elements outside the extents
    or whose `mask` is false. Without a result and with unit strides this is
    what the DMA engines of accelerators do on the way to memory.

    `exch` without a result is an atomic store.

    ```mlir
    flir.atomic_rmw fadd relaxed device %v, %x[%off] strides [1] extents [%n] : tensor<64xf32>
    %old = flir.atomic_rmw add acq_rel device %one, %count[%p] strides [] extents [] : i32 -> i32
    ```
  }];
  let arguments = (ins FLIR_AtomicKind:$kind, FLIR_MemoryOrder:$order, FLIR_MemoryScope:$scope, FLIR_Block:$value,
    FLIR_Pointer:$base, Index:$offset, Variadic<Index>:$strides, Variadic<Index>:$extents,
    Optional<FLIR_Mask>:$mask, DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$static_extents);
  let results = (outs Optional<FLIR_Block>:$old);
  let assemblyFormat = [{
    $kind $order $scope $value `,` $base `[` $offset `]`
    `strides` custom<DynamicIndexList>($strides, $static_strides)
    `extents` custom<DynamicIndexList>($extents, $static_extents)
    (`mask` $mask^ `:` type($mask))?
    attr-dict `:` type($value) (`->` type($old)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$old, "AtomicKind":$kind, "MemoryOrder":$order, "MemoryScope":$scope,
    "::mlir::Value":$value, "::mlir::Value":$base, "::mlir::Value":$offset,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
    "::mlir::Value":$mask)>];
  let extraClassDeclaration = accessors # [{
    ::mlir::Type getBlockType() { return getValue().getType(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

// Atomic accesses at byte addresses: blocks, or one element at one address.
class FLIR_AddressedAtomicOp<string mnemonic, list<Trait> traits = []>
    : FLIR_Op<mnemonic, traits # atomicInterfaces> {
  let hasVerifier = 1;
}

def FLIR_ScatterRMWOp : FLIR_AddressedAtomicOp<"scatter_rmw"> {
  let summary = "Update elements of global memory at addresses that follow no structure";
  let description = [{
    Like `flir.atomic_rmw`, with a byte address for each element. An address
    that occurs several times is updated as often.

    ```mlir
    flir.scatter_rmw add relaxed device %v, %a mask %m : tensor<64xi1> : tensor<64xi32>, tensor<64xi64>
    ```
  }];
  let arguments = (ins FLIR_AtomicKind:$kind, FLIR_MemoryOrder:$order, FLIR_MemoryScope:$scope, FLIR_Block:$value,
    FLIR_Address:$addresses, Optional<FLIR_Mask>:$mask);
  let results = (outs Optional<FLIR_Block>:$old);
  let assemblyFormat = [{
    $kind $order $scope $value `,` $addresses (`mask` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` type($addresses) (`->` type($old)^)?
  }];
}

def FLIR_AtomicCASOp : FLIR_AddressedAtomicOp<"atomic_cas", [AllTypesMatch<["expected", "value", "old"]>]> {
  let summary = "Write a value where memory holds the expected one, and give the old value";
  let description = [{
    Elements are compared bit by bit.

    `%old = flir.atomic_cas acq_rel device %zero, %one, %a : i32, i64`
  }];
  let arguments = (ins FLIR_MemoryOrder:$order, FLIR_MemoryScope:$scope, FLIR_Block:$expected, FLIR_Block:$value,
    FLIR_Address:$addresses);
  let results = (outs FLIR_Block:$old);
  let assemblyFormat = [{
    $order $scope $expected `,` $value `,` $addresses attr-dict `:` type($value) `,` type($addresses)
  }];
}

def FLIR_AtomicLoadOp : FLIR_AddressedAtomicOp<"atomic_load"> {
  let summary = "Read elements with a memory order";
  let description = [{
    Where `mask` is false nothing is read and the value is zero.

    `%v = flir.atomic_load acquire device %a mask %m : i1 : i64 -> i32`
  }];
  let arguments = (ins FLIR_MemoryOrder:$order, FLIR_MemoryScope:$scope, FLIR_Address:$addresses,
    Optional<FLIR_Mask>:$mask);
  let results = (outs FLIR_Block:$result);
  let assemblyFormat = [{
    $order $scope $addresses (`mask` $mask^ `:` type($mask))? attr-dict `:` type($addresses) `->` type($result)
  }];
}

def FLIR_AtomicPollOp : FLIR_AddressedAtomicOp<"atomic_poll"> {
  let summary = "Wait until memory holds the expected value or a point in time has passed";
  let description = [{
    The result says for each element whether the value was seen. Each element
    is read at least once. `deadline` is a time of `flir.clock`; without it the
    wait has no end.

    `%seen = flir.atomic_poll acquire device %v, %a until %t : i32, i64 -> i1`
  }];
  let arguments = (ins FLIR_MemoryOrder:$order, FLIR_MemoryScope:$scope, FLIR_Block:$expected,
    FLIR_Address:$addresses, Optional<I64>:$deadline);
  let results = (outs FLIR_Mask:$seen);
  let assemblyFormat = [{
    $order $scope $expected `,` $addresses (`until` $deadline^)? attr-dict
    `:` type($expected) `,` type($addresses) `->` type($seen)
  }];
}

def FLIR_ClockOp : FLIR_Op<"clock", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Nanoseconds of a clock that never goes back";
  let description = "`%now = flir.clock`";
  let results = (outs I64:$now);
  let assemblyFormat = "attr-dict";
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRATOMICOPS_TD
