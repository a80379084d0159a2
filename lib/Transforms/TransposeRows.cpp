// SPDX-License-Identifier: MIT
#include "Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace flagtree;

namespace {

/// The part of a register within which elements of two registers interleave in
/// one instruction, on x86 of any width and on Arm.
constexpr int64_t laneBits = 128;

/// Transposes a matrix of 2^a rows and 2^b columns by interleaving pairs of
/// rows. Think of the position of an element as bits: of its row, of its lane,
/// and within its lane. Interleaving rows that differ in one bit puts that bit
/// last within the lane, and the first bit of those in its place among the
/// rows. Once for each bit within a lane, and the rows hold columns; what is
/// left is to exchange whole lanes.
class TransposeNetwork {
public:
  TransposeNetwork(OpBuilder &b, Location loc, RowList rows) : b(b), loc(loc), rows(std::move(rows)) {
    auto type = cast<VectorType>(this->rows.front().getType());
    columns = type.getNumElements();
    Type element = type.getElementType();
    int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
    lane = std::min({std::max<int64_t>(1, laneBits / bits), rowCount(), columns});
  }

  RowList run() {
    for (int64_t distance = lane / 2; distance >= 1; distance /= 2)
      forEachPair(distance, [&](Value &low, Value &high) { interleave(low, high); });
    // Row `r` now holds, lane by lane, the columns `lane number * lane + r % lane`
    // of the rows `r / lane * lane …`. Exchange the bits of lanes and rows, as
    // many as both have.
    int64_t rowGroups = rowCount() / lane, lanes = columns / lane;
    for (int64_t group = 1; group < rowGroups && group < lanes; group *= 2)
      forEachPair(group * lane, [&](Value &low, Value &high) { exchange(low, high, group * lane); });
    RowList result;
    for (int64_t column = 0; column < columns; ++column)
      result.push_back(gatherColumn(column, rowGroups, lanes));
    return result;
  }

private:
  int64_t rowCount() const { return rows.size(); }

  template <typename Fn> void forEachPair(int64_t distance, Fn fn) {
    for (int64_t row = 0; row < rowCount(); ++row)
      if ((row & distance) == 0)
        fn(rows[row], rows[row + distance]);
  }

  Value shuffle(Value low, Value high, ArrayRef<int64_t> picks) {
    return vector::ShuffleOp::create(b, loc, low, high, picks);
  }

  /// In each lane, the lower and the upper halves of both rows in turn.
  void interleave(Value &low, Value &high) {
    SmallVector<int64_t> lower, upper;
    for (int64_t start = 0; start < columns; start += lane)
      for (int64_t i = start; i < start + lane / 2; ++i) {
        lower.append({i, columns + i});
        upper.append({lane / 2 + i, columns + lane / 2 + i});
      }
    Value first = shuffle(low, high, lower);
    high = shuffle(low, high, upper);
    low = first;
  }

  /// Of each two neighbouring pieces, the upper one of `low` and the lower one
  /// of `high` change places.
  void exchange(Value &low, Value &high, int64_t piece) {
    SmallVector<int64_t> lower, upper;
    for (int64_t i = 0; i < columns; ++i) {
      bool isUpper = i & piece;
      lower.push_back(isUpper ? columns + i - piece : i);
      upper.push_back(isUpper ? columns + i : i + piece);
    }
    Value first = shuffle(low, high, lower);
    high = shuffle(low, high, upper);
    low = first;
  }

  /// The exchanged bits of the column's lane number are now the row's; the
  /// others are the place in the register.
  Value gatherColumn(int64_t column, int64_t rowGroups, int64_t lanes) {
    int64_t square = std::min(rowGroups, lanes), width = square * lane;
    int64_t laneNumber = column / lane, place = laneNumber / square * width;
    int64_t first = laneNumber % square * lane + column % lane;
    Value result;
    for (int64_t row = first; row < rowCount(); row += width) {
      Value part = rows[row];
      if (width != columns)
        part = vector::ExtractStridedSliceOp::create(b, loc, part, place, width, 1);
      result = result ? join(result, part) : part;
    }
    return result;
  }

  Value join(Value a, Value c) {
    int64_t size = cast<VectorType>(a.getType()).getNumElements();
    int64_t more = cast<VectorType>(c.getType()).getNumElements();
    return shuffle(a, c, llvm::to_vector(llvm::seq<int64_t>(0, size + more)));
  }

  OpBuilder &b;
  Location loc;
  int64_t columns, lane;
  RowList rows;
};

} // namespace

static void bitcastAll(OpBuilder &b, Location loc, RowList &rows, Type element) {
  for (Value &row : rows)
    row = arith::BitcastOp::create(b, loc, cast<VectorType>(row.getType()).clone(element), row);
}

RowList flagtree::transposeRows(OpBuilder &b, Location loc, RowList rows) {
  // Short floats move as bits: where LLVM has no registers for them it would
  // convert each to 32 bits and back.
  Type element = getElementTypeOrSelf(rows.front().getType());
  bool asBits = isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 16;
  if (asBits)
    bitcastAll(b, loc, rows, b.getIntegerType(element.getIntOrFloatBitWidth()));
  RowList columns = TransposeNetwork(b, loc, std::move(rows)).run();
  if (asBits)
    bitcastAll(b, loc, columns, element);
  return columns;
}
