// SPDX-License-Identifier: MIT
// Reductions and scans of a register tile: the combiner works on vectors, and
// what it combines comes from shuffles.
#include "VectorizeCombines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace flagtree;

namespace {

using Values = SmallVector<Value>;

/// All elements of the sources in row-major order, one vector of rank 1 each.
class FlatCombiner {
public:
  FlatCombiner(OpBuilder &b, Location loc, Region &combiner) : b(b), loc(loc), body(combiner.front()) {}

  /// The combiner, lane by lane.
  Values combine(const Values &left, const Values &right) {
    int64_t lanes = cast<VectorType>(left.front().getType()).getNumElements();
    IRMapping map;
    map.map(body.getArguments().take_front(left.size()), left);
    map.map(body.getArguments().drop_front(left.size()), right);
    auto vectorOf = [&](Value value) -> Value {
      if (Value known = map.lookupOrNull(value))
        return known;
      auto type = VectorType::get({lanes}, value.getType());
      Value vector = vector::BroadcastOp::create(b, loc, type, value);
      map.map(value, vector);
      return vector;
    };
    for (Operation &op : body.without_terminator()) {
      if (op.hasTrait<OpTrait::ConstantLike>()) {
        map.map(op.getResult(0), splat(&op, lanes));
        continue;
      }
      OperationState state(op.getLoc(), op.getName(), {}, {}, op.getAttrs());
      for (Value operand : op.getOperands())
        state.operands.push_back(vectorOf(operand));
      for (Type type : op.getResultTypes())
        state.types.push_back(VectorType::get({lanes}, type));
      map.map(op.getResults(), b.create(state)->getResults());
    }
    return llvm::map_to_vector(body.getTerminator()->getOperands(), vectorOf);
  }

  Values shuffle(const Values &vectors, ArrayRef<int64_t> lanes) {
    return llvm::map_to_vector(vectors, [&](Value vector) -> Value {
      return vector::ShuffleOp::create(b, loc, vector, vector, lanes);
    });
  }

  Values slice(const Values &vectors, int64_t first, int64_t size) {
    return shuffle(vectors, llvm::to_vector(llvm::seq(first, first + size)));
  }

  Values select(ArrayRef<bool> lanes, const Values &yes, const Values &no) {
    auto type = VectorType::get({static_cast<int64_t>(lanes.size())}, b.getI1Type());
    Value mask = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, lanes));
    Values result;
    for (auto [one, other] : llvm::zip_equal(yes, no))
      result.push_back(arith::SelectOp::create(b, loc, mask, one, other));
    return result;
  }

  Values cast(const Values &vectors, ArrayRef<int64_t> shape) {
    return llvm::map_to_vector(vectors, [&](Value vector) -> Value {
      auto type = mlir::cast<VectorType>(vector.getType());
      return b.createOrFold<vector::ShapeCastOp>(loc, VectorType::get(shape, type.getElementType()), vector);
    });
  }

  /// Vectors of the first lanes, whose number is the sum of all `parts`.
  Values concatenate(ArrayRef<Values> parts, ArrayRef<SmallVector<int64_t>> places, int64_t lanes) {
    Values whole;
    for (auto [part, place] : llvm::zip_equal(parts, places)) {
      SmallVector<int64_t> spread(lanes, 0), mix = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
      for (auto [lane, target] : llvm::enumerate(place)) {
        spread[target] = lane;
        mix[target] = lanes + target;
      }
      Values wide = shuffle(part, spread);
      if (whole.empty()) {
        whole = wide;
        continue;
      }
      for (auto [value, added] : llvm::zip_equal(whole, wide))
        value = vector::ShuffleOp::create(b, loc, value, added, mix);
    }
    return whole;
  }

private:
  Value splat(Operation *constant, int64_t lanes) {
    Value value = b.clone(*constant)->getResult(0);
    return vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, value.getType()), value);
  }

  OpBuilder &b;
  Location loc;
  Block &body;
};

/// For each position on the axis the places of its elements, in row-major order.
SmallVector<SmallVector<int64_t>> placesAlong(ArrayRef<int64_t> shape, int64_t axis) {
  int64_t inner = computeProduct(shape.drop_front(axis + 1)), total = computeProduct(shape);
  SmallVector<SmallVector<int64_t>> places(shape[axis]);
  for (int64_t place = 0; place < total; ++place)
    places[place / inner % shape[axis]].push_back(place);
  return places;
}

/// Halves are combined until one lane is left.
Values reduceLanes(FlatCombiner &flat, Values vectors, int64_t lanes) {
  Values rest;
  for (; lanes > 1; lanes /= 2) {
    if (lanes % 2 != 0) {
      Values last = flat.slice(vectors, lanes - 1, 1);
      rest = rest.empty() ? last : flat.combine(last, rest);
    }
    vectors = flat.combine(flat.slice(vectors, 0, lanes / 2), flat.slice(vectors, lanes / 2, lanes / 2));
  }
  return rest.empty() ? vectors : flat.combine(vectors, rest);
}

/// Slices across the axis are combined in pairs.
Values reduceSlices(FlatCombiner &flat, const Values &vectors, ArrayRef<int64_t> shape, int64_t axis) {
  SmallVector<Values> slices;
  for (ArrayRef<int64_t> places : placesAlong(shape, axis))
    slices.push_back(flat.shuffle(vectors, places));
  while (slices.size() > 1) {
    SmallVector<Values> combined;
    for (size_t i = 0; i + 1 < slices.size(); i += 2)
      combined.push_back(flat.combine(slices[i], slices[i + 1]));
    if (slices.size() % 2 != 0)
      combined.push_back(slices.back());
    slices = std::move(combined);
  }
  return slices.front();
}

/// In each step the second half of each run of lanes takes in the last lane of
/// the first half; runs double.
Values scanLanes(FlatCombiner &flat, Values vectors, int64_t lanes, bool reverse) {
  for (int64_t half = 1; half < lanes; half *= 2) {
    SmallVector<int64_t> source;
    SmallVector<bool> takes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t run = lane / (2 * half) * 2 * half;
      int64_t from = reverse ? run + half : run + half - 1;
      bool isSecond = lane >= run + half;
      takes.push_back(isSecond != reverse && from < lanes);
      source.push_back(takes.back() ? from : lane);
    }
    vectors = flat.select(takes, flat.combine(flat.shuffle(vectors, source), vectors), vectors);
  }
  return vectors;
}

Values scanSlices(FlatCombiner &flat, const Values &vectors, ArrayRef<int64_t> shape, int64_t axis,
                  bool reverse) {
  SmallVector<SmallVector<int64_t>> places = placesAlong(shape, axis);
  if (reverse)
    std::reverse(places.begin(), places.end());
  SmallVector<Values> slices;
  for (ArrayRef<int64_t> place : places) {
    Values slice = flat.shuffle(vectors, place);
    slices.push_back(slices.empty() ? slice : flat.combine(slices.back(), slice));
  }
  return flat.concatenate(slices, places, computeProduct(shape));
}

} // namespace

SmallVector<Value> flagtree::reduceVectors(OpBuilder &b, flir::ReduceOp op, ValueRange vectors) {
  FlatCombiner flat(b, op.getLoc(), op.getCombiner());
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  int64_t lanes = computeProduct(shape);
  Values values = flat.cast(Values(vectors), {lanes});
  values = lanes == op.getAxisSize() ? reduceLanes(flat, values, lanes)
                                     : reduceSlices(flat, values, shape, op.getAxis());
  return flat.cast(values, cast<RankedTensorType>(op.getResult(0).getType()).getShape());
}

SmallVector<Value> flagtree::scanVectors(OpBuilder &b, flir::ScanOp op, ValueRange vectors) {
  FlatCombiner flat(b, op.getLoc(), op.getCombiner());
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  int64_t lanes = computeProduct(shape);
  Values values = flat.cast(Values(vectors), {lanes});
  values = lanes == op.getAxisSize() ? scanLanes(flat, values, lanes, op.getReverse())
                                     : scanSlices(flat, values, shape, op.getAxis(), op.getReverse());
  return flat.cast(values, shape);
}
