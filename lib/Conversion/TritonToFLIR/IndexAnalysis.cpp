// SPDX-License-Identifier: MIT
// Dimensions whose positions follow no stride: remainders, quotients, integers
// from memory. Their numbers are kept as one tensor for each dimension.
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace flagtree;

static Value splat(OpBuilder &b, Location loc, Value scalar, int64_t size) {
  return tt::SplatOp::create(b, loc, RankedTensorType::get({size}, scalar.getType()), scalar);
}

static int64_t sizeOf(Value line) { return cast<RankedTensorType>(line.getType()).getDimSize(0); }

/// A line of integers with 64 bits each.
static Value widen(OpBuilder &b, Location loc, Value line, bool isSigned) {
  auto type = cast<RankedTensorType>(line.getType());
  Type wide = type.clone(b.getI64Type());
  if (type == wide)
    return line;
  if (type.getElementTypeBitWidth() > 64)
    return arith::TruncIOp::create(b, loc, wide, line);
  return isSigned ? arith::ExtSIOp::create(b, loc, wide, line).getResult()
                  : arith::ExtUIOp::create(b, loc, wide, line).getResult();
}

/// The only dimension whose size is not 1; the last where all are.
static std::optional<int64_t> onlyDim(RankedTensorType type) {
  std::optional<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (size == 1)
      continue;
    if (result)
      return std::nullopt;
    result = dim;
  }
  return result ? result : type.getRank() - 1;
}

DimIndex PtrAnalysis::addIndices(const DimIndex &a, const DimIndex &b, bool subtract) {
  if (!b)
    return a;
  if (!a && !subtract)
    return b;
  Location loc = b.numbers.getLoc();
  auto combined = [&](OpFoldResult x, OpFoldResult y) { return subtract ? sub(x, y) : add(x, y); };
  DimIndex result;
  Value first = a.numbers;
  if (!first)
    first = splat(builder, loc, arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0)),
                  sizeOf(b.numbers));
  result.numbers = subtract ? arith::SubIOp::create(builder, loc, first, b.numbers).getResult()
                            : arith::AddIOp::create(builder, loc, first, b.numbers).getResult();
  if (!b.regular || (a && !a.regular))
    return result;
  result.regular =
      a ? arith::AndIOp::create(builder, loc, a.regular, b.regular).getResult() : Value(b.regular);
  result.offset = combined(a ? a.offset : number(0), b.offset);
  result.stride = combined(a ? a.stride : number(0), b.stride);
  return result;
}

DimIndex PtrAnalysis::scaleIndex(const DimIndex &index, OpFoldResult factor) {
  if (!index || isConstantIntValue(factor, 0))
    return {};
  if (isConstantIntValue(factor, 1))
    return index;
  Location loc = index.numbers.getLoc();
  DimIndex result = index;
  Value factors = splat(builder, loc, fromIndex(factor, builder.getI64Type(), loc), sizeOf(index.numbers));
  result.numbers = arith::MulIOp::create(builder, loc, index.numbers, factors);
  if (index.regular) {
    result.offset = mul(index.offset, factor);
    result.stride = mul(index.stride, factor);
  }
  return result;
}

/// The numbers of a block along `dim`, in its own type.
Value PtrAnalysis::lineOf(const AffineBlock &block, int64_t dim, int64_t size, Type element) {
  Location loc = builder.getUnknownLoc();
  auto wide = RankedTensorType::get({size}, builder.getI64Type());
  Value result = splat(builder, loc, fromIndex(block.offset, builder.getI64Type(), loc), size);
  if (!isConstantIntValue(block.strides[dim], 0)) {
    Value range =
        tt::MakeRangeOp::create(builder, loc, RankedTensorType::get({size}, builder.getI32Type()), 0, size);
    Value steps = arith::ExtSIOp::create(builder, loc, wide, range);
    Value strides = splat(builder, loc, fromIndex(block.strides[dim], builder.getI64Type(), loc), size);
    result = arith::AddIOp::create(builder, loc, result, arith::MulIOp::create(builder, loc, steps, strides));
  }
  if (Value numbers = block.indices[dim].numbers)
    result = arith::AddIOp::create(builder, loc, result, numbers);
  if (element.getIntOrFloatBitWidth() < 64)
    result = arith::TruncIOp::create(builder, loc, wide.clone(element), result);
  return result;
}

/// The line of 64-bit numbers that `op`, whose operands differ along `dim`
/// only, computes along it.
Value PtrAnalysis::numbersOf(Operation *op, int64_t dim, ArrayRef<AffineBlock> operands) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t size = type.getDimSize(dim);
  bool isSigned = !isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (type.getRank() == 1)
    return widen(builder, loc, op->getResult(0), isSigned);
  SmallVector<Value> lines;
  for (auto [operand, block] : llvm::zip_equal(op->getOperands(), operands))
    lines.push_back(lineOf(block, dim, size, getElementTypeOrSelf(operand.getType())));
  Operation *line =
      builder.create(loc, op->getName().getIdentifier(), lines,
                     Type(RankedTensorType::get({size}, type.getElementType())), op->getAttrs());
  return widen(builder, loc, line->getResult(0), isSigned);
}

/// The only dimension along which blocks differ; nullopt where there is none
/// or several.
static std::optional<int64_t> growingDim(ArrayRef<AffineBlock> blocks, int64_t rank) {
  std::optional<int64_t> result;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::all_of(blocks, [&](const AffineBlock &block) { return block.isUniform(dim); }))
      continue;
    if (result)
      return std::nullopt;
    result = dim;
  }
  return result;
}

/// Remainders and quotients of a range by one number. Where no multiple of that
/// number lies within the block they are a range, and one number.
std::optional<AffineBlock> PtrAnalysis::analyzeDivision(Operation *op) {
  if (!isa<arith::RemSIOp, arith::RemUIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<AffineBlock> a = analyze(op->getOperand(0)), b = analyze(op->getOperand(1));
  if (!a || !b || !b->isUniform())
    return std::nullopt;
  std::optional<int64_t> dim = growingDim({*a, *b}, type.getRank());
  if (!dim)
    return std::nullopt;
  AffineBlock result({}, number(0), SmallVector<OpFoldResult>(type.getRank(), number(0)));
  DimIndex &index = result.indices[*dim];
  index.numbers = numbersOf(op, *dim, {*a, *b});
  const DimIndex &inner = a->indices[*dim];
  if (inner && !inner.regular)
    return result;
  OpFoldResult start = inner ? add(a->offset, inner.offset) : a->offset;
  OpFoldResult stride = inner ? add(a->strides[*dim], inner.stride) : a->strides[*dim];
  std::optional<int64_t> step = getConstantIntValue(stride);
  if (!step || *step < 0)
    return result;
  Location loc = op->getLoc();
  // In 64 bits and not in index: the divisor of the kernel may be zero.
  auto toValue = [&](OpFoldResult x) { return fromIndex(x, builder.getI64Type(), loc); };
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
  };
  Value first = toValue(start), divisor = toValue(b->offset), zero = toValue(number(0));
  Value rest = builder.createOrFold<arith::RemSIOp>(loc, first, divisor);
  Value last = toValue(add(toIndex(rest), number(*step * (type.getDimSize(*dim) - 1))));
  Value positive = builder.createOrFold<arith::AndIOp>(loc, compare(arith::CmpIPredicate::sge, first, zero),
                                                       compare(arith::CmpIPredicate::sgt, divisor, zero));
  index.regular =
      builder.createOrFold<arith::AndIOp>(loc, positive, compare(arith::CmpIPredicate::slt, last, divisor));
  if (inner)
    index.regular = builder.createOrFold<arith::AndIOp>(loc, inner.regular, index.regular);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op)) {
    index.offset = toIndex(rest);
    index.stride = stride;
  } else {
    index.offset = toIndex(builder.createOrFold<arith::DivSIOp>(loc, first, divisor));
    index.stride = number(0);
  }
  return result;
}

/// Any integers along one dimension are an index.
std::optional<AffineBlock> PtrAnalysis::analyzeOpaque(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<int64_t> dim = onlyDim(type);
  if (!dim || !type.getElementType().isInteger() || type.getElementTypeBitWidth() == 1)
    return std::nullopt;
  Location loc = value.getLoc();
  if (type.getRank() != 1)
    value = tt::ReshapeOp::create(
        builder, loc, RankedTensorType::get({type.getDimSize(*dim)}, type.getElementType()), value);
  AffineBlock result({}, number(0), SmallVector<OpFoldResult>(type.getRank(), number(0)));
  result.indices[*dim].numbers = widen(builder, loc, value, /*isSigned=*/true);
  return result;
}

/// An elementwise operation of integers that differ along one dimension only is
/// that operation on a line.
std::optional<AffineBlock> PtrAnalysis::analyzeAlongOneDim(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.getElementType().isInteger() || type.getElementTypeBitWidth() == 1 ||
      !OpTrait::hasElementwiseMappableTraits(op) || !isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  std::vector<AffineBlock> operands;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!isa<RankedTensorType>(operand.getType()) || !element.isInteger() || element.isInteger(1))
      return std::nullopt;
    std::optional<AffineBlock> block = analyze(operand);
    if (!block || block->base)
      return std::nullopt;
    operands.push_back(*block);
  }
  std::optional<int64_t> dim = growingDim(operands, type.getRank());
  if (!dim)
    return std::nullopt;
  AffineBlock result({}, number(0), SmallVector<OpFoldResult>(type.getRank(), number(0)));
  result.indices[*dim].numbers = numbersOf(op, *dim, operands);
  return result;
}

void flagtree::hoistOutOfLoops(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    // Division is guarded by the targets that have to.
    bool mayRunEarlier =
        isMemoryEffectFree(op) &&
        (isSpeculatable(op) || isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op));
    while (mayRunEarlier) {
      auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp());
      if (!loop || !llvm::all_of(op->getOperands(),
                                 [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); }))
        break;
      op->moveBefore(loop);
    }
  }
}
