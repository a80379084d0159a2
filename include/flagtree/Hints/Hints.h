// SPDX-License-Identifier: MIT
// The hints of an operation.
#ifndef FLAGTREE_HINTS_HINTS_H
#define FLAGTREE_HINTS_HINTS_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

namespace flagtree::hints {
/// What the front end writes: texts between commas.
inline constexpr llvm::StringLiteral textAttr = "flagtree_hints";

/// The array of #flir.hint that `flir-read-hints` makes of it.
inline constexpr llvm::StringLiteral hintsAttr = "flir.hints";

/// The hint called `name` that `op` has; null when it has none.
flir::HintAttr hintOf(mlir::Operation *op, llvm::StringRef name);

/// Takes the hint called `name` off `op`, and gives it; null when there was none.
flir::HintAttr takeHint(mlir::Operation *op, llvm::StringRef name);

/// An operation in `function` that has the hint called `name`, inner ones before those around them; or null.
mlir::Operation *firstHinted(mlir::Operation *function, llvm::StringRef name);

/// One piece of a text: a hint, or why it is none.
struct ReadHint {
  llvm::StringRef text;
  flir::HintAttr hint;
  std::string problem;
};

/// The hints of `text`: `name`, `name=value` or `name(value, value)` between commas. Never fails.
llvm::SmallVector<ReadHint> readHints(mlir::MLIRContext *context, llvm::StringRef text);
} // namespace flagtree::hints

#endif // FLAGTREE_HINTS_HINTS_H
