// SPDX-License-Identifier: MIT
#include "VersionLoop.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace flagtree;

/// Calls `visit` with each access of vectors in the loop's own body, in order.
template <typename Visitor> static void visitAccesses(scf::ForOp loop, Visitor visit) {
  for (Operation &op : *loop.getBody())
    if (auto load = dyn_cast<flir::LoadOp>(op); load && isa<VectorType>(load.getBlockType()))
      visit(load);
    else if (auto store = dyn_cast<flir::StoreOp>(op); store && isa<VectorType>(store.getBlockType()))
      visit(store);
}

/// Whether an extent cuts lanes and is the same in all iterations. In a block of
/// one element along the dimension it decides on the whole access instead.
static bool isFixed(OpFoldResult extent, int64_t size, scf::ForOp loop) {
  auto value = dyn_cast<Value>(extent);
  return value && size > 1 && loop.isDefinedOutsideOfLoop(value);
}

void flagtree::versionByFixedExtents(scf::ForOp loop) {
  if (llvm::any_of(*loop.getBody(), [](Operation &op) { return op.getNumRegions() != 0; }))
    return;
  // Extents, and the number of elements that each does not cut.
  llvm::SmallSetVector<std::pair<Value, int64_t>, 4> fixed;
  visitAccesses(loop, [&](auto access) {
    for (auto [extent, size] : llvm::zip_equal(access.getMixedExtents(), access.getBlockShape()))
      if (isFixed(extent, size, loop))
        fixed.insert({cast<Value>(extent), size});
  });
  if (fixed.empty())
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
  visitAccesses(steady, [&](auto access) {
    SmallVector<OpFoldResult> extents = access.getMixedExtents();
    for (auto [extent, size] : llvm::zip_equal(extents, access.getBlockShape()))
      if (isFixed(extent, size, steady))
        extent = b.getIndexAttr(size);
    access.setMixedExtents(extents);
  });
  yield(branch.thenBlock(), steady.getResults());
  loop->moveBefore(branch.elseBlock(), branch.elseBlock()->begin());
  yield(branch.elseBlock(), loop.getResults());
}
