// SPDX-License-Identifier: MIT
#include "StreamedStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace flagtree;

/// Alignment and least size of a store that bypasses the cache.
static constexpr int64_t streamingAlignment = 64;

void StreamedStores::add(Operation *op, Value value, Value start, unsigned alignment) {
  auto type = cast<VectorType>(value.getType());
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  if (bypassCache && bytes % streamingAlignment == 0) {
    if (!kept.empty() && behind->getBlock() != op->getBlock())
      write();
    kept.push_back({op->getLoc(), value, start, alignment});
    behind = op->getNextNode();
    return;
  }
  reach(op);
  OpBuilder b(op);
  LLVM::StoreOp::create(b, op->getLoc(), value, start, alignment);
}

void StreamedStores::reach(Operation *op) {
  bool unseen = !kept.empty() && op->getBlock() == behind->getBlock() && isMemoryEffectFree(op) &&
                !op->hasTrait<OpTrait::IsTerminator>();
  if (!unseen)
    write();
}

/// Whether they are aligned shows at run time only. The branch goes one way for
/// a whole loop.
void StreamedStores::write() {
  if (kept.empty())
    return;
  OpBuilder b(behind);
  Location loc = kept.front().loc;
  auto condition = arith::AndIOp::create(b, loc, bypassCache, allAligned(b, loc));
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  for (const Store &store : kept)
    LLVM::StoreOp::create(b, store.loc, store.value, store.start, streamingAlignment, /*isVolatile=*/false,
                          /*isNonTemporal=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  for (const Store &store : kept)
    LLVM::StoreOp::create(b, store.loc, store.value, store.start, store.alignment);
  kept.clear();
}

Value StreamedStores::allAligned(OpBuilder &b, Location loc) {
  Value bits;
  for (const Store &store : kept) {
    Value address = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), store.start);
    bits = bits ? arith::OrIOp::create(b, loc, bits, address).getResult() : address;
  }
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value low = arith::AndIOp::create(b, loc, bits, constant(streamingAlignment - 1));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, low, constant(0));
}
