// SPDX-License-Identifier: MIT
// Block pointers and tensor descriptors: a base with a shape, strides and a
// position. What lies outside of the shape is an extent.
#include "Patterns.h"
#include "PtrAnalysis.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace flagtree;

std::optional<AffineBlock> PtrAnalysis::analyzeView(Value value) {
  auto numbers = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return toIndex(value); });
  };
  auto view = [&](auto op, SmallVector<OpFoldResult> starts) -> std::optional<AffineBlock> {
    std::optional<AffineBlock> base = analyze(op.getBase());
    if (!base)
      return std::nullopt;
    AffineBlock result(base->base, base->offset, numbers(op.getStrides()));
    result.shape = numbers(op.getShape());
    result.starts = std::move(starts);
    return result;
  };
  Operation *op = value.getDefiningOp();
  if (auto make = dyn_cast_or_null<tt::MakeTensorPtrOp>(op))
    return view(make, numbers(make.getOffsets()));
  if (auto make = dyn_cast_or_null<tt::MakeTensorDescOp>(op)) {
    std::optional<AffineBlock> result =
        view(make, SmallVector<OpFoldResult>(make.getShape().size(), number(0)));
    if (result && make.getPadding() == tt::PaddingOption::NaN)
      result->padsNaN = arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(true));
    return result;
  }
  if (auto advance = dyn_cast_or_null<tt::AdvanceOp>(op)) {
    std::optional<AffineBlock> result = analyze(advance.getPtr());
    if (result)
      for (auto [start, step] : llvm::zip_equal(result->starts, advance.getOffsets()))
        start = add(start, toIndex(step));
    return result;
  }
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  if (!select)
    return std::nullopt;
  std::optional<AffineBlock> a = analyze(select.getTrueValue()), b = analyze(select.getFalseValue());
  if (!a || !b)
    return std::nullopt;
  Value condition = select.getCondition();
  AffineBlock result = *a;
  auto pickAll = [&](SmallVector<OpFoldResult> &into, ArrayRef<OpFoldResult> other) {
    for (auto [x, y] : llvm::zip_equal(into, other))
      x = pick(condition, x, y);
  };
  if (a->base != b->base)
    result.base = arith::SelectOp::create(builder, op->getLoc(), condition, a->base, b->base);
  result.offset = pick(condition, a->offset, b->offset);
  pickAll(result.strides, b->strides);
  pickAll(result.starts, b->starts);
  pickAll(result.shape, b->shape);
  if (a->padsNaN || b->padsNaN) {
    auto flag = [&](Value pads) -> Value {
      return pads ? pads : arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(false));
    };
    result.padsNaN =
        builder.createOrFold<arith::SelectOp>(op->getLoc(), condition, flag(a->padsNaN), flag(b->padsNaN));
  }
  return result;
}

namespace {

class ViewAccess {
public:
  ViewAccess(Operation *op, const KnownBlocks &known)
      : op(op), builder(op), analysis(builder, known), loc(op->getLoc()) {}

  LogicalResult rewrite() {
    std::optional<AffineBlock> found = analysis.analyze(op->getOperand(0));
    if (!found || !found->isView())
      return op->emitError() << "the origin of this access's "
                             << (isa<tt::LoadOp, tt::StoreOp>(op) ? "block pointer" : "tensor descriptor")
                             << " cannot be followed: make it in the kernel, near the access";
    view = &*found;
    if (auto load = dyn_cast<tt::LoadOp>(op))
      replace(makeLoad(load.getType(), load.getBoundaryCheck(), load.getPadding() == tt::PaddingOption::NaN,
                       load.getIsVolatile()));
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      makeStore(store.getValue(), store.getBoundaryCheck());
    else if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
      replace(makeLoad(load.getType(), moveTo(load.getIndices(), load.getType()), false, false));
    else if (auto store = dyn_cast<tt::DescriptorStoreOp>(op))
      makeStore(store.getSrc(), moveTo(store.getIndices(), store.getSrc().getType()));
    else if (auto gather = dyn_cast<tt::DescriptorGatherOp>(op))
      replace(makeLoad(gather.getType(),
                       moveToRows(gather.getXOffsets(), gather.getYOffset(), gather.getType()), false,
                       false));
    else if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
      makeStore(scatter.getSrc(),
                moveToRows(scatter.getXOffsets(), scatter.getYOffset(), scatter.getSrc().getType()));
    else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
      if (failed(makeUpdate(reduce)))
        return failure();
    op->erase();
    return success();
  }

private:
  /// Leading dimensions of size 1 that the block has and the value has not are
  /// left out: their position is one condition. Gives the dimensions that have bounds.
  SmallVector<int32_t> moveTo(ValueRange position, Type value) {
    for (auto [start, index] : llvm::zip_equal(view->starts, position))
      start = analysis.toIndex(index);
    int64_t rank = cast<RankedTensorType>(value).getRank();
    int64_t dropped = view->starts.size() - rank;
    for (int64_t dim = 0; dim < dropped; ++dim) {
      OpFoldResult start = view->starts[dim];
      view->offset = analysis.add(view->offset, analysis.mul(start, view->strides[dim]));
      Value first = analysis.fromIndex(start, builder.getI64Type(), loc);
      Value size = analysis.fromIndex(view->shape[dim], builder.getI64Type(), loc);
      // Without a sign a negative position is beyond the end, too.
      require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, size));
    }
    auto drop = [&](auto &numbers) { numbers.erase(numbers.begin(), numbers.begin() + dropped); };
    drop(view->starts);
    drop(view->shape);
    drop(view->strides);
    drop(view->indices);
    return llvm::to_vector(llvm::seq<int32_t>(0, rank));
  }

  /// Rows by index, columns from one position on.
  SmallVector<int32_t> moveToRows(Value rows, Value column, Type value) {
    auto type = cast<RankedTensorType>(value);
    auto line = RankedTensorType::get({type.getDimSize(0)}, builder.getI64Type());
    auto splat = [&](OpFoldResult number) -> Value {
      return tt::SplatOp::create(builder, loc, line, analysis.fromIndex(number, builder.getI64Type(), loc));
    };
    Value numbers = arith::ExtSIOp::create(builder, loc, line, rows);
    // Without a sign a negative row is beyond the end, too.
    Value inside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, numbers, splat(view->shape[0]));
    inside = tt::ExpandDimsOp::create(builder, loc, inside, 1);
    rowMask = tt::BroadcastOp::create(builder, loc, type.clone(builder.getI1Type()), inside);
    view->indices[0].numbers = arith::MulIOp::create(builder, loc, numbers, splat(view->strides[0]));
    view->strides[0] = view->starts[0] = builder.getIndexAttr(0);
    view->starts[1] = analysis.toIndex(column);
    return {1};
  }

  void require(Value inside) {
    condition = condition ? arith::AndIOp::create(builder, loc, condition, inside).getResult() : inside;
  }

  BlockMask maskOf(ArrayRef<int32_t> checked, ArrayRef<int64_t> shape) {
    BlockMask mask;
    mask.extents.resize(shape.size());
    analysis.addBounds(mask, *view, checked, shape);
    if (condition)
      analysis.addCondition(mask, condition, shape);
    if (rowMask)
      analysis.addResidual(mask, rowMask);
    return mask;
  }

  Value base() {
    Type type = LLVM::LLVMPointerType::get(builder.getContext());
    return UnrealizedConversionCastOp::create(builder, loc, type, view->base).getResult(0);
  }

  Value offset() {
    OpFoldResult sum = view->offset;
    for (auto [start, stride] : llvm::zip_equal(view->starts, view->strides))
      sum = analysis.add(sum, analysis.mul(start, stride));
    return getValueOrCreateConstantIndexOp(builder, loc, sum);
  }

  static SmallVector<OpFoldResult> extentsOf(OpBuilder &b, const BlockMask &mask, ArrayRef<int64_t> shape) {
    SmallVector<OpFoldResult> extents;
    for (auto [extent, size] : llvm::zip_equal(mask.extents, shape))
      extents.push_back(extent.value_or(b.getIndexAttr(size)));
    return extents;
  }

  SmallVector<Value> numbers() {
    return llvm::map_to_vector(view->indices, [](const DimIndex &index) { return index.numbers; });
  }

  Value padOf(Type element, bool nan) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    auto type = dyn_cast<FloatType>(element);
    if (!type || (!nan && !view->padsNaN))
      return zero;
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics())));
    return nan ? none : builder.createOrFold<arith::SelectOp>(loc, view->padsNaN, none, zero);
  }

  Value makeLoad(Type type, ArrayRef<int32_t> checked, bool nan, bool isVolatile) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    BlockMask mask = maskOf(checked, shape);
    auto load = flir::LoadOp::create(builder, loc, type, base(), offset(), view->strides,
                                     extentsOf(builder, mask, shape), mask.residual,
                                     padOf(getElementTypeOrSelf(type), nan), numbers());
    load.setIsVolatile(isVolatile);
    keepHints(load);
    return load;
  }

  void makeStore(Value value, ArrayRef<int32_t> checked) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    BlockMask mask = maskOf(checked, shape);
    keepHints(flir::StoreOp::create(builder, loc, value, base(), offset(), view->strides,
                                    extentsOf(builder, mask, shape), mask.residual, numbers()));
  }

  /// Programs may reduce into the same elements: each is updated atomically.
  LogicalResult makeUpdate(tt::DescriptorReduceOp reduce) {
    std::optional<flir::AtomicKind> kind =
        atomicKind(reduce.getKind(), cast<tt::TensorDescType>(reduce.getDesc().getType()).getElementType());
    if (!kind)
      return op->emitError() << "reduces into memory by '"
                             << tt::stringifyDescriptorReduceKind(reduce.getKind())
                             << "', which this element type does not have: use add, min, max, and, or, xor";
    SmallVector<int32_t> checked = moveTo(reduce.getIndices(), reduce.getSrc().getType());
    ArrayRef<int64_t> shape = cast<RankedTensorType>(reduce.getSrc().getType()).getShape();
    BlockMask mask = maskOf(checked, shape);
    keepHints(flir::AtomicRMWOp::create(builder, loc, Type(), *kind, flir::MemoryOrder::Relaxed,
                                        flir::MemoryScope::Device, reduce.getSrc(), base(), offset(),
                                        view->strides, extentsOf(builder, mask, shape), mask.residual));
    return success();
  }

  static std::optional<flir::AtomicKind> atomicKind(tt::DescriptorReduceKind kind, Type element) {
    bool isFloat = isa<FloatType>(element), isUnsigned = element.isUnsignedInteger();
    switch (kind) {
    case tt::DescriptorReduceKind::Add:
      return isFloat ? flir::AtomicKind::FAdd : flir::AtomicKind::Add;
    case tt::DescriptorReduceKind::Min:
      return isFloat ? flir::AtomicKind::FMin : isUnsigned ? flir::AtomicKind::UMin : flir::AtomicKind::Min;
    case tt::DescriptorReduceKind::Max:
      return isFloat ? flir::AtomicKind::FMax : isUnsigned ? flir::AtomicKind::UMax : flir::AtomicKind::Max;
    case tt::DescriptorReduceKind::And:
      return isFloat ? std::nullopt : std::optional(flir::AtomicKind::And);
    case tt::DescriptorReduceKind::Or:
      return isFloat ? std::nullopt : std::optional(flir::AtomicKind::Or);
    case tt::DescriptorReduceKind::Xor:
      return isFloat ? std::nullopt : std::optional(flir::AtomicKind::Xor);
    case tt::DescriptorReduceKind::Inc:
    case tt::DescriptorReduceKind::Dec:
      return std::nullopt;
    }
    llvm_unreachable("no other kind");
  }

  void keepHints(Operation *access) { access->setDiscardableAttrs(op->getDiscardableAttrDictionary()); }

  void replace(Value result) { op->replaceAllUsesWith(ValueRange{result}); }

  Operation *op;
  OpBuilder builder;
  PtrAnalysis analysis;
  Location loc;
  AffineBlock *view = nullptr;
  Value condition, rowMask;
};

} // namespace

bool flagtree::isViewAccess(Operation *op) {
  if (isa<tt::LoadOp, tt::StoreOp>(op)) {
    auto pointer = dyn_cast<tt::PointerType>(op->getOperand(0).getType());
    return pointer && pointer.isBlockPointer();
  }
  return isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorGatherOp,
             tt::DescriptorScatterOp>(op);
}

LogicalResult flagtree::rewriteViewAccess(Operation *op, const KnownBlocks &known) {
  return ViewAccess(op, known).rewrite();
}
