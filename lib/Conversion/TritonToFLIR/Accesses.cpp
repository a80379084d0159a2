// SPDX-License-Identifier: MIT
// Loads and stores through tensors of pointers become FLIR's accesses. This
// runs on Triton's own IR, before anything is converted, so that the analysis
// sees every definition.
#include "Patterns.h"
#include "PtrAnalysis.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// Remembers operations in the order in which they were made.
struct CreatedOps : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { ops.push_back(op); }
  SmallVector<Operation *> ops;
};

class AccessRewriter {
public:
  AccessRewriter(Operation *op, const KnownBlocks &known)
      : op(op), builder(op, &created), analysis(builder, known), loc(op->getLoc()) {}

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
      result = annotate(flir::GatherOp::create(builder, loc, read, addressesOf(load.getPtr()), load.getMask(),
                                               pad, /*isVolatile=*/false));
    hoistOutOfLoops(created.ops);
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
    if (!isa<RankedTensorType>(value.getType()))
      scalarStore(store.getPtr(), store.getMask(), value);
    else if (std::optional<AffineBlock> block = analysis.analyze(store.getPtr()))
      structuredStore(*block, store.getMask(), value);
    else
      annotate(flir::ScatterOp::create(builder, loc, value, addressesOf(store.getPtr()), store.getMask()));
    hoistOutOfLoops(created.ops);
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
    SmallVector<OpFoldResult> extents = extentsOf(mask, type.getShape());
    Value base = llvmPointer(block.base);
    return inVersions(block, type, [&](const AffineBlock &version) -> Value {
      return annotate(flir::LoadOp::create(builder, loc, type, base, offsetOf(version), version.strides,
                                           extents, mask.residual, pad, numbersOf(version)))
          .getResult();
    });
  }

  void structuredStore(const AffineBlock &block, Value maskValue, Value value) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    BlockMask mask = analysis.analyzeMask(maskValue, shape);
    SmallVector<OpFoldResult> extents = extentsOf(mask, shape);
    Value base = llvmPointer(block.base);
    inVersions(block, {}, [&](const AffineBlock &version) -> Value {
      annotate(flir::StoreOp::create(builder, loc, value, base, offsetOf(version), version.strides, extents,
                                     mask.residual, numbersOf(version)));
      return {};
    });
  }

  static SmallVector<Value> numbersOf(const AffineBlock &block) {
    return llvm::map_to_vector(block.indices, [](const DimIndex &index) { return index.numbers; });
  }

  /// True when a product of matrices takes what is read, perhaps converted.
  static bool feedsDot(Value value, unsigned depth = 4) {
    return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
             return isa<tt::DotOp>(user) ||
                    ((OpTrait::hasElementwiseMappableTraits(user) || isa<tt::TransOp, tt::FpToFpOp>(user)) &&
                     user->getNumResults() == 1 && feedsDot(user->getResult(0), depth - 1));
           });
  }

  /// Dimensions whose numbers are a range as a rule, which is worth a version
  /// of its own: those that decide whether elements lie side by side, and all
  /// where a product could read the block in its place.
  SmallVector<int64_t> versionedDims(const AffineBlock &block) {
    SmallVector<int64_t> dims;
    int64_t last = block.indices.size() - 1;
    if (block.indices[last] && !block.indices[last].regular)
      return dims;
    bool isOperand = isa<tt::LoadOp>(op) && feedsDot(op->getResult(0));
    for (auto [dim, index] : llvm::enumerate(block.indices))
      if (index && index.regular &&
          (isOperand || static_cast<int64_t>(dim) == last ||
           isConstantIntValue(analysis.add(block.strides[dim], index.stride), 1)))
        dims.push_back(dim);
    return dims;
  }

  /// Makes the access with `make`, twice where it has to be: directly while the
  /// indices are ranges, else through them.
  template <typename Fn> Value inVersions(const AffineBlock &block, Type type, Fn make) {
    SmallVector<int64_t> dims = versionedDims(block);
    if (dims.empty())
      return make(block);
    AffineBlock direct = block;
    Value regular;
    for (int64_t dim : dims) {
      DimIndex &index = direct.indices[dim];
      regular =
          regular ? arith::AndIOp::create(builder, loc, regular, index.regular).getResult() : index.regular;
      direct.offset = analysis.add(direct.offset, index.offset);
      direct.strides[dim] = analysis.add(direct.strides[dim], index.stride);
      index = {};
    }
    auto branch = scf::IfOp::create(builder, loc, type ? TypeRange{type} : TypeRange{}, regular,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    auto fill = [&](Block *body, const AffineBlock &version) {
      builder.setInsertionPointToStart(body);
      Value result = make(version);
      if (type)
        scf::YieldOp::create(builder, loc, result);
    };
    fill(branch.thenBlock(), direct);
    fill(branch.elseBlock(), block);
    return type ? branch.getResult(0) : Value();
  }

  Value scalarLoad(Value pointer, Value mask, Value pad, Type type) {
    AffineBlock block = *analysis.analyze(pointer);
    return annotate(flir::LoadOp::create(builder, loc, type, llvmPointer(block.base), offsetOf(block), {}, {},
                                         mask, pad))
        .getResult();
  }

  void scalarStore(Value pointer, Value mask, Value value) {
    AffineBlock block = *analysis.analyze(pointer);
    annotate(
        flir::StoreOp::create(builder, loc, value, llvmPointer(block.base), offsetOf(block), {}, {}, mask));
  }

  /// Hints and whatever else users attached stay with the access.
  template <typename Op> Op annotate(Op access) {
    access->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if constexpr (requires { access.setIsVolatile(true); })
      access.setIsVolatile(cast<tt::LoadOp>(op).getIsVolatile());
    return access;
  }

  Operation *op;
  CreatedOps created;
  OpBuilder builder;
  PtrAnalysis analysis;
  Location loc;
};

} // namespace

LogicalResult flagtree::rewriteAccesses(func::FuncOp function) {
  KnownBlocks known;
  dissolveCarriedBlocks(function, known);
  bool done = true;
  function.walk([&](Operation *op) {
    if (isViewAccess(op))
      done &= succeeded(rewriteViewAccess(op, known));
    else if (isa<tt::LoadOp>(op))
      AccessRewriter(op, known).load();
    else if (isa<tt::StoreOp>(op))
      AccessRewriter(op, known).store();
    else if (isa<tt::AtomicRMWOp, tt::AtomicStoreOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicPollOp>(op))
      rewriteAtomic(op, known);
  });
  // Pointers that no access needs any more, and what a search left behind.
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  return success(done);
}
