// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CPU_LIB_EXPANDFP8_H
#define FLAGTREE_CPU_LIB_EXPANDFP8_H

#include "mlir/IR/PatternMatch.h"

namespace flagtree::cpu {

/// True for the 8-bit floats of Triton's language.
bool isFp8(mlir::Type element);

/// arith.extf from and arith.truncf to 8-bit floats, in bits.
void populateExpandFp8Patterns(mlir::RewritePatternSet &patterns);

} // namespace flagtree::cpu

#endif // FLAGTREE_CPU_LIB_EXPANDFP8_H
