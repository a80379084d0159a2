// SPDX-License-Identifier: MIT
// Loads and stores through tensors of pointers become FLIR's accesses. This
// runs on Triton's own IR, before anything is converted, so that the analysis
// sees every definition.
#include "Patterns.h"
#include "PtrAnalysis.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

namespace {

class AccessRewriter {
public:
  explicit AccessRewriter(Operation *op) : op(op), builder(op), analysis(builder), loc(op->getLoc()) {}

  void load() {
    auto load = cast<tt::LoadOp>(op);
    Type type = load.getType();
    Type element = getElementTypeOrSelf(type);
    // Addresses are read as integers.
    Type read = isa<tt::PointerType>(element) ? withElement(type, builder.getI64Type()) : type;
    Value pad = padOf(load.getOther(), read);
    Value result;
    if (!isa<RankedTensorType>(type))
      result = scalarLoad(load.getPtr(), load.getMask(), pad, read);
    else if (std::optional<AffineBlock> block = analysis.analyze(load.getPtr()))
      result = structuredLoad(*block, load.getMask(), pad, cast<RankedTensorType>(read));
    else
      result = flir::GatherOp::create(builder, loc, read, addressesOf(load.getPtr()), load.getMask(), pad,
                                      /*isVolatile=*/false);
    annotate(result.getDefiningOp(), load.getIsVolatile());
    // An `other` that differs from element to element is put in afterwards.
    if (load.getOther() && !pad)
      result = arith::SelectOp::create(builder, loc, load.getMask(), result, load.getOther());
    if (read != type)
      result = tt::IntToPtrOp::create(builder, loc, type, result);
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
  }

  void store() {
    auto store = cast<tt::StoreOp>(op);
    Value value = store.getValue();
    if (isa<tt::PointerType>(getElementTypeOrSelf(value.getType())))
      value = tt::PtrToIntOp::create(builder, loc, withElement(value.getType(), builder.getI64Type()), value);
    Operation *result;
    if (!isa<RankedTensorType>(value.getType()))
      result = scalarStore(store.getPtr(), store.getMask(), value);
    else if (std::optional<AffineBlock> block = analysis.analyze(store.getPtr()))
      result = structuredStore(*block, store.getMask(), value);
    else
      result = flir::ScatterOp::create(builder, loc, value, addressesOf(store.getPtr()), store.getMask());
    annotate(result, false);
    op->erase();
  }

private:
  static Type withElement(Type type, Type element) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? Type(shaped.clone(element)) : element;
  }

  /// What an element reads as where the mask is false; null when `other` is
  /// not one value. Upstream leaves a missing `other` undefined; zero is what
  /// programs that forget it expect.
  Value padOf(Value other, Type type) {
    Type element = getElementTypeOrSelf(type);
    if (!other)
      return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    if (!isa<ShapedType>(other.getType()))
      return other;
    DenseElementsAttr constant;
    if (matchPattern(other, m_Constant(&constant)) && constant.isSplat())
      return arith::ConstantOp::create(builder, loc, constant.getSplatValue<TypedAttr>());
    if (auto splat = other.getDefiningOp<tt::SplatOp>())
      return splat.getSrc();
    return {};
  }

  Value llvmPointer(Value pointer) {
    Type type = LLVM::LLVMPointerType::get(builder.getContext());
    return UnrealizedConversionCastOp::create(builder, loc, type, pointer).getResult(0);
  }

  Value addressesOf(Value pointers) {
    return tt::PtrToIntOp::create(builder, loc, withElement(pointers.getType(), builder.getI64Type()),
                                  pointers);
  }

  Value offsetOf(const AffineBlock &block) {
    return getValueOrCreateConstantIndexOp(builder, loc, block.offset);
  }

  SmallVector<OpFoldResult> extentsOf(const BlockMask &mask, ArrayRef<int64_t> shape) {
    SmallVector<OpFoldResult> extents;
    for (auto [dim, size] : llvm::enumerate(shape))
      extents.push_back(mask.extents[dim].value_or(builder.getIndexAttr(size)));
    return extents;
  }

  Value structuredLoad(const AffineBlock &block, Value maskValue, Value pad, RankedTensorType type) {
    BlockMask mask = analysis.analyzeMask(maskValue, type.getShape());
    return flir::LoadOp::create(builder, loc, type, llvmPointer(block.base), offsetOf(block), block.strides,
                                extentsOf(mask, type.getShape()), mask.residual, pad);
  }

  Operation *structuredStore(const AffineBlock &block, Value maskValue, Value value) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    BlockMask mask = analysis.analyzeMask(maskValue, shape);
    return flir::StoreOp::create(builder, loc, value, llvmPointer(block.base), offsetOf(block), block.strides,
                                 extentsOf(mask, shape), mask.residual);
  }

  Value scalarLoad(Value pointer, Value mask, Value pad, Type type) {
    AffineBlock block = *analysis.analyze(pointer);
    return flir::LoadOp::create(builder, loc, type, llvmPointer(block.base), offsetOf(block), {}, {}, mask,
                                pad);
  }

  Operation *scalarStore(Value pointer, Value mask, Value value) {
    AffineBlock block = *analysis.analyze(pointer);
    return flir::StoreOp::create(builder, loc, value, llvmPointer(block.base), offsetOf(block), {}, {}, mask);
  }

  /// Hints and whatever else users attached stay with the access.
  void annotate(Operation *access, bool isVolatile) {
    access->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (!isVolatile)
      return;
    if (auto load = dyn_cast<flir::LoadOp>(access))
      load.setIsVolatile(true);
    else
      cast<flir::GatherOp>(access).setIsVolatile(true);
  }

  Operation *op;
  OpBuilder builder;
  PtrAnalysis analysis;
  Location loc;
};

} // namespace

void flagtree::rewriteAccesses(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (isa<tt::LoadOp>(op))
      AccessRewriter(op).load();
    else if (isa<tt::StoreOp>(op))
      AccessRewriter(op).store();
  });
}
