// SPDX-License-Identifier: MIT
// TilingInterface of the operations with a combine region. Along the axis a
// reduction keeps a tile of partial results, started by the first tile, so
// that no neutral element is needed.
#include "Tiles.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace flagtree::flir;

/// The same tile of each tensor.
static SmallVector<Value> tilesOf(OpBuilder &b, Location loc, ValueRange tensors,
                                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                                  SmallVectorImpl<Operation *> &slices) {
  return llvm::map_to_vector(tensors,
                             [&](Value tensor) { return sliceOf(b, loc, tensor, offsets, sizes, slices); });
}

template <typename T> static void dropAxis(SmallVectorImpl<T> &numbers, int64_t axis) {
  numbers.erase(numbers.begin() + axis);
}

/// The operation on tiles that are whole along the axis.
template <typename Op>
static FailureOr<TilingResult> tileOtherDims(OpBuilder &b, Op op, ArrayRef<OpFoldResult> offsets,
                                             ArrayRef<OpFoldResult> sizes) {
  if (!isConstantIntValue(sizes[op.getAxis()], op.getAxisSize()))
    return failure();
  TilingResult result;
  SmallVector<Value> tiles = tilesOf(b, op.getLoc(), op.getSources(), offsets, sizes, result.generatedSlices);
  for (Value tile : tiles)
    if (!cast<RankedTensorType>(tile.getType()).hasStaticShape())
      return failure();
  OperationState state(op.getLoc(), Op::getOperationName());
  if constexpr (std::is_same_v<Op, ScanOp>)
    ScanOp::build(b, state, tiles, op.getAxis(), op.getReverse());
  else
    ReduceOp::build(b, state, tiles, op.getAxis());
  Operation *tiled = b.create(state);
  IRMapping map;
  op.getCombiner().cloneInto(&tiled->getRegion(0), map);
  tiled->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  result.tiledOps = {tiled};
  result.tiledValues = llvm::to_vector_of<Value>(tiled->getResults());
  return result;
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> ReduceOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> loops = parallelLoops(getSourceType());
  loops[getAxis()] = utils::IteratorType::reduction;
  return loops;
}

SmallVector<Range> ReduceOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getSourceType()); }

FailureOr<TilingResult> ReduceOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                         ArrayRef<OpFoldResult> sizes) {
  return tileOtherDims(b, *this, offsets, sizes);
}

LogicalResult ReduceOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes,
                                              SmallVector<OpFoldResult> &resultOffsets,
                                              SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  dropAxis(resultOffsets, getAxis());
  dropAxis(resultSizes, getAxis());
  return success();
}

/// Zeros, which the first tile replaces.
FailureOr<SmallVector<Value>>
ReduceOp::generateInitialTensorForPartialReduction(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                                                   const SetVector<unsigned> &) {
  SmallVector<int64_t> shape(getSourceType().getShape());
  std::optional<int64_t> tile = getConstantIntValue(sizes[getAxis()]);
  if (!tile)
    return failure();
  shape[getAxis()] = *tile;
  SmallVector<Value> inits;
  for (Type type : getSources().getTypes()) {
    Type element = getElementTypeOrSelf(type);
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    Value empty = tensor::EmptyOp::create(b, loc, shape, element);
    inits.push_back(linalg::FillOp::create(b, loc, zero, empty).getResult(0));
  }
  return inits;
}

FailureOr<TilingResult> ReduceOp::tileToPartialReduction(OpBuilder &b, Location loc,
                                                         ReductionTilingStrategy strategy, ValueRange inits,
                                                         ArrayRef<OpFoldResult> offsets,
                                                         ArrayRef<OpFoldResult> sizes,
                                                         const SetVector<unsigned> &,
                                                         ArrayRef<OpFoldResult>) {
  if (strategy != ReductionTilingStrategy::PartialReductionOuterReduction)
    return failure();
  TilingResult result;
  SmallVector<Value> tiles = tilesOf(b, loc, getSources(), offsets, sizes, result.generatedSlices);
  Value start = getValueOrCreateConstantIndexOp(b, loc, offsets[getAxis()]);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, start, zero);
  SmallVector<AffineMap> maps(tiles.size() + inits.size(), b.getMultiDimIdentityMap(getRank()));
  SmallVector<utils::IteratorType> loops(getRank(), utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, inits.getTypes(), tiles, inits, maps, loops, [&](OpBuilder &b, Location loc, ValueRange args) {
        ValueRange further = args.take_front(tiles.size()), partial = args.drop_front(tiles.size());
        SmallVector<Value> operands(partial);
        llvm::append_range(operands, further);
        SmallVector<Value> combined = inlineCombiner(b, getCombiner(), operands);
        for (auto [value, element] : llvm::zip_equal(combined, further))
          value = arith::SelectOp::create(b, loc, first, element, value);
        linalg::YieldOp::create(b, loc, combined);
      });
  result.tiledOps = {generic};
  result.tiledValues = llvm::to_vector_of<Value>(generic.getResults());
  return result;
}

FailureOr<MergeResult> ReduceOp::mergeReductions(OpBuilder &b, Location loc, ValueRange partial,
                                                 const SetVector<unsigned> &) {
  auto merge = ReduceOp::create(b, loc, partial, getAxis());
  IRMapping map;
  getCombiner().cloneInto(&merge.getCombiner(), map);
  return MergeResult{{merge}, llvm::to_vector_of<Value>(merge.getResults())};
}

LogicalResult ReduceOp::getPartialResultTilePosition(OpBuilder &b, unsigned, ReductionTilingStrategy,
                                                     ArrayRef<OpFoldResult> offsets,
                                                     ArrayRef<OpFoldResult> sizes,
                                                     const SetVector<unsigned> &, ArrayRef<OpFoldResult>,
                                                     SmallVector<OpFoldResult> &resultOffsets,
                                                     SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  resultOffsets[getAxis()] = b.getIndexAttr(0);
  return success();
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> ScanOp::getLoopIteratorTypes() { return parallelLoops(getSourceType()); }

SmallVector<Range> ScanOp::getIterationDomain(OpBuilder &b) { return blockDomain(b, getSourceType()); }

FailureOr<TilingResult> ScanOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                       ArrayRef<OpFoldResult> sizes) {
  return tileOtherDims(b, *this, offsets, sizes);
}

LogicalResult ScanOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes,
                                            SmallVector<OpFoldResult> &resultOffsets,
                                            SmallVector<OpFoldResult> &resultSizes) {
  return sameTile(offsets, sizes, resultOffsets, resultSizes);
}

FailureOr<TilingResult> ScanOp::generateResultTileValue(OpBuilder &b, unsigned number,
                                                        ArrayRef<OpFoldResult> offsets,
                                                        ArrayRef<OpFoldResult> sizes) {
  FailureOr<TilingResult> tiled = getTiledImplementation(b, offsets, sizes);
  if (failed(tiled))
    return failure();
  tiled->tiledValues = {tiled->tiledOps.front()->getResult(number)};
  return tiled;
}
