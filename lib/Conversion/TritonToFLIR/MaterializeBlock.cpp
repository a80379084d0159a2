// SPDX-License-Identifier: MIT
// Triton's values made of the numbers of a block.
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace flagtree;

static Value makeSteps(OpBuilder &b, Location loc, const AffineBlock &block, int64_t dim,
                       RankedTensorType type);
static Value makePointers(OpBuilder &b, Location loc, const AffineBlock &block, Type type);

static Value toInteger(OpBuilder &b, Location loc, OpFoldResult number, Type type) {
  Value wide = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(),
                                                  getValueOrCreateConstantIndexOp(b, loc, number));
  return type.isInteger(64) ? wide : b.createOrFold<arith::TruncIOp>(loc, type, wide);
}

/// Padding is what `block` says, whatever the operation says.
static Value makeView(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
  auto integers = [&](ArrayRef<OpFoldResult> numbers, unsigned bits) {
    return llvm::map_to_vector(
        numbers, [&](OpFoldResult number) { return toInteger(b, loc, number, b.getIntegerType(bits)); });
  };
  AffineBlock start({block.base}, block.offset, {});
  Value base = makePointers(b, loc, start, block.base.getType());
  if (isa<tt::TensorDescType>(type))
    return tt::MakeTensorDescOp::create(b, loc, type, base, integers(block.shape, 32),
                                        integers(block.strides, 64), tt::PaddingOption::Zero);
  auto order = llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, block.strides.size())));
  return tt::MakeTensorPtrOp::create(b, loc, type, base, integers(block.shape, 64),
                                     integers(block.strides, 64), integers(block.starts, 32), order);
}

static Value makePointers(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
  Value start = tt::AddPtrOp::create(b, loc, block.base.getType(), block.base,
                                     toInteger(b, loc, block.offset, b.getI64Type()));
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped)
    return start;
  Value result = tt::SplatOp::create(b, loc, type, start);
  for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
    if (Value steps = makeSteps(b, loc, block, dim, shaped.clone(b.getI64Type())))
      result = tt::AddPtrOp::create(b, loc, type, result, steps);
  return result;
}

static Value makeIntegers(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
  auto shaped = cast<RankedTensorType>(type);
  Value result = tt::SplatOp::create(b, loc, type, toInteger(b, loc, block.offset, shaped.getElementType()));
  for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
    if (Value steps = makeSteps(b, loc, block, dim, shaped))
      result = arith::AddIOp::create(b, loc, result, steps);
  return result;
}

/// What the position along `dim` adds; null for nothing.
static Value makeSteps(OpBuilder &b, Location loc, const AffineBlock &block, int64_t dim,
                       RankedTensorType type) {
  if (block.isUniform(dim))
    return {};
  int64_t size = type.getDimSize(dim);
  auto line = RankedTensorType::get({size}, type.getElementType());
  auto cast = [&](Value value) -> Value {
    if (value.getType() == line)
      return value;
    if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() < line.getElementTypeBitWidth())
      return arith::ExtSIOp::create(b, loc, line, value);
    return arith::TruncIOp::create(b, loc, line, value);
  };
  Value steps;
  if (!isConstantIntValue(block.strides[dim], 0)) {
    steps = cast(tt::MakeRangeOp::create(b, loc, line.clone(b.getI32Type()), 0, size));
    Value stride =
        tt::SplatOp::create(b, loc, line, toInteger(b, loc, block.strides[dim], type.getElementType()));
    steps = arith::MulIOp::create(b, loc, steps, stride);
  }
  if (Value numbers = block.indices[dim].numbers) {
    Value narrow = cast(numbers);
    steps = steps ? arith::AddIOp::create(b, loc, steps, narrow).getResult() : narrow;
  }
  for (int64_t other = 0; other < type.getRank(); ++other)
    if (other != dim)
      steps = tt::ExpandDimsOp::create(b, loc, steps, other);
  return steps.getType() == type ? steps : tt::BroadcastOp::create(b, loc, type, steps).getResult();
}

Value flagtree::materializeBlock(OpBuilder &b, Location loc, const AffineBlock &block, Type type) {
  if (block.isView())
    return makeView(b, loc, block, type);
  return block.base ? makePointers(b, loc, block, type) : makeIntegers(b, loc, block, type);
}
