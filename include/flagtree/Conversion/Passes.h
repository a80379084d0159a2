// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CONVERSION_PASSES_H
#define FLAGTREE_CONVERSION_PASSES_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "mlir/Pass/Pass.h"

namespace flagtree {
#define GEN_PASS_DECL
#include "flagtree/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

#endif // FLAGTREE_CONVERSION_PASSES_H
