// SPDX-License-Identifier: MIT
// Whether a read of memory may be done later than the program says.
#ifndef FLAGTREE_LIB_TRANSFORMS_READMOTION_H
#define FLAGTREE_LIB_TRANSFORMS_READMOTION_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <set>

namespace flagtree {

/// True when each element of `value` reaches `root` in its own place.
bool keepsPlaces(mlir::Value value, mlir::Operation *root);

/// Answers for one function, and remembers which two arguments it took for two
/// buffers in doing so.
class ReadMotion {
public:
  /// distinctArguments: two arguments are two buffers, or the same elements at
  /// the same places; the launcher checks the pairs that are noted.
  explicit ReadMotion(bool distinctArguments) : distinctArguments(distinctArguments) {}

  /// Reading may move down to `root` when nothing between writes to the same
  /// buffer, and, where the root itself does, it writes just what is read:
  /// then each tile is read before it is written.
  bool mayReadAt(mlir::Operation *read, mlir::Operation *root);

  /// Sets `flir.distinct`: four numbers a pair, as the launcher wants them.
  void note(mlir::func::FuncOp function) const;

private:
  /// Two arguments by number, and how far apart they must not be: `low` bytes
  /// or more, less than `high`.
  struct Pair {
    int64_t read, written, low, high;
    auto operator<=>(const Pair &) const = default;
  };

  bool isApart(flir::LoadOp load, mlir::Operation *write, int64_t low);
  bool mayOverwrite(mlir::Operation *write, mlir::Operation *read, int64_t low);
  bool disturbs(mlir::Operation *op, mlir::Operation *read);

  bool distinctArguments;
  llvm::SmallVector<Pair> relied; // of the question at hand
  std::set<Pair> pairs;
};

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_READMOTION_H
