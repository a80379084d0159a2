// SPDX-License-Identifier: MIT
// Making and reshaping tensors: rules and result types.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace flagtree::tt;

static RankedTensorType tensorType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  auto type = cast<RankedTensorType>(getType());
  if (start >= end)
    return emitOpError() << "goes from " << start << " to " << end
                         << "; the end must be greater than the start";
  if (type.getRank() == 1 && type.getDimSize(0) == end - start)
    return success();
  return emitOpError() << "goes from " << start << " to " << end << " and gives " << type
                       << "; it needs tensor<" << end - start << "xi32>";
}

LogicalResult SplatOp::verify() {
  if (getSrc().getType() == getType().getElementType())
    return success();
  return emitOpError() << "fills " << getType() << " with a value of type " << getSrc().getType();
}

LogicalResult UnsplatOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(getElementTypeOrSelf(adaptor.getSrc().getType()));
  return success();
}

LogicalResult UnsplatOp::verify() {
  if (getSrc().getType().getNumElements() == 1)
    return success();
  return emitOpError() << "takes the element of " << getSrc().getType() << "; the tensor must have only one";
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType source = tensorType(adaptor.getSrc());
  int64_t axis = static_cast<int32_t>(adaptor.getAxis());
  if (!source || axis < 0 || axis > source.getRank())
    return emitOptionalError(loc, "'tt.expand_dims' op inserts dimension ", axis, " into ",
                             adaptor.getSrc().getType(), "; dimensions are 0 to the rank");
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  types.push_back(source.clone(shape));
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = getSrc().getType(), to = getType();
  bool fits = from.getRank() == to.getRank() && from.getElementType() == to.getElementType();
  for (int64_t dim = 0; fits && dim < from.getRank(); ++dim)
    fits = from.getDimSize(dim) == 1 || from.getDimSize(dim) == to.getDimSize(dim);
  if (fits)
    return success();
  return emitOpError() << "repeats " << from << " into " << to
                       << "; only dimensions of size 1 may grow, rank and elements stay";
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getSrc().getType(), to = getType();
  if (from.getNumElements() == to.getNumElements() && from.getElementType() == to.getElementType())
    return success();
  return emitOpError() << "makes " << to << " of " << from << "; number and type of the elements must stay";
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                        DictionaryAttr attrs, OpaqueProperties properties,
                                        RegionRange regions, SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attrs, properties, regions);
  RankedTensorType source = tensorType(adaptor.getSrc());
  if (!source)
    return failure();
  ArrayRef<int32_t> order = adaptor.getOrder();
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int32_t>(0, source.getRank())))
    return emitOptionalError(loc, "'tt.trans' op has the order [", order, "] for ", source,
                             "; it must name each dimension once");
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(source.getDimSize(dim));
  types.push_back(source.clone(shape));
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType from = getLhs().getType(), to = getType();
  if (to.getNumElements() == 2 * from.getNumElements() && to.getElementType() == from.getElementType())
    return success();
  return emitOpError() << "concatenates two of " << from << " into " << to
                       << "; the result must have twice the elements";
}

LogicalResult JoinOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType source = tensorType(adaptor.getLhs());
  if (!source)
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.push_back(2);
  types.push_back(source.clone(shape));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType source = tensorType(adaptor.getSrc());
  if (!source || source.getRank() < 2 || source.getShape().back() != 2)
    return emitOptionalError(loc, "'tt.split' op takes apart ", adaptor.getSrc().getType(),
                             "; the tensor must have two or more dimensions, the last of size 2");
  types.assign(2, source.clone(source.getShape().drop_back()));
  return success();
}
