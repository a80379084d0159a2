// SPDX-License-Identifier: MIT
// Matrix products: rules.
#include "flagtree/Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace flagtree::tt;

namespace {
/// The matrix part of an operand's shape.
struct Matrix {
  explicit Matrix(RankedTensorType type)
      : rows(type.getShape().drop_back().back()), cols(type.getShape().back()) {}
  int64_t rows, cols;
};
} // namespace

/// All three are matrices, or batches of equally many.
static LogicalResult verifyRanks(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c) {
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
    return op->emitOpError() << "has operands of rank " << rank << ", " << b.getRank() << " and "
                             << c.getRank() << "; all must have rank 2, or all rank 3";
  if (rank == 3 && (a.getDimSize(0) != b.getDimSize(0) || a.getDimSize(0) != c.getDimSize(0)))
    return op->emitOpError() << "has batches of " << a.getDimSize(0) << ", " << b.getDimSize(0) << " and "
                             << c.getDimSize(0) << " matrices; they must be the same";
  return success();
}

static LogicalResult verifyProduct(Operation *op, Matrix a, Matrix b, Matrix c) {
  if (a.cols != b.rows)
    return op->emitOpError() << "multiplies " << a.rows << "x" << a.cols << " by " << b.rows << "x" << b.cols
                             << "; the columns of a must equal the rows of b";
  if (a.rows != c.rows || b.cols != c.cols)
    return op->emitOpError() << "accumulates the product of " << a.rows << "x" << a.cols << " and " << b.rows
                             << "x" << b.cols << " into " << c.rows << "x" << c.cols << "; it needs "
                             << a.rows << "x" << b.cols;
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (failed(verifyRanks(*this, a, b, c)) || failed(verifyProduct(*this, Matrix(a), Matrix(b), Matrix(c))))
    return failure();
  Type x = a.getElementType(), y = b.getElementType(), z = c.getElementType();
  if (x.getIntOrFloatBitWidth() != y.getIntOrFloatBitWidth() || isa<FloatType>(x) != isa<FloatType>(y))
    return emitOpError() << "multiplies elements of type " << x << " by " << y
                         << "; both must be integers or both floating-point, of the same width";
  if (isa<FloatType>(x) != isa<FloatType>(z) || z.getIntOrFloatBitWidth() < x.getIntOrFloatBitWidth())
    return emitOpError() << "accumulates products of " << x << " in " << z
                         << "; the accumulator must be of the same kind and not narrower";
  if (getMaxNumImpreciseAcc() < 0)
    return emitOpError() << "has maxNumImpreciseAcc = " << getMaxNumImpreciseAcc()
                         << "; it must not be negative";
  return success();
}

//===----------------------------------------------------------------------===//
// Scaled operands
//===----------------------------------------------------------------------===//

/// The type whose bits hold an element of `format`; two e2m1 share a byte.
static bool holdsFormat(Type element, ScaleDotElemType format) {
  switch (format) {
  case ScaleDotElemType::E2M1:
    return element.isInteger(8);
  case ScaleDotElemType::E4M3:
    return isa<Float8E4M3FNType>(element) || element.isInteger(8);
  case ScaleDotElemType::E5M2:
    return isa<Float8E5M2Type>(element) || element.isInteger(8);
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return element.isInteger(8);
  case ScaleDotElemType::BF16:
    return element.isBF16();
  case ScaleDotElemType::FP16:
    return element.isF16();
  }
  return false;
}

static LogicalResult verifyFormat(Operation *op, StringRef side, RankedTensorType type,
                                  ScaleDotElemType format, bool packedAlongK) {
  if (!holdsFormat(type.getElementType(), format))
    return op->emitOpError() << side << " = " << stringifyScaleDotElemType(format)
                             << ", but its elements are " << type.getElementType();
  if (!packedAlongK && format != ScaleDotElemType::E2M1)
    return op->emitOpError() << side << " = " << stringifyScaleDotElemType(format)
                             << " is not packed along K; only e2m1 may be packed along another dimension";
  return success();
}

/// A scale has one row for each of `rows` and one column for each 16 or 32 elements along K.
static LogicalResult verifyScale(Operation *op, StringRef side, Value scale, int64_t rows, int64_t k) {
  if (!scale)
    return success();
  auto type = cast<RankedTensorType>(scale.getType());
  if (type.getRank() >= 2) {
    Matrix shape(type);
    if (shape.rows == rows && (shape.cols * 32 == k || shape.cols * 16 == k))
      return success();
  }
  return op->emitOpError() << "has a " << side << " scale of type " << type << "; for K = " << k
                           << " it must be " << rows << "x" << k / 32 << " or " << rows << "x" << k / 16;
}

LogicalResult DotScaledOp::verify() {
  RankedTensorType typeA = getA().getType(), typeB = getB().getType(), typeC = getC().getType();
  if (failed(verifyRanks(*this, typeA, typeB, typeC)) ||
      failed(verifyFormat(*this, "lhs", typeA, getAElemType(), getLhsKPack())) ||
      failed(verifyFormat(*this, "rhs", typeB, getBElemType(), getRhsKPack())))
    return failure();
  Matrix a(typeA), b(typeB);
  if (getAElemType() == ScaleDotElemType::E2M1)
    (getLhsKPack() ? a.cols : a.rows) *= 2;
  if (getBElemType() == ScaleDotElemType::E2M1)
    (getRhsKPack() ? b.rows : b.cols) *= 2;
  if (failed(verifyProduct(*this, a, b, Matrix(typeC))))
    return failure();
  if (failed(verifyScale(*this, "lhs", getAScale(), a.rows, a.cols)))
    return failure();
  return verifyScale(*this, "rhs", getBScale(), b.cols, a.cols);
}
