// SPDX-License-Identifier: MIT
// What a tensor that control flow carries is made of: which of its numbers stay
// the same and which are carried in its place.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_DISSOLVED_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_DISSOLVED_H

#include "PtrAnalysis.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Operation.h"

namespace flagtree {

/// What one carried tensor or view becomes: `block` holds what stays the same.
/// Its offset, or the position of a view, and what else changes are carried.
class Dissolved {
public:
  explicit Dissolved(const AffineBlock &block)
      : block(block), offset(!block.isView()), strides(block.strides.size(), false) {}

  /// The numbers of `from` that are carried.
  llvm::SmallVector<mlir::Value> pack(mlir::OpBuilder &b, mlir::Location loc, AffineBlock from) const {
    llvm::SmallVector<mlir::Value> result;
    forEach(
        from,
        [&](mlir::OpFoldResult &number) {
          result.push_back(mlir::getValueOrCreateConstantIndexOp(b, loc, number));
        },
        [&](mlir::Value &base) { result.push_back(base); });
    return result;
  }

  /// The block that carried numbers stand for; takes them off the front.
  AffineBlock unpack(mlir::ValueRange &numbers) const {
    AffineBlock result = block;
    auto take = [&](auto &slot) {
      slot = numbers.front();
      numbers = numbers.drop_front();
    };
    forEach(result, take, take);
    return result;
  }

  /// Carries what differs in `other` too. False when that is not possible;
  /// `changed` when something was added.
  bool widen(const AffineBlock &other, bool &changed) {
    if (!other.base != !block.base || block.padsNaN != other.padsNaN)
      return false;
    for (auto [x, y] : llvm::zip_equal(block.indices, other.indices))
      if (x.numbers != y.numbers)
        return false;
    for (auto [x, y] : llvm::zip_equal(block.shape, other.shape))
      if (!isSameNumber(x, y))
        return false;
    carryIf(base, block.base != other.base, changed);
    carryIf(offset, !isSameNumber(block.offset, other.offset), changed);
    for (auto [slot, x, y] : llvm::zip_equal(strides, block.strides, other.strides))
      carryIf(slot, !isSameNumber(x, y), changed);
    return true;
  }

  /// Carries what is computed within `op`; false when it cannot be carried.
  bool carryWhatIsWithin(mlir::Operation *op) {
    auto isWithin = [&](mlir::OpFoldResult number) {
      auto value = llvm::dyn_cast_if_present<mlir::Value>(number);
      return value && op->isAncestor(value.getParentBlock()->getParentOp());
    };
    for (const DimIndex &index : block.indices)
      if (isWithin(index.numbers) || isWithin(index.regular))
        return false;
    if (llvm::any_of(block.shape, isWithin) || isWithin(block.padsNaN))
      return false;
    bool changed = false;
    carryIf(base, isWithin(block.base), changed);
    carryIf(offset, isWithin(block.offset), changed);
    for (auto [slot, stride] : llvm::zip_equal(strides, block.strides))
      carryIf(slot, isWithin(stride), changed);
    return true;
  }

private:
  static void carryIf(bool &slot, bool differs, bool &changed) {
    changed |= differs && !slot;
    slot |= differs;
  }

  template <typename Number, typename Base>
  void forEach(AffineBlock &from, Number number, Base pointer) const {
    if (offset)
      number(from.offset);
    if (base)
      pointer(from.base);
    for (auto [carried, stride] : llvm::zip_equal(strides, from.strides))
      if (carried)
        number(stride);
    for (mlir::OpFoldResult &start : from.starts)
      number(start);
  }

  AffineBlock block;
  bool offset, base = false;
  llvm::SmallVector<bool> strides;
};

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_DISSOLVED_H
