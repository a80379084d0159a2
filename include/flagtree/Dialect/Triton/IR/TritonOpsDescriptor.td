// SPDX-License-Identifier: MIT
// Tensor descriptors and accesses through them.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDESCRIPTOR_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDESCRIPTOR_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

def Triton_MakeTensorDescOp : Triton_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "Descriptor from a base, a shape and strides";
  let description = [{
    Elements read outside the shape are zero, or NaN when `padding` says so.

    `%d = tt.make_tensor_descriptor %p, [%m, %n], [%n64, %one] : <f16>, <32x64xf16>`
  }];
  let arguments = (ins TT_ElementPtr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       DefaultValuedAttr<TT_PaddingOption, "PaddingOption::Zero">:$padding);
  let results = (outs Triton_TensorDescType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Triton_DescriptorLoadOp : Triton_Op<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let summary = "Read a block";
  let description = [{
    Leading dimensions of size 1 of the block may be left out of the result.

    `%0 = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16>`
  }];
  let arguments = (ins Triton_TensorDescType:$desc, Variadic<I32>:$indices,
                       OptionalAttr<Triton_CachePolicyAttr>:$cachePolicy);
  let results = (outs TT_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Triton_DescriptorStoreOp : Triton_Op<"descriptor_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Write a block";
  let description = "`tt.descriptor_store %d[%i, %j], %0 : !tt.tensordesc<32x64xf16>, tensor<32x64xf16>`";
  let arguments = (ins Triton_TensorDescType:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}

def Triton_DescriptorReduceOp : Triton_Op<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Combine a block into memory, each element atomically";
  let description = "`tt.descriptor_reduce add, %d[%i, %j], %0 : !tt.tensordesc<16x64xf32>, tensor<16x64xf32>`";
  let arguments = (ins TT_DescriptorReduceKind:$kind, Triton_TensorDescType:$desc, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_RowOffsets : RankedTensorOf<[I16, I32]>;

def Triton_DescriptorGatherOp : Triton_Op<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let summary = "Read rows whose indices a tensor holds, from one column on";
  let description = [{
    `%0 = tt.descriptor_gather %d[%rows, %col] : (!tt.tensordesc<1x64xbf16>, tensor<32xi32>, i32) -> tensor<32x64xbf16>`
  }];
  let arguments = (ins Triton_TensorDescType:$desc, TT_RowOffsets:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Triton_DescriptorScatterOp : Triton_Op<"descriptor_scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "Write rows whose indices a tensor holds, from one column on";
  let description = [{
    `tt.descriptor_scatter %d[%rows, %col], %0 : !tt.tensordesc<1x64xbf16>, tensor<32xi32>, i32, tensor<32x64xbf16>`
  }];
  let arguments = (ins Triton_TensorDescType:$desc, TT_RowOffsets:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSDESCRIPTOR_TD
