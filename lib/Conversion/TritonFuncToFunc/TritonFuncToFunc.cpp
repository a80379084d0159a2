// SPDX-License-Identifier: MIT
#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

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
  }
};

} // namespace
