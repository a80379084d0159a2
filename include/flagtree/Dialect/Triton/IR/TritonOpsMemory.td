// SPDX-License-Identifier: MIT
// Loads, stores and block pointers.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSMEMORY_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSMEMORY_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

def Triton_LoadOp : Triton_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                       InferTypeOpAdaptor]> {
  let summary = "Read an element, a tensor of elements or a block";
  let description = [{
    Elements whose `mask` is false are not read and have the value of `other`,
    or are undefined without it. A block pointer takes no mask: dimensions in
    `boundaryCheck` are checked against the tensor's shape and elements outside
    have the value that `padding` names.

    ```mlir
    %0 = tt.load %p, %mask, %zero {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>}
       : tensor<64x!tt.ptr<f32>>
    %1 = tt.load %b {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
    ```
    The older spelling `cacheModifier = cg evictionPolicy = evict_first` before
    the attributes is read as well.
  }];
  let arguments = (ins TT_AddressLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_ScalarOrTensor>:$other,
                       DefaultValuedAttr<DenseI32ArrayAttr, "::mlir::ArrayRef<int32_t>{}">:$boundaryCheck,
                       OptionalAttr<TT_PaddingOption>:$padding, OptionalAttr<Triton_CachePolicyAttr>:$cachePolicy,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_ScalarOrTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_StoreOp : Triton_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Write an element, a tensor of elements or a block";
  let description = [{
    Elements whose `mask` is false are not written.

    `tt.store %p, %value, %mask : tensor<64x!tt.ptr<f32>>`
  }];
  let arguments = (ins TT_AddressLike:$ptr, TT_ScalarOrTensor:$value, Optional<TT_BoolLike>:$mask,
                       DefaultValuedAttr<DenseI32ArrayAttr, "::mlir::ArrayRef<int32_t>{}">:$boundaryCheck,
                       OptionalAttr<Triton_CachePolicyAttr>:$cachePolicy);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Triton_MakeTensorPtrOp : Triton_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize]> {
  let summary = "Block pointer from a base, a shape, strides and offsets";
  let description = [{
    `order` lists the dimensions from the fastest to the slowest in memory.

    ```mlir
    %b = tt.make_tensor_ptr %p, [%m, %n], [%n, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
    ```
  }];
  let arguments = (ins TT_ElementPtr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Triton_AdvanceOp : Triton_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Move a block pointer by an offset in each dimension";
  let description = "`%1 = tt.advance %0, [%i, %j] : <tensor<64x32xf16>>`";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSMEMORY_TD
