// SPDX-License-Identifier: MIT
// Vectors of several dimensions as one vector for each row.
#ifndef FLAGTREE_LIB_TRANSFORMS_ROWS_H
#define FLAGTREE_LIB_TRANSFORMS_ROWS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace flagtree {

using RowList = llvm::SmallVector<mlir::Value>;

/// How a vector lies in rows: along its last dimension of more than one
/// element, one row for each position in those before. Dimensions of size 1 do
/// not count, so a column of 16 is one row.
struct RowLayout {
  explicit RowLayout(mlir::VectorType type);

  int64_t count() const { return positions.size(); }

  mlir::VectorType rowType;
  int64_t rowDim;
  /// The position of each row's first element in all dimensions of the type.
  llvm::SmallVector<llvm::SmallVector<int64_t>> positions;
};

/// True for the vectors that become rows.
inline bool hasRows(mlir::Type type) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return vector && vector.getRank() > 1 && !vector.isScalable();
}

/// Columns of a matrix that is given as rows; its sides are powers of two.
RowList transposeRows(mlir::OpBuilder &b, mlir::Location loc, RowList rows);

/// Finds the rows of operands for an operation that is being replaced.
class RowSource {
public:
  virtual ~RowSource() = default;
  virtual RowList rows(mlir::OpBuilder &b, mlir::Value vector) = 0;
};

/// Computes `op` row by row in front of it: the rows of its result, which stay
/// empty for a store; nothing when it is none of the operations known here.
std::optional<RowList> unrollOperation(mlir::OpBuilder &b, mlir::Operation *op, RowSource &source);

} // namespace flagtree

#endif // FLAGTREE_LIB_TRANSFORMS_ROWS_H
