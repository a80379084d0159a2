// SPDX-License-Identifier: MIT
// Dialect, verifiers, memory effects and canonicalisation of FLIR.
#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "AtomicRules.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace flagtree::flir;

#include "flagtree/Dialect/FLIR/IR/FLIRDialect.cpp.inc"

#include "flagtree/Dialect/FLIR/IR/FLIREnums.cpp.inc"

#define GET_OP_CLASSES
#include "flagtree/Dialect/FLIR/IR/FLIROps.cpp.inc"

void FLIRDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "flagtree/Dialect/FLIR/IR/FLIROps.cpp.inc"
      >();
}

bool flagtree::flir::isOnTensors(Operation *op) {
  return isa<FLIRDialect>(op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>));
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

/// The dimensions that have an index, and these indices.
static std::pair<SmallVector<int64_t>, SmallVector<Value>> presentIndices(ArrayRef<Value> indexOfDims) {
  std::pair<SmallVector<int64_t>, SmallVector<Value>> result;
  for (auto [dim, index] : llvm::enumerate(indexOfDims))
    if (index) {
      result.first.push_back(dim);
      result.second.push_back(index);
    }
  return result;
}

void LoadOp::build(OpBuilder &b, OperationState &state, Type result, Value base, Value offset,
                   ArrayRef<OpFoldResult> strides, ArrayRef<OpFoldResult> extents, Value mask, Value pad,
                   ArrayRef<Value> indexOfDims) {
  SmallVector<int64_t> staticStrides, staticExtents;
  SmallVector<Value> dynamicStrides, dynamicExtents;
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
  auto [indexDims, indices] = presentIndices(indexOfDims);
  build(b, state, result, base, offset, dynamicStrides, dynamicExtents, indices, mask, pad, staticStrides,
        staticExtents, indexDims, /*isVolatile=*/false);
}

void StoreOp::build(OpBuilder &b, OperationState &state, Value value, Value base, Value offset,
                    ArrayRef<OpFoldResult> strides, ArrayRef<OpFoldResult> extents, Value mask,
                    ArrayRef<Value> indexOfDims) {
  SmallVector<int64_t> staticStrides, staticExtents;
  SmallVector<Value> dynamicStrides, dynamicExtents;
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
  auto [indexDims, indices] = presentIndices(indexOfDims);
  build(b, state, value, base, offset, dynamicStrides, dynamicExtents, indices, mask, staticStrides,
        staticExtents, indexDims);
}

void AtomicRMWOp::build(OpBuilder &b, OperationState &state, Type old, AtomicKind kind, MemoryOrder order,
                        MemoryScope scope, Value value, Value base, Value offset,
                        ArrayRef<OpFoldResult> strides, ArrayRef<OpFoldResult> extents, Value mask) {
  SmallVector<int64_t> staticStrides, staticExtents;
  SmallVector<Value> dynamicStrides, dynamicExtents;
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
  build(b, state, old, kind, order, scope, value, base, offset, dynamicStrides, dynamicExtents, mask,
        staticStrides, staticExtents);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static int64_t blockRank(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getRank() : 0;
}

/// A mask has the shape and the kind (tensor, vector, scalar) of the block.
static LogicalResult verifyMask(Operation *op, Type block, Value mask) {
  if (!mask)
    return success();
  Type expected = IntegerType::get(op->getContext(), 1);
  if (auto shaped = dyn_cast<ShapedType>(block))
    expected = shaped.clone(expected);
  if (mask.getType() != expected)
    return op->emitOpError("expects a mask of type ") << expected << ", got " << mask.getType();
  return success();
}

static LogicalResult verifyPad(Operation *op, Type block, Value pad) {
  if (pad && pad.getType() != getElementTypeOrSelf(block))
    return op->emitOpError("expects a pad value of the element type ")
           << getElementTypeOrSelf(block) << ", got " << pad.getType();
  return success();
}

template <typename Op> static LogicalResult verifyStructured(Op op) {
  int64_t rank = blockRank(op.getBlockType());
  if (static_cast<int64_t>(op.getStaticStrides().size()) != rank)
    return op.emitOpError("expects one stride for each of the ")
           << rank << " dimensions of the block, got " << op.getStaticStrides().size();
  if (static_cast<int64_t>(op.getStaticExtents().size()) != rank)
    return op.emitOpError("expects one extent for each of the ")
           << rank << " dimensions of the block, got " << op.getStaticExtents().size();
  auto dynamic = [](ArrayRef<int64_t> values) {
    return static_cast<size_t>(llvm::count_if(values, ShapedType::isDynamic));
  };
  if (dynamic(op.getStaticStrides()) != op.getStrides().size())
    return op.emitOpError("expects ")
           << dynamic(op.getStaticStrides()) << " stride operands, got " << op.getStrides().size();
  if (dynamic(op.getStaticExtents()) != op.getExtents().size())
    return op.emitOpError("expects ")
           << dynamic(op.getStaticExtents()) << " extent operands, got " << op.getExtents().size();
  return verifyMask(op, op.getBlockType(), op.getMask());
}

/// Indices have the size of their dimension and the kind of the block.
template <typename Op> static LogicalResult verifyIndices(Op op) {
  ArrayRef<int64_t> dims = op.getIndexDims();
  if (dims.size() != op.getIndices().size())
    return op.emitOpError("expects one index for each of the ")
           << dims.size() << " indirect dimensions, got " << op.getIndices().size();
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= op.getRank() || (position > 0 && dims[position - 1] >= dim))
      return op.emitOpError("expects indirect dimensions of the block in ascending order, got [")
             << dims << "]";
  for (auto [dim, index] : llvm::zip_equal(dims, op.getIndices())) {
    auto type = cast<ShapedType>(index.getType());
    if (type.getDimSize(0) != op.getBlockShape()[dim] ||
        isa<VectorType>(type) != isa<VectorType>(op.getBlockType()))
      return op.emitOpError("expects an index of ")
             << op.getBlockShape()[dim] << " numbers for dimension " << dim << " of " << op.getBlockType()
             << ", got " << Type(type);
  }
  return success();
}

/// Addresses have the shape and the kind of the block.
template <typename Op> static LogicalResult verifyIndirect(Op op) {
  auto block = dyn_cast<ShapedType>(op.getBlockType());
  auto addresses = cast<ShapedType>(op.getAddresses().getType());
  if (!block || block.clone(addresses.getElementType()) != addresses)
    return op.emitOpError("expects addresses of the shape of the block ")
           << op.getBlockType() << ", got " << Type(addresses);
  return verifyMask(op, op.getBlockType(), op.getMask());
}

LogicalResult LoadOp::verify() {
  if (failed(verifyStructured(*this)) || failed(verifyIndices(*this)))
    return failure();
  return verifyPad(*this, getBlockType(), getPad());
}

LogicalResult StoreOp::verify() {
  return failure(failed(verifyStructured(*this)) || failed(verifyIndices(*this)));
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyStructured(*this)))
    return failure();
  return verifyUpdate(*this, getKind(), getValue().getType(), getOld());
}

LogicalResult GatherOp::verify() {
  if (failed(verifyIndirect(*this)))
    return failure();
  return verifyPad(*this, getBlockType(), getPad());
}

LogicalResult ScatterOp::verify() { return verifyIndirect(*this); }

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void readEffects(bool isVolatile, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
  if (isVolatile) // must be neither removed nor repeated
    effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

void LoadOp::getEffects(Effects &effects) { readEffects(getIsVolatile(), effects); }
void GatherOp::getEffects(Effects &effects) { readEffects(getIsVolatile(), effects); }
void StoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}
void ScatterOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {
/// Moves constant strides and extents into the attributes.
template <typename Op> struct FoldConstantNumbers : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> strides = op.getMixedStrides(), extents = op.getMixedExtents();
    bool changed = succeeded(foldDynamicIndexList(strides));
    changed |= succeeded(foldDynamicIndexList(extents));
    if (!changed)
      return failure();
    SmallVector<int64_t> staticStrides, staticExtents;
    SmallVector<Value> dynamicStrides, dynamicExtents;
    dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
    dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
    rewriter.modifyOpInPlace(op, [&] {
      op.getStridesMutable().assign(dynamicStrides);
      op.getExtentsMutable().assign(dynamicExtents);
      op.setStaticStrides(staticStrides);
      op.setStaticExtents(staticExtents);
    });
    return success();
  }
};

/// A mask of all true is no mask.
template <typename Op> struct DropTrueMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getMask() || !matchPattern(op.getMask(), m_One()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
};

/// Without extents and mask no element is outside, so the pad value is unused.
struct DropUnusedPad : OpRewritePattern<LoadOp> {
  using OpRewritePattern<LoadOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    if (!op.getPad() || op.getMask())
      return failure();
    for (int64_t dim = 0; dim < op.getRank(); ++dim)
      if (!op.isFull(dim))
        return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getPadMutable().clear(); });
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldConstantNumbers<LoadOp>, DropTrueMask<LoadOp>, DropUnusedPad>(context);
}

void AtomicRMWOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldConstantNumbers<AtomicRMWOp>, DropTrueMask<AtomicRMWOp>>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldConstantNumbers<StoreOp>, DropTrueMask<StoreOp>>(context);
}

//===----------------------------------------------------------------------===//
// Prints and assertions
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() == getValues().size())
    return success();
  return emitOpError("expects one sign for each of ")
         << getValues().size() << " values, got " << getIsSigned().size();
}

/// What holds always needs no look.
LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
