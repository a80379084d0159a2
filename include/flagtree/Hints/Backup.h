// SPDX-License-Identifier: MIT
// Rewrites that a hint asks for, with a way back; and notes of what became of hints.
#ifndef FLAGTREE_HINTS_BACKUP_H
#define FLAGTREE_HINTS_BACKUP_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace flagtree::hints {
/// On a function: an array of dictionaries, what became of its hints so far.
inline constexpr llvm::StringLiteral notesAttr = "flir.hint_notes";

enum class Outcome { Applied, Failed, Unchanged };

/// What a rewrite did, and why, in words.
struct Result {
  Outcome outcome;
  std::string reason;
};

/// Ways to go wrong that tests choose by name; `None` for any other name.
enum class Injection { None, Error, Invalid };
Injection injectionOf(llvm::StringRef name);

/// Notes on `function` what the pass called `pass` did about `hint`, which stands at `loc`.
void note(mlir::func::FuncOp function, llvm::StringRef pass, mlir::Location loc, llvm::StringRef hint,
          const Result &result);

/// Runs `rewrite`, for `hint` at `loc`, and notes what it gives. When it reports
/// an error, gives the outcome Failed, or leaves IR in `function` that is not
/// valid, the function becomes what it was before. True when it was applied;
/// otherwise all operations of the function may be others than before.
bool attempt(mlir::func::FuncOp function, llvm::StringRef pass, mlir::Location loc, flir::HintAttr hint,
             llvm::function_ref<Result()> rewrite, Injection injection = Injection::None);
} // namespace flagtree::hints

#endif // FLAGTREE_HINTS_BACKUP_H
