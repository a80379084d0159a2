// SPDX-License-Identifier: MIT
// A region that is run on each element: an elementwise operation where all of
// it may be computed at once, else a loop over the elements.
#include "Patterns.h"

#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace flagtree;

/// Operations without effects and regions. Integer division counts as one: it
/// never traps here.
static bool isPlain(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect, ub::UBDialect>(op->getDialect()) &&
         op->getNumRegions() == 0;
}

static bool isPlain(Region &region) {
  return llvm::all_of(region.front().without_terminator(), [](Operation &op) { return isPlain(&op); });
}

/// Computes both sides of branches and selects, innermost ones first.
static void flattenBranches(Block &block) {
  SmallVector<scf::IfOp> branches;
  block.walk([&](scf::IfOp branch) { branches.push_back(branch); });
  IRRewriter rewriter(block.getParentOp()->getContext());
  for (scf::IfOp branch : branches) {
    bool hasElse = !branch.getElseRegion().empty();
    if (!isPlain(branch.getThenRegion()) || (hasElse && !isPlain(branch.getElseRegion())))
      continue;
    if (branch.getNumResults() == 0) {
      rewriter.eraseOp(branch); // whatever is in there has no effect
      continue;
    }
    SmallVector<Value> yes(branch.thenYield().getOperands()), no(branch.elseYield().getOperands());
    for (Block *side : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : llvm::make_early_inc_range(side->without_terminator()))
        rewriter.moveOpBefore(&op, branch);
    rewriter.setInsertionPoint(branch);
    SmallVector<Value> chosen;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      chosen.push_back(arith::SelectOp::create(rewriter, branch.getLoc(), branch.getCondition(), a, b));
    rewriter.replaceOp(branch, chosen);
  }
}

void flagtree::flattenMaps(func::FuncOp function) {
  function.walk([](tt::MapElementwiseOp map) {
    if (map.getScalarOp().hasOneBlock())
      flattenBranches(map.getScalarOp().front());
  });
}

namespace {

struct ConvertMap : OpConversionPattern<tt::MapElementwiseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tt::MapElementwiseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Region &region = op.getScalarOp();
    if (!region.hasOneBlock() || !llvm::all_of(op.getResultTypes(), [](Type type) {
          return cast<RankedTensorType>(type).getElementType().isIntOrFloat();
        }))
      return rewriter.notifyMatchFailure(op, "control flow that is not structured, or pointers");
    if (op.getPack() == 1 && isPlain(region))
      elementwise(op, adaptor.getSrcs(), rewriter);
    else
      loop(op, adaptor.getSrcs(), rewriter);
    return success();
  }

private:
  static Value empty(OpBuilder &b, Location loc, Type type) {
    auto shaped = cast<RankedTensorType>(type);
    return tensor::EmptyOp::create(b, loc, shaped.getShape(), shaped.getElementType());
  }

  /// The region's operations on `arguments`; what it gives.
  static SmallVector<Value> run(OpBuilder &b, Region &region, ValueRange arguments) {
    IRMapping map;
    map.map(region.getArguments(), arguments);
    for (Operation &op : region.front().without_terminator())
      b.clone(op, map);
    SmallVector<Value> results;
    for (Value value : region.front().getTerminator()->getOperands())
      results.push_back(map.lookupOrDefault(value));
    return results;
  }

  static void elementwise(tt::MapElementwiseOp op, ValueRange sources, ConversionPatternRewriter &rewriter) {
    SmallVector<Value> inits;
    for (Type type : op.getResultTypes())
      inits.push_back(empty(rewriter, op.getLoc(), type));
    unsigned rank = cast<RankedTensorType>(op.getResultTypes()[0]).getRank();
    SmallVector<AffineMap> maps(sources.size() + inits.size(), rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op.getResultTypes(), sources, inits, maps, loops,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(b, loc, run(b, op.getScalarOp(), args.take_front(sources.size())));
        });
  }

  static RankedTensorType flatType(Type type) {
    auto shaped = cast<RankedTensorType>(type);
    return RankedTensorType::get({shaped.getNumElements()}, shaped.getElementType());
  }

  static SmallVector<ReassociationIndices> allDims(Type type) {
    auto dims = llvm::seq<int64_t>(0, cast<RankedTensorType>(type).getRank());
    return {ReassociationIndices(dims.begin(), dims.end())};
  }

  /// One `pack` of elements after the other, in row-major order.
  static void loop(tt::MapElementwiseOp op, ValueRange sources, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    int64_t pack = op.getPack();
    SmallVector<Value> flat, inits;
    for (Value source : sources) {
      if (cast<RankedTensorType>(source.getType()).getRank() > 1)
        source = tensor::CollapseShapeOp::create(rewriter, loc, source, allDims(source.getType()));
      flat.push_back(source);
    }
    for (Type type : op.getResultTypes())
      inits.push_back(empty(rewriter, loc, flatType(type)));
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    int64_t elements = cast<RankedTensorType>(flat[0].getType()).getNumElements();
    auto loop = scf::ForOp::create(rewriter, loc, index(0), index(elements), index(pack), inits);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> positions, arguments;
    for (int64_t lane = 0; lane < pack; ++lane)
      positions.push_back(arith::AddIOp::create(rewriter, loc, loop.getInductionVar(), index(lane)));
    for (Value source : flat)
      for (Value position : positions)
        arguments.push_back(tensor::ExtractOp::create(rewriter, loc, source, position));
    SmallVector<Value> values = run(rewriter, op.getScalarOp(), arguments);
    SmallVector<Value> carried(loop.getRegionIterArgs());
    for (auto [number, value] : llvm::enumerate(values)) {
      Value &result = carried[number / pack];
      result = tensor::InsertOp::create(rewriter, loc, value, result, positions[number % pack]);
    }
    scf::YieldOp::create(rewriter, loc, carried);
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results;
    for (auto [flatResult, type] : llvm::zip_equal(loop.getResults(), op.getResultTypes())) {
      Value value = flatResult;
      if (value.getType() != type)
        value = tensor::ExpandShapeOp::create(rewriter, loc, type, value, allDims(type));
      results.push_back(value);
    }
    rewriter.replaceOp(op, results);
  }
};

} // namespace

void flagtree::populateMapPatterns(TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvertMap>(types, patterns.getContext());
}
