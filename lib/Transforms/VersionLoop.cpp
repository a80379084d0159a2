// SPDX-License-Identifier: MIT
#include "VersionLoop.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace flagtree;

/// Whether an extent cuts lanes and is the same in all iterations. In a block of
/// one element along the dimension it decides on the whole access instead.
static bool isFixed(OpFoldResult extent, int64_t size, scf::ForOp loop) {
  auto value = dyn_cast<Value>(extent);
  return value && size > 1 && loop.isDefinedOutsideOfLoop(value);
}

/// Makes fixed extents full, those of one access.
template <typename Op> static void fillFixed(Op access, scf::ForOp loop) {
  SmallVector<OpFoldResult> extents = access.getMixedExtents();
  for (auto [extent, size] : llvm::zip_equal(extents, access.getBlockShape()))
    if (isFixed(extent, size, loop))
      extent = IntegerAttr::get(IndexType::get(loop.getContext()), size);
  access.setMixedExtents(extents);
}

namespace {
/// An extent and the number of elements that it does not cut.
using Fixed = llvm::SmallSetVector<std::pair<Value, int64_t>, 4>;
} // namespace

template <typename Op> static void collectFixed(Op access, scf::ForOp loop, Fixed &fixed) {
  for (auto [extent, size] : llvm::zip_equal(access.getMixedExtents(), access.getBlockShape()))
    if (isFixed(extent, size, loop))
      fixed.insert({cast<Value>(extent), size});
}

void flagtree::versionByFixedExtents(scf::ForOp loop) {
  Fixed fixed;
  bool isInnermost = true;
  for (Operation &op : *loop.getBody()) {
    if (auto load = dyn_cast<flir::LoadOp>(op); load && isa<VectorType>(load.getType()))
      collectFixed(load, loop, fixed);
    else if (auto store = dyn_cast<flir::StoreOp>(op); store && isa<VectorType>(store.getValue().getType()))
      collectFixed(store, loop, fixed);
    else if (op.getNumRegions() != 0)
      isInnermost = false;
  }
  if (!isInnermost || fixed.empty())
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value full;
  for (auto [extent, size] : fixed) {
    Value least = arith::ConstantIndexOp::create(b, loc, size);
    Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, extent, least);
    full = full ? arith::AndIOp::create(b, loc, full, whole).getResult() : whole;
  }
  auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), full, /*withElseRegion=*/true);
  loop.replaceAllUsesWith(branch.getResults());
  auto yield = [&](Block *block, ValueRange values) {
    if (values.empty()) // the block has its terminator already
      return;
    OpBuilder end = OpBuilder::atBlockEnd(block);
    scf::YieldOp::create(end, loc, values);
  };
  OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
  auto steady = cast<scf::ForOp>(then.clone(*loop));
  for (Operation &op : *steady.getBody())
    if (auto load = dyn_cast<flir::LoadOp>(op); load && isa<VectorType>(load.getType()))
      fillFixed(load, steady);
    else if (auto store = dyn_cast<flir::StoreOp>(op); store && isa<VectorType>(store.getValue().getType()))
      fillFixed(store, steady);
  yield(branch.thenBlock(), steady.getResults());
  loop->moveBefore(branch.elseBlock(), branch.elseBlock()->begin());
  yield(branch.elseBlock(), loop.getResults());
}
