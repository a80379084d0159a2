// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_APPROXIMATEEXP_H
#define FLAGTREE_LIB_TRANSFORMS_APPROXIMATEEXP_H

#include "mlir/IR/PatternMatch.h"

namespace flagtree {

/// exp and exp2 of fp32 scalars and vectors as polynomials; see the file.
void populateApproximateExpPatterns(mlir::RewritePatternSet &patterns);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_APPROXIMATEEXP_H
