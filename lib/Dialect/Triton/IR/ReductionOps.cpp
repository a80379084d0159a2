// SPDX-License-Identifier: MIT
// Reductions, scans, mapped regions, gather and histogram: rules and result types.
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace flagtree::tt;

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyAxis(OpT op) {
  if (op.getSrcs().empty())
    return op.emitOpError() << "has no source; it needs at least one tensor";
  auto first = cast<RankedTensorType>(op.getSrcs().front().getType());
  int64_t axis = op.getAxis();
  if (axis < 0 || axis >= first.getRank())
    return op.emitOpError() << "works along axis " << axis << " of " << first << "; axes are 0 to "
                            << first.getRank() - 1;
  for (Type type : op.getSrcs().getTypes())
    if (!haveSameShape(type, first))
      return op.emitOpError() << "has sources of type " << first << " and " << type
                              << "; all must have the same shape";
  return success();
}

/// `expected` element types, each repeated `times`, in the order they come in a region.
static LogicalResult verifyElements(Operation *op, StringRef what, TypeRange actual,
                                    ArrayRef<Type> expected) {
  if (actual == TypeRange(expected))
    return success();
  return op->emitOpError() << what << " (" << actual << "), but the sources and results need (" << expected
                           << ")";
}

/// The region combines two sets of elements and gives one.
template <typename ReturnT, typename OpT> static LogicalResult verifyCombine(OpT op) {
  SmallVector<Type> elements = op.getElementTypes();
  SmallVector<Type> arguments(elements);
  arguments.append(elements.begin(), elements.end());
  Block &body = op.getCombineOp().front();
  if (failed(verifyElements(op, "has a region with the arguments", body.getArgumentTypes(), arguments)))
    return failure();
  auto result = dyn_cast_or_null<ReturnT>(body.empty() ? nullptr : &body.back());
  if (!result)
    return op.emitOpError() << "has a region that does not end with " << ReturnT::getOperationName();
  return verifyElements(op, "has a region that gives", result.getOperandTypes(), elements);
}

LogicalResult ReduceOp::verify() { return verifyAxis(*this); }
LogicalResult ReduceOp::verifyRegions() { return verifyCombine<ReduceReturnOp>(*this); }
LogicalResult ScanOp::verify() { return verifyAxis(*this); }
LogicalResult ScanOp::verifyRegions() { return verifyCombine<ScanReturnOp>(*this); }

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                         DictionaryAttr attrs, OpaqueProperties properties,
                                         RegionRange regions, SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attrs, properties, regions);
  for (Value source : operands) {
    auto tensor = dyn_cast<RankedTensorType>(source.getType());
    int64_t axis = adaptor.getAxis();
    if (!tensor || axis < 0 || axis >= tensor.getRank())
      return emitOptionalError(loc, "'tt.reduce' op works along axis ", axis, " of ", source.getType());
    SmallVector<int64_t> shape(tensor.getShape());
    shape.erase(shape.begin() + axis);
    types.push_back(shape.empty() ? tensor.getElementType() : tensor.clone(shape));
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Mapped regions
//===----------------------------------------------------------------------===//

/// The element type of each tensor, `pack` times.
static SmallVector<Type> packedElements(TypeRange tensors, int64_t pack) {
  SmallVector<Type> types;
  for (Type tensor : tensors)
    types.append(pack, getElementTypeOrSelf(tensor));
  return types;
}

LogicalResult MapElementwiseOp::verify() {
  if (getSrcs().empty())
    return emitOpError() << "has no source; it needs at least one tensor";
  Type first = getSrcs().front().getType();
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(getOperandTypes()), llvm::to_vector(getResultTypes())))
    if (!haveSameShape(first, type))
      return emitOpError() << "mixes " << first << " and " << type << "; all must have the same shape";
  int64_t pack = getPack(), elements = cast<RankedTensorType>(first).getNumElements();
  if (pack >= 1 && elements % pack == 0)
    return success();
  return emitOpError() << "takes " << pack << " elements at a time of " << elements
                       << "; 'pack' must divide the number of elements";
}

LogicalResult MapElementwiseOp::verifyRegions() {
  if (getScalarOp().empty())
    return emitOpError() << "has an empty region";
  if (failed(verifyElements(*this, "has a region with the arguments", getScalarOp().getArgumentTypes(),
                            packedElements(getSrcs().getTypes(), getPack()))))
    return failure();
  SmallVector<Type> expected = packedElements(getResultTypes(), getPack());
  for (Block &block : getScalarOp())
    if (auto result = dyn_cast<MapElementwiseReturnOp>(block.back()))
      if (failed(verifyElements(*this, "has a region that gives", result.getOperandTypes(), expected)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Gather and histogram
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.push_back(
      withElementType(adaptor.getIndices().getType(), getElementTypeOrSelf(adaptor.getSrc().getType())));
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType source = getSrc().getType(), indices = getIndices().getType();
  int64_t axis = getAxis();
  if (source.getRank() != indices.getRank())
    return emitOpError() << "has indices of type " << indices << " for a source of type " << source
                         << "; both must have the same rank";
  if (axis < 0 || axis >= source.getRank())
    return emitOpError() << "works along axis " << axis << " of " << source << "; axes are 0 to "
                         << source.getRank() - 1;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (dim != axis && source.getDimSize(dim) != indices.getDimSize(dim))
      return emitOpError() << "has indices of type " << indices << " for a source of type " << source
                           << "; dimension " << dim << " must be the same";
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getSrc().getType().getRank() == 1 && getType().getRank() == 1)
    return success();
  return emitOpError() << "counts " << getSrc().getType() << " into " << getType()
                       << "; both must have one dimension";
}
