// SPDX-License-Identifier: MIT
// Reductions and scans. A reduction of one source with one operation that has a
// neutral element becomes linalg's; all others FLIR's.
#include "Patterns.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace flagtree;

/// The single operation between the block's arguments and its terminator.
static Operation *singleCombiner(Block &body) {
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return nullptr;
  Operation *combiner = &body.front();
  auto arguments = body.getArguments();
  bool combinesBoth = combiner->getNumOperands() == 2 && combiner->getNumResults() == 1 &&
                      llvm::is_contained(combiner->getOperands(), arguments[0]) &&
                      llvm::is_contained(combiner->getOperands(), arguments[1]);
  return combinesBoth && body.getTerminator()->getOperand(0) == combiner->getResult(0) ? combiner : nullptr;
}

static TypedAttr identityOf(tt::ReduceOp reduce) {
  Operation *combiner = singleCombiner(reduce.getCombineOp().front());
  return combiner ? arith::getNeutralElement(combiner).value_or(TypedAttr()) : TypedAttr();
}

static bool isFlat(Region &combiner) {
  return combiner.hasOneBlock() && llvm::all_of(combiner.front().without_terminator(), [](Operation &op) {
           if (auto branch = dyn_cast<scf::IfOp>(op))
             return !branch.getElseRegion().empty() && isFlat(branch.getThenRegion()) &&
                    isFlat(branch.getElseRegion());
           return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
         });
}

bool flagtree::canCombine(Operation *op) {
  return isFlat(op->getRegion(0)) && llvm::none_of(op->getOperandTypes(), [](Type type) {
           return isa<tt::PointerType>(getElementTypeOrSelf(type));
         });
}

/// Both sides of a branch and a choice between their values: neither has an
/// effect, and vectors of elements cannot branch.
static void flattenBranches(Block &body) {
  for (auto branch : llvm::make_early_inc_range(body.getOps<scf::IfOp>())) {
    SmallVector<Value> sides[2];
    for (auto [region, values] : llvm::zip_equal(branch->getRegions(), sides)) {
      flattenBranches(region.front());
      Operation *yield = region.front().getTerminator();
      values = llvm::to_vector(yield->getOperands());
      yield->erase();
      body.getOperations().splice(branch->getIterator(), region.front().getOperations());
    }
    OpBuilder b(branch);
    for (auto [result, yes, no] : llvm::zip_equal(branch.getResults(), sides[0], sides[1]))
      result.replaceAllUsesWith(
          arith::SelectOp::create(b, branch.getLoc(), branch.getCondition(), yes, no).getResult());
    branch->erase();
  }
}

namespace {

struct ConvertReduce : OpConversionPattern<tt::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypedAttr identity = identityOf(op);
    if (!identity)
      return failure();
    Location loc = op.getLoc();
    Operation *combiner = singleCombiner(op.getCombineOp().front());
    Value source = adaptor.getSrcs()[0];
    auto from = cast<RankedTensorType>(source.getType());
    Type narrow = from.getElementType(), element = narrow;
    // Sums of 16 bits stop growing after 256 or 2,048 ones: one rounding, at the end.
    if (isa<Float16Type, BFloat16Type>(narrow) && isa<arith::AddFOp, arith::MulFOp>(combiner)) {
      element = rewriter.getF32Type();
      source = arith::ExtFOp::create(rewriter, loc, from.clone(element), source);
      identity = rewriter.getF32FloatAttr(isa<arith::AddFOp>(combiner) ? 0.0f : 1.0f);
    }
    SmallVector<int64_t> shape(from.getShape());
    shape.erase(shape.begin() + op.getAxis());
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, element);
    Value neutral = arith::ConstantOp::create(rewriter, loc, identity);
    Value start = linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
    auto reduce = linalg::ReduceOp::create(
        rewriter, loc, ValueRange{source}, ValueRange{start}, SmallVector<int64_t>{op.getAxis()},
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Operation *combined =
              b.create(loc, combiner->getName().getIdentifier(), args, element, combiner->getAttrs());
          linalg::YieldOp::create(b, loc, combined->getResults());
        });
    Value result = reduce.getResult(0);
    if (element != narrow)
      result = arith::TruncFOp::create(rewriter, loc, RankedTensorType::get(shape, narrow), result);
    if (!isa<RankedTensorType>(op.getType(0)))
      result = tensor::ExtractOp::create(rewriter, loc, result, ValueRange{});
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Moves the combine region and gives it FLIR's terminator.
void moveCombiner(ConversionPatternRewriter &rewriter, Region &from, Region &to) {
  rewriter.inlineRegionBefore(from, to, to.end());
  Operation *end = to.front().getTerminator();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(end);
  rewriter.replaceOpWithNewOp<flir::YieldOp>(end, end->getOperands());
}

/// The wide type of a short float; other types as they are.
Type widened(Type type) {
  return isa<Float16Type, BFloat16Type>(type) ? Float32Type::get(type.getContext()) : type;
}

/// True when each operation of the body means the same, only more exactly, on fp32.
bool canWiden(Block &body) {
  return llvm::all_of(body, [](Operation &op) {
    bool isShort = llvm::any_of(op.getOperandTypes(), [](Type type) { return widened(type) != type; }) ||
                   llvm::any_of(op.getResultTypes(), [](Type type) { return widened(type) != type; });
    return !isShort || op.hasTrait<OpTrait::IsTerminator>() ||
           isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
               arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp, arith::SelectOp,
               arith::ExtFOp, arith::TruncFOp, arith::ConstantOp, math::AbsFOp>(op);
  });
}

/// Lets a combiner of short floats work on fp32, which processors have and which rounds once.
void widenBody(Block &body) {
  for (BlockArgument argument : body.getArguments())
    argument.setType(widened(argument.getType()));
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        constant.setValueAttr(FloatAttr::get(widened(number.getType()), number.getValueAsDouble()));
    }
    for (Value result : op.getResults())
      result.setType(widened(result.getType()));
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) && op.getOperand(0).getType() == op.getResult(0).getType()) {
      op.getResult(0).replaceAllUsesWith(op.getOperand(0));
      op.erase();
    }
  }
}

/// `values` with the element types of the tensors `types`, converted where they differ.
SmallVector<Value> convertFloats(OpBuilder &b, Location loc, ValueRange values, TypeRange types) {
  SmallVector<Value> result;
  for (auto [value, like] : llvm::zip_equal(values, types)) {
    Type type = cast<RankedTensorType>(value.getType()).clone(getElementTypeOrSelf(like));
    if (value.getType() == type)
      result.push_back(value);
    else if (getElementTypeOrSelf(type).isF32())
      result.push_back(arith::ExtFOp::create(b, loc, type, value));
    else
      result.push_back(arith::TruncFOp::create(b, loc, type, value));
  }
  return result;
}

SmallVector<Type> widenedTypes(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) -> Type {
    return cast<RankedTensorType>(type).clone(widened(getElementTypeOrSelf(type)));
  });
}

struct ConvertGeneralReduce : OpConversionPattern<tt::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (identityOf(op))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> sources(adaptor.getSrcs());
    bool wide = canWiden(op.getCombineOp().front());
    if (wide)
      sources = convertFloats(rewriter, loc, sources, widenedTypes(op.getSrcs().getTypes()));
    auto reduce = flir::ReduceOp::create(rewriter, loc, sources, op.getAxis());
    moveCombiner(rewriter, op.getCombineOp(), reduce.getCombiner());
    if (wide)
      widenBody(reduce.getCombiner().front());
    SmallVector<Value> results = convertFloats(rewriter, loc, reduce.getResults(), op.getSrcs().getTypes());
    for (auto [result, type] : llvm::zip_equal(results, op.getResultTypes()))
      if (!isa<RankedTensorType>(type))
        result = tensor::ExtractOp::create(rewriter, op.getLoc(), result, ValueRange{});
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertScan : OpConversionPattern<tt::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> sources(adaptor.getSrcs());
    bool wide = canWiden(op.getCombineOp().front());
    if (wide)
      sources = convertFloats(rewriter, loc, sources, widenedTypes(op.getSrcs().getTypes()));
    auto scan = flir::ScanOp::create(rewriter, loc, sources, op.getAxis(), op.getReverse());
    moveCombiner(rewriter, op.getCombineOp(), scan.getCombiner());
    if (wide)
      widenBody(scan.getCombiner().front());
    rewriter.replaceOp(op, convertFloats(rewriter, loc, scan.getResults(), op.getSrcs().getTypes()));
    return success();
  }
};

} // namespace

void flagtree::flattenCombiners(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<tt::ReduceOp, tt::ScanOp>(op))
      flattenBranches(op->getRegion(0).front());
  });
}

void flagtree::populateReducePatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertGeneralReduce, ConvertScan>(types, patterns.getContext());
}
