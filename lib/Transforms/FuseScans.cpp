// SPDX-License-Identifier: MIT
// A scan inside of the loop that uses it: a tile is scanned by itself, and the
// last elements of one tile are combined with all of the next.
#include "FuseScans.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// The neutral element of a combiner that is one operation on its two arguments; null for others.
TypedAttr neutralElement(flir::ScanOp scan) {
  Block &body = scan.getCombiner().front();
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2 || body.front().getNumResults() != 1 ||
      body.getTerminator()->getOperand(0) != body.front().getResult(0) ||
      !llvm::equal(body.front().getOperands(), body.getArguments()))
    return {};
  return arith::getNeutralElement(&body.front()).value_or(TypedAttr());
}

class ScanFuser {
public:
  ScanFuser(RewriterBase &rewriter, flir::ScanOp scan, tensor::ExtractSliceOp slice, scf::ForOp loop)
      : rewriter(rewriter), scan(scan), slice(slice), loop(loop), loc(scan.getLoc()),
        neutral(neutralElement(scan)), offsets(slice.getMixedOffsets()), sizes(slice.getMixedSizes()) {}

  LogicalResult run() {
    SmallVector<int64_t> shape(slice.getType().getShape());
    if (!slice.getType().hasStaticShape() || slice.getType().getRank() != scan.getRank())
      return failure();
    int64_t along = shape[scan.getAxis()], lanes = computeProduct(shape);
    rewriter.setInsertionPoint(slice);
    bool isWhole = along == scan.getAxisSize();
    if (!isWhole && (!loop || (along != 1 && along != lanes)))
      return failure();
    for (Value source : scan.getSources())
      tiles.push_back(takeTile(source));
    if (along != 1)
      tiles = scanTiles();
    results = tiles;
    if (!isWhole)
      carry(along == lanes);
    return success();
  }

  SmallVector<Operation *> sourceSlices;
  SmallVector<Value> results;
  scf::ForOp newLoop;

private:
  Value takeTile(Value source) {
    auto tile =
        tensor::ExtractSliceOp::create(rewriter, loc, source, offsets, sizes, slice.getMixedStrides());
    sourceSlices.push_back(tile);
    return tile;
  }

  SmallVector<Value> scanTiles() {
    auto local = flir::ScanOp::create(rewriter, loc, tiles, scan.getAxis(), scan.getReverse());
    IRMapping map;
    scan.getCombiner().cloneInto(&local.getCombiner(), map);
    return llvm::to_vector_of<Value>(local.getResults());
  }

  TypedAttr initialElement(Type type) {
    return neutral ? neutral : cast<TypedAttr>(rewriter.getZeroAttr(type));
  }

  /// What is carried: numbers where the tile lies along the axis, else a slice across it.
  SmallVector<Value> makeInits(bool asScalars) {
    SmallVector<Value> inits;
    for (Value tile : tiles) {
      auto type = cast<RankedTensorType>(tile.getType());
      Value init = arith::ConstantOp::create(rewriter, loc, initialElement(type.getElementType()));
      if (!asScalars) {
        Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
        init = linalg::FillOp::create(rewriter, loc, init, empty).getResult(0);
      }
      inits.push_back(init);
    }
    return inits;
  }

  void carry(bool asScalars) {
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> inits = makeInits(asScalars);
    auto yields = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> carried) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(slice);
      if (!neutral)
        first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, loop.getInductionVar(),
                                      loop.getLowerBound());
      SmallVector<Value> old(carried.begin(), carried.end());
      return asScalars ? carryScalars(b, old) : carrySlices(b, old);
    };
    newLoop = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields));
  }

  /// `carried` combined with `further`; in the first iteration only the latter.
  SmallVector<Value> combine(OpBuilder &b, ValueRange carried, ValueRange further) {
    SmallVector<Value> operands(carried);
    llvm::append_range(operands, further);
    SmallVector<Value> combined = flir::inlineCombiner(b, scan.getCombiner(), operands);
    if (first)
      for (auto [value, element] : llvm::zip_equal(combined, further))
        value = arith::SelectOp::create(b, loc, first, element, value);
    return combined;
  }

  SmallVector<Value> carryScalars(OpBuilder &b, ArrayRef<Value> carried) {
    int64_t along = slice.getType().getDimSize(scan.getAxis());
    SmallVector<Value> position(scan.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
    if (!scan.getReverse())
      position[scan.getAxis()] = arith::ConstantIndexOp::create(b, loc, along - 1);
    SmallVector<Value> totals;
    for (Value tile : tiles)
      totals.push_back(tensor::ExtractOp::create(b, loc, tile, position));
    SmallVector<Value> next = combine(b, carried, totals), empties;
    SmallVector<Type> types;
    for (Value tile : tiles) {
      auto type = cast<RankedTensorType>(tile.getType());
      types.push_back(type);
      empties.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
    }
    results = makeGeneric(b, types, tiles, empties, [&](OpBuilder &b, ValueRange elements) {
      return combine(b, carried, elements.take_front(tiles.size()));
    });
    return next;
  }

  SmallVector<Value> carrySlices(OpBuilder &b, ArrayRef<Value> carried) {
    SmallVector<Type> types = llvm::map_to_vector(tiles, [](Value tile) { return tile.getType(); });
    results = makeGeneric(b, types, tiles, carried, [&](OpBuilder &b, ValueRange elements) {
      return combine(b, elements.drop_front(tiles.size()), elements.take_front(tiles.size()));
    });
    return results;
  }

  template <typename Fn>
  SmallVector<Value> makeGeneric(OpBuilder &b, ArrayRef<Type> types, ValueRange inputs, ValueRange outputs,
                                 Fn body) {
    SmallVector<AffineMap> maps(2 * tiles.size(), b.getMultiDimIdentityMap(scan.getRank()));
    SmallVector<utils::IteratorType> loops(scan.getRank(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(b, loc, types, inputs, outputs, maps, loops,
                                             [&](OpBuilder &b, Location, ValueRange elements) {
                                               linalg::YieldOp::create(b, loc, body(b, elements));
                                             });
    return llvm::to_vector_of<Value>(generic.getResults());
  }

  RewriterBase &rewriter;
  flir::ScanOp scan;
  tensor::ExtractSliceOp slice;
  scf::ForOp loop;
  Location loc;
  TypedAttr neutral;
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<Value> tiles;
  Value first;
};

} // namespace

FailureOr<SmallVector<Operation *>> flagtree::fuseScan(RewriterBase &rewriter, flir::ScanOp scan,
                                                       ArrayRef<tensor::ExtractSliceOp> slices,
                                                       SmallVectorImpl<LoopLikeOpInterface> &loops) {
  auto loop = loops.empty() ? scf::ForOp() : cast<scf::ForOp>(loops.back());
  ScanFuser fuser(rewriter, scan, slices.front(), loop);
  if (failed(fuser.run()))
    return failure();
  if (fuser.newLoop)
    loops.back() = fuser.newLoop;
  for (tensor::ExtractSliceOp slice : slices)
    rewriter.replaceOp(slice, fuser.results[cast<OpResult>(slice.getSource()).getResultNumber()]);
  return fuser.sourceSlices;
}

void flagtree::runBackwards(RewriterBase &rewriter, ArrayRef<LoopLikeOpInterface> loops, int64_t extent,
                            int64_t size) {
  auto loop = cast<scf::ForOp>(loops.back());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value last = arith::ConstantIndexOp::create(rewriter, loop.getLoc(), extent - size);
  auto mirrored = arith::SubIOp::create(rewriter, loop.getLoc(), last, loop.getInductionVar());
  rewriter.replaceAllUsesExcept(loop.getInductionVar(), mirrored, mirrored);
}

linalg::GenericOp flagtree::keepScan(RewriterBase &rewriter, flir::ScanOp scan) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(scan);
  Location loc = scan.getLoc();
  SmallVector<Value> empties;
  for (Type type : scan.getResultTypes())
    empties.push_back(tensor::EmptyOp::create(rewriter, loc, cast<RankedTensorType>(type).getShape(),
                                              getElementTypeOrSelf(type)));
  unsigned count = empties.size();
  SmallVector<AffineMap> maps(2 * count, rewriter.getMultiDimIdentityMap(scan.getRank()));
  SmallVector<utils::IteratorType> loops(scan.getRank(), utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(rewriter, loc, scan.getResultTypes(), scan.getResults(), empties,
                                        maps, loops, [&](OpBuilder &b, Location loc, ValueRange elements) {
                                          linalg::YieldOp::create(b, loc, elements.take_front(count));
                                        });
  for (auto [result, kept] : llvm::zip_equal(scan.getResults(), copy.getResults()))
    rewriter.replaceAllUsesExcept(result, kept, copy);
  return copy;
}
