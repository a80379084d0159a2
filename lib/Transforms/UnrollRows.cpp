// SPDX-License-Identifier: MIT
#include "Rows.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRUNROLLROWS
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

RowLayout::RowLayout(VectorType type) : rowDim(type.getRank() - 1) {
  ArrayRef<int64_t> shape = type.getShape();
  while (rowDim > 0 && shape[rowDim] == 1)
    --rowDim;
  rowType = VectorType::get(shape[rowDim], type.getElementType());
  ArrayRef<int64_t> leading = shape.take_front(rowDim);
  SmallVector<int64_t> strides = computeStrides(leading);
  for (int64_t row = 0, count = computeProduct(leading); row < count; ++row) {
    positions.push_back(delinearize(row, strides));
    positions.back().resize(shape.size(), 0);
  }
}

namespace {

class RowUnroller : public RowSource {
public:
  explicit RowUnroller(MLIRContext *context) : context(context) {}

  void run(Region &region) {
    unrollRegion(region);
    for (Operation *op : dead)
      op->dropAllReferences();
    for (Operation *op : llvm::reverse(dead)) {
      op->dropAllUses();
      op->erase();
    }
  }

  /// Where nothing is known of the rows they are taken out of the vector.
  RowList rows(OpBuilder &, Value vector) override {
    auto found = known.find(vector);
    if (found != known.end())
      return found->second;
    OpBuilder b(context);
    b.setInsertionPointAfterValue(vector);
    RowLayout layout(cast<VectorType>(vector.getType()));
    Location loc = vector.getLoc();
    SmallVector<int64_t> shape{layout.count(), layout.rowType.getNumElements()};
    Value matrix = vector;
    auto type = VectorType::get(shape, layout.rowType.getElementType());
    if (vector.getType() != type)
      matrix = vector::ShapeCastOp::create(b, loc, type, vector);
    RowList result;
    for (int64_t row = 0; row < layout.count(); ++row)
      result.push_back(vector::ExtractOp::create(b, loc, matrix, row));
    return known[vector] = result;
  }

private:
  /// A vector from its rows, for an operation that wants it whole.
  Value whole(OpBuilder &b, Value vector) {
    auto found = known.find(vector);
    if (found == known.end())
      return vector;
    Location loc = vector.getLoc();
    RowLayout layout(cast<VectorType>(vector.getType()));
    auto type =
        VectorType::get({layout.count(), layout.rowType.getNumElements()}, layout.rowType.getElementType());
    Value matrix = ub::PoisonOp::create(b, loc, type);
    for (auto [position, row] : llvm::enumerate(found->second))
      matrix = vector::InsertOp::create(b, loc, row, matrix, static_cast<int64_t>(position));
    return type == vector.getType() ? matrix : vector::ShapeCastOp::create(b, loc, vector.getType(), matrix);
  }

  void unrollRegion(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        unroll(&op);
  }

  static bool anyRows(TypeRange types) { return llvm::any_of(types, hasRows); }

  void unroll(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && anyRows(loop.getResultTypes()))
      return unrollLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && anyRows(branch.getResultTypes()))
      return unrollBranch(branch);
    for (Region &region : op->getRegions())
      unrollRegion(region);
    if (!anyRows(op->getOperandTypes()) && !anyRows(op->getResultTypes()))
      return;
    OpBuilder b(op);
    std::optional<RowList> result = unrollOperation(b, op, *this);
    if (!result) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(whole(b, operand.get()));
      return;
    }
    if (op->getNumResults() == 1 && hasRows(op->getResult(0).getType()))
      known[op->getResult(0)] = *result;
    else if (op->getNumResults() == 1)
      op->getResult(0).replaceAllUsesWith(result->front());
    dead.push_back(op);
  }

  //===--- values that loops and branches give -------------------------------===//

  SmallVector<Value> expand(OpBuilder &b, ValueRange values) {
    SmallVector<Value> expanded;
    for (Value value : values) {
      if (hasRows(value.getType()))
        llvm::append_range(expanded, rows(b, value));
      else
        expanded.push_back(value);
    }
    return expanded;
  }

  static SmallVector<Type> expand(TypeRange types) {
    SmallVector<Type> expanded;
    for (Type type : types) {
      if (!hasRows(type)) {
        expanded.push_back(type);
        continue;
      }
      RowLayout layout(cast<VectorType>(type));
      expanded.append(layout.count(), layout.rowType);
    }
    return expanded;
  }

  /// Lets `values` take the place of `old`, of which some are rows now.
  void replace(ValueRange old, ValueRange values) {
    for (Value value : old) {
      size_t count = 1;
      if (hasRows(value.getType())) {
        count = RowLayout(cast<VectorType>(value.getType())).count();
        known[value] = RowList(values.take_front(count));
      } else {
        value.replaceAllUsesWith(values.front());
      }
      values = values.drop_front(count);
    }
  }

  /// Moves the body over and processes it; the terminator gives rows.
  void moveBody(Block &from, Block &to) {
    to.getOperations().splice(to.end(), from.getOperations());
    for (Operation &op : llvm::make_early_inc_range(to.without_terminator()))
      unroll(&op);
    Operation *terminator = to.getTerminator();
    OpBuilder b(terminator);
    terminator->setOperands(expand(b, terminator->getOperands()));
  }

  void unrollLoop(scf::ForOp loop) {
    OpBuilder b(loop);
    auto unrolled = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                       loop.getStep(), expand(b, loop.getInitArgs()));
    unrolled->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    replace(loop.getBody()->getArguments(), unrolled.getBody()->getArguments());
    moveBody(*loop.getBody(), *unrolled.getBody());
    replace(loop.getResults(), unrolled.getResults());
    dead.push_back(loop);
  }

  void unrollBranch(scf::IfOp branch) {
    OpBuilder b(branch);
    auto unrolled = scf::IfOp::create(b, branch.getLoc(), expand(branch.getResultTypes()),
                                      branch.getCondition(), /*addThenBlock=*/true, /*addElseBlock=*/true);
    moveBody(*branch.thenBlock(), *unrolled.thenBlock());
    moveBody(*branch.elseBlock(), *unrolled.elseBlock());
    replace(branch.getResults(), unrolled.getResults());
    dead.push_back(branch);
  }

  MLIRContext *context;
  DenseMap<Value, RowList> known;
  SmallVector<Operation *> dead;
};

struct FLIRUnrollRows : flagtree::impl::FLIRUnrollRowsBase<FLIRUnrollRows> {
  void runOnOperation() override { RowUnroller(&getContext()).run(getOperation().getBody()); }
};

} // namespace
