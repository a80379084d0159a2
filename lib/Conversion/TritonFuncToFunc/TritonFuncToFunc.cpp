// SPDX-License-Identifier: MIT
#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/RegionUtils.h"

namespace flagtree {
#define GEN_PASS_DEF_CONVERTTRITONFUNCTOFUNC
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

/// The ids of the program and the sizes of the grid, three axes each.
constexpr unsigned gridArguments = 6;

class FunctionConverter {
public:
  explicit FunctionConverter(tt::FuncOp function) : function(function), builder(function) {}

  void run() {
    Type i32 = builder.getI32Type();
    if (function.isPublic() && !function.isExternal())
      expandDescriptors();
    FunctionType type = function.getFunctionType();
    SmallVector<Type> inputs(type.getInputs());
    inputs.append(gridArguments, i32);
    auto converted = func::FuncOp::create(builder, function.getLoc(), function.getName(),
                                          builder.getFunctionType(inputs, type.getResults()));
    converted.setVisibility(function.getVisibility());
    converted.getBody().takeBody(function.getBody());
    if (!converted.isExternal()) {
      for (unsigned i = 0; i < gridArguments; ++i)
        grid.push_back(converted.getBody().addArgument(i32, function.getLoc()));
      converted.walk([&](Operation *op) { convert(op); });
    }
    function.erase();
  }

private:
  /// A descriptor that the host made arrives as its base, shape, strides and
  /// whether what lies outside of the shape reads as NaN.
  void expandDescriptors() {
    Block &entry = function.getBody().front();
    Location loc = function.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&entry);
    for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
      BlockArgument argument = entry.getArgument(i);
      auto type = dyn_cast<tt::TensorDescType>(argument.getType());
      if (!type)
        continue;
      unsigned next = i + 1;
      auto add = [&](Type type) -> Value { return entry.insertArgument(next++, type, loc); };
      SmallVector<Value> shape, strides;
      Value base = add(tt::PointerType::get(type.getSignlessBlockType().getElementType(), 1));
      for (int64_t dim = 0, rank = type.getShape().size(); dim < rank; ++dim)
        shape.push_back(add(builder.getI64Type()));
      for (size_t dim = 0; dim < shape.size(); ++dim)
        strides.push_back(add(builder.getI64Type()));
      Value padsNaN = add(builder.getI1Type());
      for (Value &size : shape)
        size = arith::TruncIOp::create(builder, loc, builder.getI32Type(), size);
      auto make = [&](tt::PaddingOption padding) -> Value {
        return tt::MakeTensorDescOp::create(builder, loc, type, base, shape, strides, padding);
      };
      Value zeros = make(tt::PaddingOption::Zero);
      // Only floats have a NaN.
      Value descriptor =
          isa<FloatType>(type.getElementType())
              ? arith::SelectOp::create(builder, loc, padsNaN, make(tt::PaddingOption::NaN), zeros)
                    .getResult()
              : zeros;
      argument.replaceAllUsesWith(descriptor);
      entry.eraseArgument(i);
      i = next - 2;
    }
    function.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), function.getResultTypes()));
  }

  void convert(Operation *op) {
    builder.setInsertionPoint(op);
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
      replace(op, grid[id.getAxisAsInt()]);
    } else if (auto size = dyn_cast<tt::GetNumProgramsOp>(op)) {
      replace(op, grid[3 + size.getAxisAsInt()]);
    } else if (isa<tt::ReturnOp>(op)) {
      func::ReturnOp::create(builder, op->getLoc(), op->getOperands());
      op->erase();
    } else if (auto call = dyn_cast<tt::CallOp>(op)) {
      SmallVector<Value> operands(call->getOperands());
      operands.append(grid);
      auto converted =
          func::CallOp::create(builder, op->getLoc(), call.getCallee(), call->getResultTypes(), operands);
      op->replaceAllUsesWith(converted.getResults());
      op->erase();
    }
  }

  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  tt::FuncOp function;
  OpBuilder builder;
  SmallVector<Value> grid;
};

struct ConvertTritonFuncToFunc : flagtree::impl::ConvertTritonFuncToFuncBase<ConvertTritonFuncToFunc> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<tt::FuncOp>()))
      FunctionConverter(function).run();
    // The front end leaves a block behind each early return, which nothing reaches.
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  }
};

} // namespace
