// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_TRANSFORMS_HOISTREDUCTIONS_H
#define FLAGTREE_LIB_TRANSFORMS_HOISTREDUCTIONS_H

#include "mlir/IR/Operation.h"

namespace flagtree {

/// A loop that combines a number with all lanes of a vector in each iteration
/// combines vectors instead, and their lanes once, after it.
void hoistReductions(mlir::Operation *function);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_HOISTREDUCTIONS_H
