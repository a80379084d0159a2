// SPDX-License-Identifier: MIT
// Builders and verifiers of the operations with a combine region.
#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace flagtree::flir;

SmallVector<Value> flagtree::flir::inlineCombiner(OpBuilder &b, Region &combiner, ValueRange operands) {
  Block &body = combiner.front();
  IRMapping map;
  map.map(body.getArguments(), operands);
  for (Operation &op : body.without_terminator())
    b.clone(op, map);
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return map.lookupOrDefault(value); });
}

static RankedTensorType withoutAxis(Type type, int64_t axis) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, tensor.getElementType());
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &b, OperationState &state, ValueRange sources, int64_t axis) {
  SmallVector<Type> types =
      llvm::map_to_vector(sources.getTypes(), [&](Type type) -> Type { return withoutAxis(type, axis); });
  build(b, state, types, sources, axis);
}

void ScanOp::build(OpBuilder &b, OperationState &state, ValueRange sources, int64_t axis, bool reverse) {
  build(b, state, llvm::to_vector(sources.getTypes()), sources, axis, reverse);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// One shape for all sources, an axis of theirs, and results that follow.
template <typename Op, typename Fn> static LogicalResult verifyCombine(Op op, Fn resultType) {
  if (op.getSources().empty())
    return op.emitOpError("expects at least one source");
  RankedTensorType first = op.getSourceType();
  auto axis = static_cast<int64_t>(op.getAxis());
  if (axis < 0 || axis >= first.getRank())
    return op.emitOpError("expects an axis of its sources, which have ")
           << first.getRank() << " dimensions, got " << axis;
  for (Type type : op.getSources().getTypes())
    if (cast<RankedTensorType>(type).getShape() != first.getShape())
      return op.emitOpError("expects sources of one shape, got ") << first << " and " << type;
  if (op.getNumResults() != op.getSources().size())
    return op.emitOpError("expects one result for each source");
  for (auto [source, result] : llvm::zip_equal(op.getSources().getTypes(), op.getResultTypes()))
    if (Type expected = resultType(source); expected != result)
      return op.emitOpError("expects a result of type ") << expected << ", got " << result;
  return success();
}

template <typename Op> static LogicalResult verifyCombiner(Op op) {
  Block &body = op.getCombiner().front();
  SmallVector<Type> elements =
      llvm::map_to_vector(op.getSources().getTypes(), [](Type type) { return getElementTypeOrSelf(type); });
  SmallVector<Type> twice(elements);
  llvm::append_range(twice, elements);
  if (!llvm::equal(body.getArgumentTypes(), twice))
    return op.emitOpError("expects a region that takes two elements of each source");
  if (!isa<YieldOp>(body.getTerminator()) || !llvm::equal(body.getTerminator()->getOperandTypes(), elements))
    return op.emitOpError("expects a region that yields one element of each source");
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyCombine(*this, [&](Type type) -> Type { return withoutAxis(type, getAxis()); });
}
LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this); }

LogicalResult ScanOp::verify() {
  return verifyCombine(*this, [](Type type) { return type; });
}
LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this); }
