// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_STREAMEDSTORES_H
#define FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_STREAMEDSTORES_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace flagtree {

/// Stores of whole vectors, which bypass the cache where a condition holds and
/// all are aligned. Those that follow each other (the rows of a tile) share one
/// branch: one for each would be code of many blocks, slow to compile.
class StreamedStores {
public:
  /// `bypassCache`: i1, or null when stores never bypass the cache.
  explicit StreamedStores(mlir::Value bypassCache) : bypassCache(bypassCache) {}

  /// Stores `value` at `start` in the place of `op`, at once or together with
  /// what is stored next.
  void add(mlir::Operation *op, mlir::Value value, mlir::Value start, unsigned alignment);

  /// Writes what is kept, unless `op` is next in the block and sees no memory.
  void reach(mlir::Operation *op);

private:
  struct Store {
    mlir::Location loc;
    mlir::Value value, start;
    unsigned alignment;
  };
  void write();
  mlir::Value allAligned(mlir::OpBuilder &b, mlir::Location loc);

  mlir::Value bypassCache;
  mlir::SmallVector<Store> kept;
  mlir::Operation *behind = nullptr; // what follows the last store that is kept
};

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_STREAMEDSTORES_H
