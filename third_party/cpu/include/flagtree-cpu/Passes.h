// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CPU_PASSES_H
#define FLAGTREE_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace flagtree::cpu {
#define GEN_PASS_DECL
#include "flagtree-cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

#endif // FLAGTREE_CPU_PASSES_H
