// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_APPROXIMATEMATH_H
#define FLAGTREE_LIB_TRANSFORMS_APPROXIMATEMATH_H

#include "mlir/IR/PatternMatch.h"

namespace flagtree {

// Functions of fp32 scalars and vectors as polynomials; docs/math.md has the
// measured errors. Coefficients are minimax fits made by
// utils/fit_math.py.

/// exp, exp2, expm1.
void populateApproximateExpPatterns(mlir::RewritePatternSet &patterns);
/// log, log2, log10, log1p.
void populateApproximateLogPatterns(mlir::RewritePatternSet &patterns);
/// sin, cos, tan of vectors.
void populateApproximateTrigPatterns(mlir::RewritePatternSet &patterns);
/// tanh, erf.
void populateApproximateErfPatterns(mlir::RewritePatternSet &patterns);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_APPROXIMATEMATH_H
