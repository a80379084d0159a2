// SPDX-License-Identifier: MIT
// TilingInterface of FLIR's accesses: a tile of an access is the access with a
// moved offset and reduced extents, so tiles fuse into loops without a copy.
#include "Tiles.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace flagtree::flir;

/// Type of a tile with static sizes, or failure: FLIR blocks are static.
static FailureOr<Type> tileType(Type block, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> value = getConstantIntValue(size);
    if (!value)
      return failure();
    shape.push_back(*value);
  }
  return Type(RankedTensorType::get(shape, getElementTypeOrSelf(block)));
}

namespace {
/// Offset and extents of a tile of a structured access.
struct TileNumbers {
  Value offset;
  SmallVector<OpFoldResult> extents;
};
} // namespace

template <typename Op>
static TileNumbers tileNumbers(OpBuilder &b, Op op, ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  TileNumbers tile{op.getOffset(), {}};
  SmallVector<OpFoldResult> strides = op.getMixedStrides(), extents = op.getMixedExtents();
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    if (op.isFull(dim)) {
      tile.extents.push_back(sizes[dim]);
    } else if (isConstantIntValue(offset, 0)) {
      tile.extents.push_back(extents[dim]);
    } else {
      Value extent = getValueOrCreateConstantIndexOp(b, loc, extents[dim]);
      Value start = getValueOrCreateConstantIndexOp(b, loc, offset);
      tile.extents.push_back(b.createOrFold<arith::SubIOp>(loc, extent, start));
    }
    if (isConstantIntValue(offset, 0))
      continue;
    Value step = getValueOrCreateConstantIndexOp(b, loc, offset);
    if (!isConstantIntValue(strides[dim], 1))
      step = b.createOrFold<arith::MulIOp>(loc, step, getValueOrCreateConstantIndexOp(b, loc, strides[dim]));
    tile.offset = b.createOrFold<arith::AddIOp>(loc, tile.offset, step);
  }
  return tile;
}

/// The tile's part of the index of each indirect dimension.
template <typename Op>
static SmallVector<Value> tileIndices(OpBuilder &b, Op op, ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes, SmallVectorImpl<Operation *> &slices) {
  SmallVector<Value> result = op.getIndexOfDims();
  for (auto [dim, index] : llvm::enumerate(result))
    index = sliceOf(b, op.getLoc(), index, offsets[dim], sizes[dim], slices);
  return result;
}

static void keepHints(Operation *from, Operation *to) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> LoadOp::getLoopIteratorTypes() { return parallelLoops(getBlockType()); }
SmallVector<Range> LoadOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getBlockType()); }

FailureOr<TilingResult> LoadOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                       ArrayRef<OpFoldResult> sizes) {
  FailureOr<Type> type = tileType(getBlockType(), sizes);
  if (failed(type))
    return failure();
  TilingResult result;
  TileNumbers tile = tileNumbers(b, *this, offsets, sizes);
  Value mask = sliceOf(b, getLoc(), getMask(), offsets, sizes, result.generatedSlices);
  SmallVector<Value> indices = tileIndices(b, *this, offsets, sizes, result.generatedSlices);
  auto load = LoadOp::create(b, getLoc(), *type, getBase(), tile.offset, getMixedStrides(), tile.extents,
                             mask, getPad(), indices);
  load.setIsVolatile(getIsVolatile());
  keepHints(*this, load);
  result.tiledOps = {load};
  result.tiledValues = {load.getResult()};
  return result;
}

LogicalResult LoadOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes,
                                            SmallVector<OpFoldResult> &resultOffsets,
                                            SmallVector<OpFoldResult> &resultSizes) {
  return sameTile(offsets, sizes, resultOffsets, resultSizes);
}

FailureOr<TilingResult> LoadOp::generateResultTileValue(OpBuilder &b, unsigned,
                                                        ArrayRef<OpFoldResult> offsets,
                                                        ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> StoreOp::getLoopIteratorTypes() { return parallelLoops(getBlockType()); }
SmallVector<Range> StoreOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getBlockType()); }

FailureOr<TilingResult> StoreOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                        ArrayRef<OpFoldResult> sizes) {
  TilingResult result;
  TileNumbers tile = tileNumbers(b, *this, offsets, sizes);
  Value value = sliceOf(b, getLoc(), getValue(), offsets, sizes, result.generatedSlices);
  Value mask = sliceOf(b, getLoc(), getMask(), offsets, sizes, result.generatedSlices);
  SmallVector<Value> indices = tileIndices(b, *this, offsets, sizes, result.generatedSlices);
  auto store = StoreOp::create(b, getLoc(), value, getBase(), tile.offset, getMixedStrides(), tile.extents,
                               mask, indices);
  keepHints(*this, store);
  result.tiledOps = {store};
  return result;
}

//===----------------------------------------------------------------------===//
// AtomicRMWOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> AtomicRMWOp::getLoopIteratorTypes() { return parallelLoops(getBlockType()); }
SmallVector<Range> AtomicRMWOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getBlockType()); }

FailureOr<TilingResult> AtomicRMWOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                            ArrayRef<OpFoldResult> sizes) {
  TilingResult result;
  TileNumbers tile = tileNumbers(b, *this, offsets, sizes);
  Value value = sliceOf(b, getLoc(), getValue(), offsets, sizes, result.generatedSlices);
  Value mask = sliceOf(b, getLoc(), getMask(), offsets, sizes, result.generatedSlices);
  auto update =
      AtomicRMWOp::create(b, getLoc(), getOld() ? value.getType() : Type(), getKind(), getOrder(), getScope(),
                          value, getBase(), tile.offset, getMixedStrides(), tile.extents, mask);
  keepHints(*this, update);
  result.tiledOps = {update};
  if (update.getOld())
    result.tiledValues = {update.getOld()};
  return result;
}

LogicalResult AtomicRMWOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes,
                                                 SmallVector<OpFoldResult> &resultOffsets,
                                                 SmallVector<OpFoldResult> &resultSizes) {
  return sameTile(offsets, sizes, resultOffsets, resultSizes);
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> GatherOp::getLoopIteratorTypes() { return parallelLoops(getBlockType()); }
SmallVector<Range> GatherOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getBlockType()); }

FailureOr<TilingResult> GatherOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                         ArrayRef<OpFoldResult> sizes) {
  FailureOr<Type> type = tileType(getBlockType(), sizes);
  if (failed(type))
    return failure();
  TilingResult result;
  Value addresses = sliceOf(b, getLoc(), getAddresses(), offsets, sizes, result.generatedSlices);
  Value mask = sliceOf(b, getLoc(), getMask(), offsets, sizes, result.generatedSlices);
  auto gather = GatherOp::create(b, getLoc(), *type, addresses, mask, getPad(), getIsVolatile());
  keepHints(*this, gather);
  result.tiledOps = {gather};
  result.tiledValues = {gather.getResult()};
  return result;
}

LogicalResult GatherOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes,
                                              SmallVector<OpFoldResult> &resultOffsets,
                                              SmallVector<OpFoldResult> &resultSizes) {
  return sameTile(offsets, sizes, resultOffsets, resultSizes);
}

FailureOr<TilingResult> GatherOp::generateResultTileValue(OpBuilder &b, unsigned,
                                                          ArrayRef<OpFoldResult> offsets,
                                                          ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// ScatterOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> ScatterOp::getLoopIteratorTypes() { return parallelLoops(getBlockType()); }
SmallVector<Range> ScatterOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getBlockType()); }

FailureOr<TilingResult> ScatterOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                          ArrayRef<OpFoldResult> sizes) {
  TilingResult result;
  Value value = sliceOf(b, getLoc(), getValue(), offsets, sizes, result.generatedSlices);
  Value addresses = sliceOf(b, getLoc(), getAddresses(), offsets, sizes, result.generatedSlices);
  Value mask = sliceOf(b, getLoc(), getMask(), offsets, sizes, result.generatedSlices);
  auto scatter = ScatterOp::create(b, getLoc(), value, addresses, mask);
  keepHints(*this, scatter);
  result.tiledOps = {scatter};
  return result;
}
