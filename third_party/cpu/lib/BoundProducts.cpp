// SPDX-License-Identifier: MIT
#include "ProductOperands.h"
#include "flagtree-cpu/Passes.h"
#include "flagtree/Transforms/LinearForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUBOUNDPRODUCTS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

namespace {

/// Extents of the part of a block that anyone uses; null where all of it is.
struct Part {
  Value rows, columns;
};

/// What stores take of a product's result, through loops that add to it and
/// through elementwise work.
class StoredPart {
public:
  explicit StoredPart(linalg::MatmulOp dot) : dot(dot) {}

  Part find() {
    if (!follow(dot.getResult(0)) || stores.empty())
      return {};
    return {commonExtent(0), commonExtent(1)};
  }

private:
  bool follow(Value value) {
    if (!seen.insert(value).second)
      return true;
    return llvm::all_of(value.getUses(), [&](OpOperand &use) { return followUse(use); });
  }

  bool followUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto store = dyn_cast<flir::StoreOp>(user)) {
      if (store.getValue() == use.get() && store.getRank() == 2)
        stores.push_back(store);
      return store.getValue() == use.get() && store.getRank() == 2;
    }
    if (auto loop = dyn_cast<scf::ForOp>(user))
      return follow(loop.getTiedLoopRegionIterArg(&use)) && follow(loop.getTiedLoopResult(&use));
    if (auto yield = dyn_cast<scf::YieldOp>(user)) {
      auto loop = dyn_cast<scf::ForOp>(yield->getParentOp());
      unsigned number = use.getOperandNumber();
      return loop && follow(loop.getRegionIterArg(number)) && follow(loop.getResult(number));
    }
    if (auto other = dyn_cast<linalg::MatmulOp>(user))
      return &use == other.getDpsInitOperand(0) && follow(other.getResult(0));
    if (!keepsPlaces(use))
      return false;
    return llvm::all_of(user->getResults(), [&](Value result) { return follow(result); });
  }

  /// True when each element goes into the same element of the results alone.
  static bool keepsPlaces(OpOperand &use) {
    auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!generic)
      return OpTrait::hasElementwiseMappableTraits(use.getOwner()) && isPure(use.getOwner());
    return generic.getNumParallelLoops() == generic.getNumLoops() &&
           generic.getMatchingIndexingMap(&use).isIdentity() &&
           llvm::all_of(generic.getIndexingMapsArray(),
                        [](AffineMap map) { return map.isProjectedPermutation(); }) &&
           llvm::all_of(generic.getDpsInitsMutable(),
                        [&](OpOperand &init) { return generic.getMatchingIndexingMap(&init).isIdentity(); });
  }

  /// The extent that all stores have in a dimension.
  Value commonExtent(int64_t dim) {
    OpFoldResult first = stores.front().getMixedExtents()[dim];
    bool same =
        llvm::all_of(stores, [&](flir::StoreOp store) { return store.getMixedExtents()[dim] == first; });
    return same ? dyn_cast<Value>(first) : Value();
  }

  linalg::MatmulOp dot;
  llvm::SmallPtrSet<Value, 8> seen;
  SmallVector<flir::StoreOp> stores;
};

class ProductBounder {
public:
  explicit ProductBounder(linalg::MatmulOp dot) : dot(dot), rewriter(dot.getContext()), loc(dot.getLoc()) {
    auto left = cast<ShapedType>(dot.getDpsInputs()[0].getType());
    auto result = cast<ShapedType>(dot.getResult(0).getType());
    sizes = {result.getDimSize(0), result.getDimSize(1), left.getDimSize(1)};
  }

  void run() {
    if (!isInPlace())
      return;
    known[0] = flagtree::cpu::collectBlocks(dot.getDpsInputs()[0], blocks[0]);
    known[1] = flagtree::cpu::collectBlocks(dot.getDpsInputs()[1], blocks[1]);
    Part stored = StoredPart(dot).find();
    bounds = {atPlace(stored.rows), atPlace(stored.columns), known[0] && known[1] ? depth() : Value()};
    if (llvm::none_of(bounds, [](Value bound) { return bound; }))
      return;
    for (int64_t side : {0, 1})
      if (known[side])
        boundReads(side);
    takeParts();
  }

private:
  /// True when the part of the sum can be written where the sum lies: else all
  /// of it would be copied.
  bool isInPlace() {
    if (!dot->hasOneUse())
      return false;
    Value sum = dot.getDpsInits()[0];
    if (matchPattern(sum, m_AnyZeroFloat()) || matchPattern(sum, m_Zero()))
      return isa<flir::StoreOp>(*dot->user_begin());
    auto argument = dyn_cast<BlockArgument>(sum);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return loop && sum.hasOneUse() && loop.getTiedLoopYieldedValue(argument)->get() == dot.getResult(0);
  }

  /// Before the loops around the product, or before the first of its reads.
  Operation *findPlace() {
    Operation *place = dot;
    for (const flagtree::cpu::Blocks &each : blocks)
      for (flir::LoadOp load : each.loads)
        if (Operation *read = dot->getBlock()->findAncestorOpInBlock(*load);
            read && read->isBeforeInBlock(place))
          place = read;
    while (auto loop = dyn_cast<scf::ForOp>(place->getParentOp()))
      place = loop;
    return place;
  }

  /// The number, if it can be had there.
  Value atPlace(Value bound) {
    if (!bound)
      return {};
    Operation *place = findPlace();
    DominanceInfo dominance;
    if (dominance.properlyDominates(bound, place))
      return bound;
    bool moved = succeeded(moveValueDefinitions(rewriter, bound, place));
    dominance = DominanceInfo();
    return moved && dominance.properlyDominates(bound, place) ? bound : Value();
  }

  static bool isPaddedWithZero(flir::LoadOp load) {
    return !load.getMask() && load.getPad() &&
           (matchPattern(load.getPad(), m_AnyZeroFloat()) || matchPattern(load.getPad(), m_Zero()));
  }

  /// The extent along K that all reads of both sides have, and padding of zeros.
  Value depth() {
    Value common;
    for (int64_t side : {0, 1})
      for (flir::LoadOp load : blocks[side].loads) {
        auto extent = dyn_cast<Value>(load.getMixedExtents()[1 - side]);
        if (!extent || !isPaddedWithZero(load) || (common && common != extent))
          return {};
        common = extent;
      }
    return common && DominanceInfo().properlyDominates(common, dot) ? common : Value();
  }

  /// The bound of a dimension of an operand.
  Value boundOf(int64_t side, int64_t dim) const { return bounds[dim == 1 - side ? 2 : side]; }

  void boundReads(int64_t side) {
    for (flir::LoadOp load : blocks[side].loads) {
      if (load.getMask() || load.getIsVolatile())
        continue;
      SmallVector<OpFoldResult> extents = load.getMixedExtents();
      bool inside = true;
      for (int64_t dim : {0, 1}) {
        Value bound = boundOf(side, dim);
        if (bound && load.isFull(dim) && DominanceInfo().properlyDominates(bound, load))
          extents[dim] = bound;
        else if (!load.isFull(dim))
          inside &= bound && extents[dim] == OpFoldResult(bound);
      }
      load.setMixedExtents(extents);
      if (!inside)
        continue;
      load.getPadMutable().clear();
      load->setAttr(flagtree::cpu::insideAttr, rewriter.getUnitAttr());
    }
    for (scf::IfOp branch : blocks[side].branches)
      if (Value bound = bounds[side])
        dropWrap(branch, side, bound);
  }

  /// Indices `(first + i) % divisor` are `first + i` for `i` below
  /// `divisor - first`, where `first` is not negative.
  void dropWrap(scf::IfOp branch, int64_t dim, Value extent) {
    auto indirect = branch.elseYield().getOperand(0).getDefiningOp<flir::LoadOp>();
    auto plain = branch.thenYield().getOperand(0).getDefiningOp<flir::LoadOp>();
    if (!indirect || !plain || !plain.getIndices().empty() ||
        indirect.getIndexDims() != ArrayRef<int64_t>{dim})
      return;
    Value divisor = wrapsAt(indirect.getIndices()[0], extent);
    if (!divisor || !DominanceInfo().properlyDominates(extent, branch) ||
        !DominanceInfo().properlyDominates(divisor, branch))
      return;
    rewriter.setInsertionPoint(branch);
    Value all = getValueOrCreateCastToIndexLike(rewriter, loc, rewriter.getIndexType(), divisor);
    Value positive = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle, extent, all);
    branch.getConditionMutable().assign(positive);
  }

  /// The divisor, when `numbers` are `(divisor - extent + i) % divisor`, or a multiple of that.
  static Value wrapsAt(Value numbers, Value extent) {
    auto generic = numbers.getDefiningOp<linalg::GenericOp>();
    if (!generic || generic.getNumLoops() != 1)
      return {};
    Value value = generic.getBody()->getTerminator()->getOperand(0);
    auto isOfBody = [&](Value v) { return v.getParentBlock() == generic.getBody(); };
    while (Operation *op = value.getDefiningOp()) {
      if (auto product = dyn_cast<arith::MulIOp>(op); product && !isOfBody(product.getRhs()))
        value = product.getLhs();
      else if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
        value = op->getOperand(0);
      else
        break;
    }
    auto rest = value.getDefiningOp<arith::RemSIOp>();
    if (!rest || isOfBody(rest.getRhs()))
      return {};
    LinearForm position, expected;
    position.add(rest.getLhs());
    for (auto index : generic.getBody()->getOps<linalg::IndexOp>())
      expected.add(index);
    if (llvm::hasSingleElement(generic.getBody()->getOps<linalg::IndexOp>()) == false)
      return {};
    expected.add(rest.getRhs());
    expected.add(extent, -1);
    return position == expected ? rest.getRhs() : Value();
  }

  void takeParts() {
    rewriter.setInsertionPoint(dot);
    SmallVector<OpFoldResult> parts;
    for (auto [bound, size] : llvm::zip_equal(bounds, sizes))
      parts.push_back(bound ? clamped(bound, size) : OpFoldResult(rewriter.getIndexAttr(size)));
    Value left = part(dot.getDpsInputs()[0], parts[0], parts[2]);
    Value right = part(dot.getDpsInputs()[1], parts[2], parts[1]);
    Value whole = dot.getDpsInits()[0], sum = part(whole, parts[0], parts[1]);
    auto product = linalg::MatmulOp::create(rewriter, loc, TypeRange{sum.getType()}, ValueRange{left, right},
                                            ValueRange{sum});
    product->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
    product->setAttr(flagtree::cpu::blockAttr, rewriter.getDenseI64ArrayAttr(sizes));
    if (sum == whole)
      return rewriter.replaceOp(dot, product);
    SmallVector<OpFoldResult> zeros(2, rewriter.getIndexAttr(0)), ones(2, rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(dot, product.getResult(0), whole, zeros,
                                                       ArrayRef<OpFoldResult>{parts[0], parts[1]}, ones);
  }

  OpFoldResult clamped(Value bound, int64_t size) {
    Value least =
        arith::MinSIOp::create(rewriter, loc, bound, arith::ConstantIndexOp::create(rewriter, loc, size));
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    return arith::MaxSIOp::create(rewriter, loc, least, zero).getResult();
  }

  Value part(Value block, OpFoldResult rows, OpFoldResult columns) {
    if (!isa<Value>(rows) && !isa<Value>(columns))
      return block;
    SmallVector<OpFoldResult> zeros(2, rewriter.getIndexAttr(0)), ones(2, rewriter.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(rewriter, loc, block, zeros, ArrayRef<OpFoldResult>{rows, columns},
                                          ones);
  }

  linalg::MatmulOp dot;
  IRRewriter rewriter;
  Location loc;
  SmallVector<int64_t> sizes; // m, n, k
  SmallVector<Value> bounds;  // of m, n, k
  flagtree::cpu::Blocks blocks[2];
  bool known[2];
};

struct CpuBoundProducts : flagtree::cpu::impl::CpuBoundProductsBase<CpuBoundProducts> {
  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> dots;
    getOperation().walk([&](linalg::MatmulOp dot) { dots.push_back(dot); });
    for (linalg::MatmulOp dot : dots)
      ProductBounder(dot).run();
  }
};

} // namespace
