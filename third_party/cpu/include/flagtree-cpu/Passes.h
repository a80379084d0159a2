// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CPU_PASSES_H
#define FLAGTREE_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace flagtree::cpu {
/// On a linalg.matmul: what its output operand holds before is not read.
inline constexpr llvm::StringLiteral overwritesAttr = "cpu.overwrites";

/// On a linalg.matmul whose operands are parts of blocks: sizes m, n and k of
/// the blocks. What lies outside of the parts may be written, and is not read.
inline constexpr llvm::StringLiteral blockAttr = "cpu.block";

/// On a flir.load: what is outside of its extents is used by nobody.
inline constexpr llvm::StringLiteral insideAttr = "cpu.inside";

/// On a loop: each iteration asks for one cache line and does nothing else.
inline constexpr llvm::StringLiteral prefetchAttr = "cpu.prefetch";

#define GEN_PASS_DECL
#include "flagtree-cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

#endif // FLAGTREE_CPU_PASSES_H
