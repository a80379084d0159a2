// SPDX-License-Identifier: MIT
//
// What several passes ask of memory, or of the processor about it.
#ifndef FLAGTREE_CPU_LIB_MEMORYACCESS_H
#define FLAGTREE_CPU_LIB_MEMORYACCESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace flagtree::cpu {

/// True when nothing in `op` writes to memory.
bool hasOnlyReads(mlir::Operation *op);

/// Asks for the cache line `bytes` behind `base`.
void prefetchLine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value base, mlir::LLVM::GEPArg bytes,
                  bool forWriting = false);

} // namespace flagtree::cpu

#endif // FLAGTREE_CPU_LIB_MEMORYACCESS_H
