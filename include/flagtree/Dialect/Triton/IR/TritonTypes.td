// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONTYPES_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONTYPES_TD

include "flagtree/Dialect/Triton/IR/TritonDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Triton_Type<string cppName, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Triton_Dialect, cppName, traits> {
  let mnemonic = typeMnemonic;
}

def Triton_PointerType : Triton_Type<"Pointer", "ptr"> {
  let summary = "Address of an element or of a block in global memory";
  let description = [{
    `!tt.ptr<f32>` is the address of one element. `!tt.ptr<tensor<64x32xf16>>`
    is a block pointer: an address with a shape, strides and offsets, made by
    `tt.make_tensor_ptr`. The address space is 1, global memory, unless given:
    `!tt.ptr<f32, 3>`, or as Triton 3.9 writes pointers to constant data,
    `!tt.ptr<f32, "constant">`, which is 4.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, DefaultValuedParameter<"int", "1">:$addressSpace);
  let hasCustomAssemblyFormat = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
      CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
  let skipDefaultBuilders = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True for a block pointer.
    bool isBlockPointer() { return ::mlir::isa<::mlir::RankedTensorType>(getPointeeType()); }
  }];
}

def Triton_TensorDescType : Triton_Type<"TensorDesc", "tensordesc", [ShapedTypeInterface]> {
  let summary = "Descriptor of a tensor in global memory and of the block read from it";
  let description = [{
    `!tt.tensordesc<16x64xf16>`: what is known statically is the block that one
    access moves; base, shape and strides are values. The element type may be
    signed (`si32`): reductions then compare signed.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
    return $_get(blockType.getContext(), blockType);
  }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The block with a signless element type, as values have it.
    ::mlir::RankedTensorType getSignlessBlockType();
    ::mlir::ArrayRef<int64_t> getShape() const { return getBlockType().getShape(); }
    ::mlir::Type getElementType() const { return getBlockType().getElementType(); }
    bool hasRank() const { return true; }
    ::mlir::ShapedType cloneWith(std::optional<::mlir::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;
  }];
}

// Constraints on operands and results.
def TT_Float : AnyTypeOf<[AnyFloat], "floating-point", "::mlir::FloatType">;
def TT_Int : AnyTypeOf<[AnySignlessInteger], "signless integer", "::mlir::IntegerType">;
def TT_Ptr : TypeConstraint<CPred<"::llvm::isa<::flagtree::tt::PointerType>($_self)">, "Triton pointer",
    "::flagtree::tt::PointerType">;
def TT_ElementPtr : Type<And<[TT_Ptr.predicate,
    CPred<"!::llvm::cast<::flagtree::tt::PointerType>($_self).isBlockPointer()">]>, "pointer to an element",
    "::flagtree::tt::PointerType">;
def TT_BlockPtr : DialectType<Triton_Dialect, And<[CPred<"::llvm::isa<::flagtree::tt::PointerType>($_self)">,
    CPred<"::llvm::cast<::flagtree::tt::PointerType>($_self).isBlockPointer()">]>, "pointer to a block",
    "::flagtree::tt::PointerType">;

def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_PtrTensor : RankedTensorOf<[TT_ElementPtr]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_ElementPtr]>;

def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_ElementPtr]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_PtrLike : AnyTypeOf<[TT_ElementPtr, TT_PtrTensor]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;
def TT_ScalarOrTensor : AnyTypeOf<[TT_Scalar, TT_Tensor]>;
def TT_Any : AnyTypeOf<[TT_Float, TT_Int, TT_ElementPtr, TT_Tensor, TT_BlockPtr, Triton_TensorDescType]>;
def TT_AddressLike : AnyTypeOf<[TT_ElementPtr, TT_PtrTensor, TT_BlockPtr]>;

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONTYPES_TD
