// SPDX-License-Identifier: MIT
// The language sorts and flips with tensors of shape 2 × 2 × … × 2, and spells
// the other element of a pair as `x ^ xor_sum(x, axis)`. On the flat tensor that
// is the element whose position differs in one bit.
#include "Patterns.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace flagtree;

namespace {

RankedTensorType flatType(Type type, Type element = {}) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get({tensor.getNumElements()}, element ? element : tensor.getElementType());
}

/// The tensor that is `value` with its elements exchanged along an axis of two
/// elements: `value ^ broadcast(xor of both)`; -1 when there is none.
std::pair<Value, int64_t> matchExchange(arith::XOrIOp op) {
  for (bool swap : {false, true}) {
    Value value = op->getOperand(swap), other = op->getOperand(!swap);
    auto broadcast = other.getDefiningOp<tt::BroadcastOp>();
    Operation *widened = broadcast ? broadcast.getSrc().getDefiningOp() : nullptr;
    if (!isa_and_nonnull<tt::ExpandDimsOp, tt::ReshapeOp>(widened))
      continue;
    auto reduce = widened->getOperand(0).getDefiningOp<tt::ReduceOp>();
    if (!reduce || reduce.getSrcs().size() != 1 || reduce.getSrcs()[0] != value)
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    int64_t axis = reduce.getAxis();
    SmallVector<int64_t> kept(type.getShape());
    kept[axis] = 1;
    Block &body = reduce.getCombineOp().front();
    bool isXor = body.getOperations().size() == 2 && isa<arith::XOrIOp>(body.front()) &&
                 body.getTerminator()->getOperand(0) == body.front().getResult(0) &&
                 llvm::equal(body.front().getOperands(), body.getArguments());
    auto keptType = cast<RankedTensorType>(widened->getResult(0).getType());
    if (isXor && type.getDimSize(axis) == 2 && keptType.getShape() == ArrayRef<int64_t>(kept) &&
        llvm::isPowerOf2_64(type.getNumElements()))
      return {value, axis};
  }
  return {Value(), -1};
}

class Flattener {
public:
  /// What leaves the shape of many dimensions; flat where an exchange leads to it.
  void run(tt::ReshapeOp reshape) {
    if (!leadsFromExchange(reshape.getSrc()))
      return;
    OpBuilder b(reshape);
    Value flat = flatOf(reshape.getSrc());
    if (flat.getType() != reshape.getType())
      flat = tt::ReshapeOp::create(b, reshape.getLoc(), reshape.getType(), flat, false, false);
    reshape.replaceAllUsesWith(flat);
  }

private:
  bool isElementwise(Operation *op) {
    return op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
           (OpTrait::hasElementwiseMappableTraits(op) || isa<tt::BitcastOp, tt::ClampFOp>(op)) &&
           op->getNumRegions() == 0;
  }

  bool leadsFromExchange(Value value) {
    auto [known, isNew] = leads.try_emplace(value, false);
    if (!isNew)
      return known->second;
    Operation *op = value.getDefiningOp();
    bool result = false;
    if (auto exchange = dyn_cast_or_null<arith::XOrIOp>(op))
      result = matchExchange(exchange).second >= 0;
    if (!result && op && (isElementwise(op) || isHalving(op) || isa<tt::ReshapeOp>(op)))
      result = llvm::any_of(op->getOperands(), [&](Value operand) { return leadsFromExchange(operand); });
    return leads[value] = result;
  }

  /// A reduction of pairs, as in the selection of the largest.
  static bool isHalving(Operation *op) {
    auto reduce = dyn_cast<tt::ReduceOp>(op);
    return reduce && reduce.getSrcs().size() == 1 && isa<RankedTensorType>(reduce.getType(0)) &&
           cast<RankedTensorType>(reduce.getSrcs()[0].getType()).getDimSize(reduce.getAxis()) == 2;
  }

  Value flatOf(Value value) {
    if (Value known = flats.lookup(value))
      return known;
    return flats[value] = makeFlat(value);
  }

  Value makeFlat(Value value) {
    Operation *op = value.getDefiningOp();
    auto type = cast<RankedTensorType>(value.getType());
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    if (auto reshape = dyn_cast_or_null<tt::ReshapeOp>(op))
      return flatOf(reshape.getSrc());
    if (auto exchange = dyn_cast_or_null<arith::XOrIOp>(op))
      if (auto [source, axis] = matchExchange(exchange); source)
        return exchanged(b, loc, source, computeProduct(type.getShape().drop_front(axis + 1)));
    if (op && isHalving(op) && leadsFromExchange(value))
      return halved(b, cast<tt::ReduceOp>(op));
    if (op && isElementwise(op) && leadsFromExchange(value))
      return rebuilt(b, op, [&](Value operand) { return flatOf(operand); });
    if (Value known = ofPosition(b, value, type.getShape()))
      return known;
    if (type.getRank() == 1)
      return value;
    return tt::ReshapeOp::create(b, loc, flatType(type), value, false, false);
  }

  /// The exchange of what was given other bits is that of the source.
  Value exchanged(OpBuilder &b, Location loc, Value source, int64_t distance) {
    auto cast = source.getDefiningOp<tt::BitcastOp>();
    Value flat = flatOf(cast ? cast.getSrc() : source);
    Value result = b.createOrFold<flir::XorShuffleOp>(loc, flat, distance);
    return cast ? tt::BitcastOp::create(b, loc, flatType(source.getType()), result).getResult() : result;
  }

  Value halved(OpBuilder &b, tt::ReduceOp reduce) {
    Location loc = reduce.getLoc();
    auto type = cast<RankedTensorType>(reduce.getSrcs()[0].getType());
    ArrayRef<int64_t> shape = type.getShape();
    int64_t axis = reduce.getAxis();
    int64_t outer = computeProduct(shape.take_front(axis)),
            inner = computeProduct(shape.drop_front(axis + 1));
    auto pairs = RankedTensorType::get({outer, 2, inner}, type.getElementType());
    Value flat = flatOf(reduce.getSrcs()[0]);
    Value source = tt::ReshapeOp::create(b, loc, pairs, flat, false, false);
    auto half = RankedTensorType::get({outer, inner}, type.getElementType());
    auto result = tt::ReduceOp::create(b, loc, TypeRange{half}, ValueRange{source}, 1);
    IRMapping map;
    reduce.getCombineOp().cloneInto(&result.getCombineOp(), map);
    return tt::ReshapeOp::create(b, loc, flatType(half), result.getResult()[0], false, false);
  }

  template <typename Fn> Value rebuilt(OpBuilder &b, Operation *op, Fn flatOperand) {
    OperationState state(op->getLoc(), op->getName(), {}, {}, op->getAttrs());
    for (Value operand : op->getOperands())
      state.operands.push_back(isa<RankedTensorType>(operand.getType()) ? flatOperand(operand) : operand);
    state.types.push_back(flatType(state.operands.back().getType(), getElementTypeOrSelf(op->getResult(0))));
    return b.create(state)->getResult(0);
  }

  /// `value`, broadcast to `shape` and flat, as a function of the position:
  /// made of ranges of two, constants and elementwise operations; else null.
  Value ofPosition(OpBuilder &b, Value value, ArrayRef<int64_t> shape) {
    Operation *op = value.getDefiningOp();
    auto type = cast<RankedTensorType>(value.getType());
    auto flat = RankedTensorType::get({computeProduct(shape)}, type.getElementType());
    if (!op)
      return {};
    DenseElementsAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant.isSplat() ? arith::ConstantOp::create(b, value.getLoc(), constant.resizeSplat(flat))
                                : Value();
    if (auto splat = dyn_cast<tt::SplatOp>(op))
      return tt::SplatOp::create(b, value.getLoc(), flat, splat.getSrc());
    if (auto broadcast = dyn_cast<tt::BroadcastOp>(op))
      return ofPosition(b, broadcast.getSrc(), shape);
    if (type.getRank() != static_cast<int64_t>(shape.size()))
      return {};
    if (isa<tt::ReshapeOp, tt::ExpandDimsOp>(op) && type.getNumElements() == 2)
      return bitOf(b, op->getOperand(0), type.getShape(), shape);
    if (!isElementwise(op))
      return {};
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (isa<RankedTensorType>(operand.getType()) && !(operand = ofPosition(b, operand, shape)))
        return {};
      operands.push_back(operand);
    }
    OperationState state(op->getLoc(), op->getName(), operands, {flat}, op->getAttrs());
    return b.create(state)->getResult(0);
  }

  /// A range of two along the one dimension that is not 1: a bit of the position.
  Value bitOf(OpBuilder &b, Value source, ArrayRef<int64_t> own, ArrayRef<int64_t> shape) {
    while (Operation *op = source.getDefiningOp()) {
      if (!isa<tt::ReshapeOp, tt::ExpandDimsOp>(op))
        break;
      source = op->getOperand(0);
    }
    auto range = source.getDefiningOp<tt::MakeRangeOp>();
    int64_t dim = llvm::find(own, 2) - own.begin();
    int64_t size = computeProduct(shape), below = computeProduct(shape.drop_front(dim + 1));
    if (!range || range.getStart() != 0 || !llvm::isPowerOf2_64(below) || size > INT32_MAX)
      return {};
    Location loc = source.getLoc();
    auto type = RankedTensorType::get({size}, b.getI32Type());
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, b.getI32IntegerAttr(static_cast<int32_t>(value))));
    };
    Value position = tt::MakeRangeOp::create(b, loc, type, 0, static_cast<uint32_t>(size));
    if (below != 1)
      position = arith::ShRUIOp::create(b, loc, position, number(llvm::Log2_64(below)));
    return arith::AndIOp::create(b, loc, position, number(1));
  }

  DenseMap<Value, Value> flats;
  DenseMap<Value, bool> leads;
};

} // namespace

void flagtree::flattenExchanges(func::FuncOp function) {
  SmallVector<tt::ReshapeOp> reshapes;
  function.walk([&](tt::ReshapeOp reshape) { reshapes.push_back(reshape); });
  Flattener flattener;
  for (tt::ReshapeOp reshape : reshapes)
    flattener.run(reshape);
  IRRewriter rewriter(function.getContext());
  (void)runRegionDCE(rewriter, function->getRegions());
}
