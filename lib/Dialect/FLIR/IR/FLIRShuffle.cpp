// SPDX-License-Identifier: MIT
// Operations that move or count elements: verifiers, folds and tiles.
#include "Tiles.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace flagtree::flir;

//===----------------------------------------------------------------------===//
// XorShuffleOp
//===----------------------------------------------------------------------===//

LogicalResult XorShuffleOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (!type.hasStaticShape() || !llvm::isPowerOf2_64(type.getNumElements()))
    return emitOpError("expects a number of elements that is a power of two, got ") << type;
  auto distance = static_cast<int64_t>(getDistance());
  if (distance < 0 || distance >= type.getNumElements())
    return emitOpError("expects a distance from 0 to ") << type.getNumElements() - 1 << ", got " << distance;
  return success();
}

/// No distance is no exchange; two exchanges are one.
OpFoldResult XorShuffleOp::fold(FoldAdaptor) {
  if (getDistance() == 0)
    return getSource();
  auto inner = getSource().getDefiningOp<XorShuffleOp>();
  if (!inner)
    return {};
  setDistance(getDistance() ^ inner.getDistance());
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

SmallVector<utils::IteratorType> XorShuffleOp::getLoopIteratorTypes() { return parallelLoops(getType()); }

SmallVector<Range> XorShuffleOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getType()); }

/// Tiles have a power of two as size and start at a multiple of it.
FailureOr<TilingResult> XorShuffleOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                             ArrayRef<OpFoldResult> sizes) {
  std::optional<int64_t> size = getConstantIntValue(sizes[0]);
  if (!size || !llvm::isPowerOf2_64(*size))
    return failure();
  Location loc = getLoc();
  auto distance = static_cast<int64_t>(getDistance());
  int64_t within = distance & (*size - 1), between = distance - within;
  OpFoldResult offset = offsets[0];
  if (between != 0) {
    Value start = getValueOrCreateConstantIndexOp(b, loc, offset);
    offset = b.createOrFold<arith::XOrIOp>(loc, start, arith::ConstantIndexOp::create(b, loc, between));
  }
  auto slice = tensor::ExtractSliceOp::create(b, loc, getSource(), ArrayRef<OpFoldResult>{offset},
                                              ArrayRef<OpFoldResult>{sizes[0]},
                                              ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  auto tile = XorShuffleOp::create(b, loc, slice, within);
  return TilingResult{{tile}, {tile.getResult()}, {slice}};
}

LogicalResult XorShuffleOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                                  ArrayRef<OpFoldResult> sizes,
                                                  SmallVector<OpFoldResult> &resultOffsets,
                                                  SmallVector<OpFoldResult> &resultSizes) {
  return sameTile(offsets, sizes, resultOffsets, resultSizes);
}

FailureOr<TilingResult> XorShuffleOp::generateResultTileValue(OpBuilder &b, unsigned,
                                                              ArrayRef<OpFoldResult> offsets,
                                                              ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(b, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// HistogramOp
//===----------------------------------------------------------------------===//

LogicalResult HistogramOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  if (!source.hasStaticShape() || !cast<RankedTensorType>(getType()).hasStaticShape())
    return emitOpError("expects static shapes");
  if (getMask() && cast<RankedTensorType>(getMask().getType()).getShape() != source.getShape())
    return emitOpError("expects a mask of the shape of ") << source << ", got " << getMask().getType();
  return success();
}
