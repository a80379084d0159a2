// SPDX-License-Identifier: MIT
#include "MemoryAccess.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

bool flagtree::cpu::hasOnlyReads(Operation *op) {
  return !op->walk([](Operation *inner) {
              auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
              bool known = effects || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
              bool writes = effects && (effects.hasEffect<MemoryEffects::Write>());
              return !known || writes ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

void flagtree::cpu::prefetchLine(OpBuilder &b, Location loc, Value base, LLVM::GEPArg bytes,
                                 bool forWriting) {
  Value address =
      LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{bytes});
  LLVM::Prefetch::create(b, loc, address, /*rw=*/forWriting, /*hint=*/3, /*cache=*/1);
}
