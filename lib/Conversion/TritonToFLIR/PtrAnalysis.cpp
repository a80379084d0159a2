// SPDX-License-Identifier: MIT
#include "PtrAnalysis.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace flagtree;

bool AffineBlock::isDirect() const {
  return llvm::none_of(indices, [](const DimIndex &index) { return static_cast<bool>(index); });
}

bool AffineBlock::isUniform(int64_t dim) const {
  return isConstantIntValue(strides[dim], 0) && !indices[dim];
}

bool AffineBlock::isUniform() const {
  return llvm::all_of(llvm::seq<int64_t>(0, strides.size()), [&](int64_t dim) { return isUniform(dim); });
}

//===----------------------------------------------------------------------===//
// Affine blocks
//===----------------------------------------------------------------------===//

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

/// A cast between pointers that count in elements of one size.
static bool keepsElementSize(tt::BitcastOp cast) {
  auto bits = [](Type type) {
    auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
    Type pointee = pointer ? pointer.getPointeeType() : Type();
    return pointee && pointee.isIntOrFloat() ? pointee.getIntOrFloatBitWidth() : 0;
  };
  return bits(cast.getType()) != 0 && bits(cast.getType()) == bits(cast.getSrc().getType());
}

/// Peels additions off a scalar pointer, so that accesses of one argument
/// share their base.
std::optional<AffineBlock> PtrAnalysis::analyzeScalar(Value value) {
  if (auto block = known.find(value); block != known.end())
    return block->second;
  auto pointer = dyn_cast<tt::PointerType>(value.getType());
  if (isa<tt::TensorDescType>(value.getType()) || (pointer && pointer.isBlockPointer()))
    return analyzeView(value);
  if (!pointer) {
    if (!value.getType().isIntOrIndex())
      return std::nullopt;
    return AffineBlock{{}, toIndex(value), {}};
  }
  if (auto add = value.getDefiningOp<tt::AddPtrOp>()) {
    std::optional<AffineBlock> block = analyzeScalar(add.getPtr());
    if (!block)
      return std::nullopt;
    block->offset = this->add(block->offset, toIndex(add.getOffset()));
    return block;
  }
  // Integers of the bits of floats: atomic minimum and maximum of the language.
  if (auto cast = value.getDefiningOp<tt::BitcastOp>(); cast && keepsElementSize(cast))
    return analyzeScalar(cast.getSrc());
  return AffineBlock{value, number(0), {}};
}

std::optional<AffineBlock> PtrAnalysis::analyzeConstant(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  APInt splat = elements.getSplatValue<APInt>();
  // i1 counts as 0 or 1 when it is widened without a sign.
  int64_t number = splat.getBitWidth() == 1 ? splat.getZExtValue() : splat.getSExtValue();
  return AffineBlock{{}, this->number(number), SmallVector<OpFoldResult>(rankOf(value), this->number(0))};
}

std::optional<AffineBlock> PtrAnalysis::multiply(const AffineBlock &a, const AffineBlock &b) {
  if (!a.isUniform() && !b.isUniform())
    return std::nullopt;
  const AffineBlock &factor = a.isUniform() ? a : b, &block = a.isUniform() ? b : a;
  AffineBlock result = block;
  result.offset = mul(block.offset, factor.offset);
  for (auto [stride, index] : llvm::zip_equal(result.strides, result.indices)) {
    stride = mul(stride, factor.offset);
    index = scaleIndex(index, factor.offset);
  }
  return result;
}

std::optional<AffineBlock> PtrAnalysis::analyzeArith(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, tt::AddPtrOp>(op)) {
    std::optional<AffineBlock> a = analyze(op->getOperand(0)), b = analyze(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    if (isa<arith::MulIOp>(op))
      return multiply(*a, *b);
    auto combined = [&](OpFoldResult x, OpFoldResult y) {
      return isa<arith::SubIOp>(op) ? sub(x, y) : add(x, y);
    };
    AffineBlock result = *a;
    result.offset = combined(a->offset, b->offset);
    for (auto [dim, x, y] : llvm::enumerate(a->strides, b->strides)) {
      // Two lines without structure: the sum that is there already is as good.
      const DimIndex &first = a->indices[dim], &second = b->indices[dim];
      if (!a->base && rankOf(op->getResult(0)) == 1 && first && second && !(first.regular && second.regular))
        return std::nullopt;
      result.strides[dim] = combined(x, y);
      result.indices[dim] = addIndices(a->indices[dim], b->indices[dim], isa<arith::SubIOp>(op));
    }
    return result;
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    std::optional<AffineBlock> a = analyze(shift.getLhs()), b = analyze(shift.getRhs());
    std::optional<int64_t> bits = b ? getConstantIntValue(b->offset) : std::nullopt;
    if (!a || !bits || !b->isUniform() || *bits < 0 || *bits > 62)
      return std::nullopt;
    return multiply(*a, AffineBlock{{}, number(int64_t(1) << *bits), b->strides});
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return analyze(op->getOperand(0));
  if (auto extension = dyn_cast<arith::ExtUIOp>(op)) {
    // A range and its multiples are not negative; of other values the sign is unknown.
    std::optional<AffineBlock> block = analyze(extension.getIn());
    auto nonNegative = [](OpFoldResult x) { return getConstantIntValue(x).value_or(-1) >= 0; };
    if (block && block->isDirect() && nonNegative(block->offset) && llvm::all_of(block->strides, nonNegative))
      return block;
    return std::nullopt;
  }
  return std::nullopt;
}

/// An elementwise operation of integers whose operands are each one number in
/// all elements is that operation on scalars.
std::optional<AffineBlock> PtrAnalysis::analyzeUniform(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isInteger() || !OpTrait::hasElementwiseMappableTraits(op) ||
      !isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    std::optional<AffineBlock> block = analyze(operand);
    Type element = getElementTypeOrSelf(operand.getType());
    if (!block || block->base || !block->isUniform() || !element.isInteger())
      return std::nullopt;
    scalars.push_back(fromIndex(block->offset, element, op->getLoc()));
  }
  Operation *scalar = builder.create(op->getLoc(), op->getName().getIdentifier(), scalars,
                                     type.getElementType(), op->getAttrs());
  return AffineBlock{{}, toIndex(scalar->getResult(0)), SmallVector<OpFoldResult>(type.getRank(), number(0))};
}

std::optional<AffineBlock> PtrAnalysis::analyzeShape(Operation *op) {
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return AffineBlock{{}, number(range.getStart()), {number(1)}};
  if (auto splat = dyn_cast<tt::SplatOp>(op)) {
    std::optional<AffineBlock> block = analyzeScalar(splat.getSrc());
    if (!block)
      return std::nullopt;
    return AffineBlock(block->base, block->offset, SmallVector<OpFoldResult>(rankOf(splat), number(0)));
  }
  if (auto cast = dyn_cast<tt::BitcastOp>(op))
    return keepsElementSize(cast) ? analyze(cast.getSrc()) : std::nullopt;
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    std::optional<AffineBlock> block = analyze(expand.getSrc());
    if (!block)
      return std::nullopt;
    block->strides.insert(block->strides.begin() + expand.getAxis(), number(0));
    block->indices.insert(block->indices.begin() + expand.getAxis(), DimIndex());
    return block;
  }
  if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
    std::optional<AffineBlock> block = analyze(broadcast.getSrc());
    if (!block)
      return std::nullopt;
    auto from = cast<RankedTensorType>(broadcast.getSrc().getType());
    for (auto [dim, size] : llvm::enumerate(from.getShape())) {
      if (size != 1)
        continue;
      block->strides[dim] = number(0);
      if (Value only = block->indices[dim].numbers)
        block->offset = add(block->offset, toIndex(tt::UnsplatOp::create(builder, op->getLoc(), only)));
      block->indices[dim] = {};
    }
    return block;
  }
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return analyzeReshape(reshape);
  if (auto transpose = dyn_cast<tt::TransOp>(op)) {
    std::optional<AffineBlock> block = analyze(transpose.getSrc());
    if (!block)
      return std::nullopt;
    AffineBlock result = *block;
    for (auto [to, from] : llvm::enumerate(transpose.getOrder())) {
      result.strides[to] = block->strides[from];
      result.indices[to] = block->indices[from];
    }
    return result;
  }
  return std::nullopt;
}

/// Pointers or integers of which a condition of the whole block picks one kind.
std::optional<AffineBlock> PtrAnalysis::analyzeSelect(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return std::nullopt;
  Value condition = select.getCondition();
  if (auto splat = condition.getDefiningOp<tt::SplatOp>())
    condition = splat.getSrc();
  if (isa<RankedTensorType>(condition.getType()))
    return std::nullopt;
  std::optional<AffineBlock> a = analyze(select.getTrueValue()), b = analyze(select.getFalseValue());
  if (!a || !b || !a->isDirect() || !b->isDirect())
    return std::nullopt;
  AffineBlock result = *a;
  if (a->base != b->base)
    result.base = arith::SelectOp::create(builder, op->getLoc(), condition, a->base, b->base);
  result.offset = pick(condition, a->offset, b->offset);
  for (auto [dim, x, y] : llvm::enumerate(a->strides, b->strides))
    result.strides[dim] = pick(condition, x, y);
  return result;
}

/// A line takes any shape; of other blocks only dimensions of size 1 come and go.
std::optional<AffineBlock> PtrAnalysis::analyzeReshape(tt::ReshapeOp reshape) {
  ArrayRef<int64_t> from = cast<RankedTensorType>(reshape.getSrc().getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(reshape.getType()).getShape();
  if (reshape.getAllowReorder())
    return std::nullopt;
  std::optional<AffineBlock> block = analyze(reshape.getSrc());
  if (!block)
    return std::nullopt;
  AffineBlock result(block->base, block->offset, SmallVector<OpFoldResult>(to.size(), number(0)));
  if (from.size() == 1 && block->isDirect()) {
    int64_t inner = 1;
    for (int64_t dim = to.size() - 1; dim >= 0; --dim) {
      result.strides[dim] = mul(block->strides[0], number(inner));
      inner *= to[dim];
    }
    return result;
  }
  size_t next = 0;
  for (auto [dim, size] : llvm::enumerate(from)) {
    if (size == 1) {
      if (block->indices[dim])
        return std::nullopt;
      continue; // its only position adds nothing
    }
    while (next < to.size() && to[next] == 1)
      ++next;
    if (next == to.size() || to[next] != size)
      return std::nullopt;
    result.strides[next] = block->strides[dim];
    result.indices[next++] = block->indices[dim];
  }
  return result;
}

std::optional<AffineBlock> PtrAnalysis::analyze(Value value) {
  if (auto block = memo.find(value); block != memo.end())
    return block->second;
  std::optional<AffineBlock> result =
      isa<RankedTensorType>(value.getType()) ? analyzeTensor(value) : analyzeScalar(value);
  memo.insert({value, result});
  return result;
}

std::optional<AffineBlock> PtrAnalysis::analyzeTensor(Value value) {
  if (auto block = known.find(value); block != known.end())
    return block->second;
  if (Operation *op = value.getDefiningOp()) {
    if (std::optional<AffineBlock> block = analyzeConstant(value))
      return block;
    if (std::optional<AffineBlock> block = analyzeShape(op))
      return block;
    if (std::optional<AffineBlock> block = analyzeArith(op))
      return block;
    if (std::optional<AffineBlock> block = analyzeSelect(op))
      return block;
    if (std::optional<AffineBlock> block = analyzeUniform(op))
      return block;
    if (std::optional<AffineBlock> block = analyzeDivision(op))
      return block;
  }
  if (std::optional<AffineBlock> block = analyzeOpaque(value))
    return block;
  if (Operation *op = value.getDefiningOp())
    return analyzeAlongOneDim(op);
  return std::nullopt;
}
