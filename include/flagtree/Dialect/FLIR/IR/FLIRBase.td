// SPDX-License-Identifier: MIT
// What the operations of FLIR share.
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRBASE_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRBASE_TD

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
    void setMixedExtents(::llvm::ArrayRef<::mlir::OpFoldResult> mixed) {
      ::llvm::SmallVector<int64_t> numbers;
      ::llvm::SmallVector<::mlir::Value> operands;
      ::mlir::dispatchIndexOpFoldResults(mixed, operands, numbers);
      getExtentsMutable().assign(operands);
      setStaticExtents(numbers);
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
  code indirection = [{
    /// The index of each dimension; null for those that have none.
    ::llvm::SmallVector<::mlir::Value> getIndexOfDims() {
      ::llvm::SmallVector<::mlir::Value> result(getRank());
      for (auto [dim, index] : ::llvm::zip_equal(getIndexDims(), getIndices()))
        result[dim] = index;
      return result;
    }
  }];
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRBASE_TD
