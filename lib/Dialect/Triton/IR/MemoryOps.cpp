// SPDX-License-Identifier: MIT
// Loads, stores and block pointers: rules, effects and canonical form.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace flagtree::tt;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && pointer.isBlockPointer();
}

/// The mask has the shape of the address; a block pointer has none.
static LogicalResult verifyMask(Operation *op, Type address, Value mask) {
  if (!mask)
    return success();
  if (isBlockPointer(address))
    return op->emitOpError() << "has a mask, but its address is the block pointer " << address
                             << "; use 'boundaryCheck' instead";
  Type expected = getMaskType(address);
  if (mask.getType() == expected)
    return success();
  return op->emitOpError() << "has a mask of type " << mask.getType() << ", but an address of type "
                           << address << " needs " << expected;
}

static LogicalResult verifyBoundaryCheck(Operation *op, Type address, ArrayRef<int32_t> dims) {
  if (dims.empty())
    return success();
  if (!isBlockPointer(address))
    return op->emitOpError() << "has 'boundaryCheck', but its address of type " << address
                             << " is no block pointer; use a mask instead";
  int64_t rank = cast<RankedTensorType>(cast<PointerType>(address).getPointeeType()).getRank();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "checks dimension " << dim << " of a block of rank " << rank
                               << "; dimensions are 0 to " << rank - 1;
    if (llvm::is_contained(dims.take_front(i), dim))
      return op->emitOpError() << "names dimension " << dim << " twice in 'boundaryCheck'";
  }
  return success();
}

LogicalResult LoadOp::verify() {
  Type address = getPtr().getType();
  if (failed(verifyMask(*this, address, getMask())) ||
      failed(verifyBoundaryCheck(*this, address, getBoundaryCheck())))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return emitOpError() << "has a value for masked-off elements but no mask";
  if (getOther().getType() == getType())
    return success();
  return emitOpError() << "gives " << getType() << ", but its value for masked-off elements has type "
                       << getOther().getType();
}

LogicalResult StoreOp::verify() {
  Type address = getPtr().getType(), expected = getPointeeType(address);
  if (failed(verifyMask(*this, address, getMask())) ||
      failed(verifyBoundaryCheck(*this, address, getBoundaryCheck())))
    return failure();
  if (getValue().getType() == expected)
    return success();
  return emitOpError() << "stores a value of type " << getValue().getType() << " through an address of type "
                       << address << ", which needs " << expected;
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type address = adaptor.getPtr().getType();
  if (!isAddress(address))
    return emitOptionalError(loc, "'tt.load' op reads through ", address, ", which is no pointer");
  types.push_back(getPointeeType(address));
  return success();
}

LogicalResult MakeTensorPtrOp::verify() {
  auto block = cast<RankedTensorType>(getType().getPointeeType());
  int64_t rank = block.getRank();
  if (block.getElementType() != getBase().getType().getPointeeType())
    return emitOpError() << "has a base of type " << getBase().getType() << " for a block of type " << block;
  if (static_cast<int64_t>(getShape().size()) != rank)
    return emitOpError() << "has " << getShape().size() << " sizes, strides and offsets for a block of rank "
                         << rank;
  SmallVector<int32_t> order(getOrder());
  llvm::sort(order);
  if (!llvm::equal(order, llvm::seq<int32_t>(0, rank)))
    return emitOpError() << "has the order [" << getOrder() << "], which is no permutation of 0 to "
                         << rank - 1;
  return success();
}

LogicalResult AdvanceOp::verify() {
  int64_t rank = cast<RankedTensorType>(getType().getPointeeType()).getRank();
  if (static_cast<int64_t>(getOffsets().size()) == rank)
    return success();
  return emitOpError() << "has " << getOffsets().size() << " offsets for a block of rank " << rank;
}

//===----------------------------------------------------------------------===//
// Effects and canonical form
//===----------------------------------------------------------------------===//

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  // Keeps a volatile load whose result nobody uses.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    // In place, so that attributes such as hints stay.
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero()) && op.getOther() && !op.getIsVolatile()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  return failure();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
  if (matchPattern(op.getMask(), m_Zero())) {
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}

/// No offset in any dimension: the same block.
OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(adaptor.getOffsets(), [](Attribute offset) { return matchPattern(offset, m_Zero()); }))
    return getPtr();
  return {};
}
