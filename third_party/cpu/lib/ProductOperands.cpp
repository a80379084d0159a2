// SPDX-License-Identifier: MIT
#include "ProductOperands.h"

using namespace mlir;
using namespace flagtree;

bool flagtree::cpu::collectBlocks(Value value, Blocks &blocks) {
  if (!value.hasOneUse())
    return false;
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<flir::LoadOp>(op)) {
    blocks.loads.push_back(load);
    return load.getRank() == 2;
  }
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  if (!branch || branch.getNumResults() != 1 || branch.getElseRegion().empty())
    return false;
  blocks.branches.push_back(branch);
  for (Block *body : {branch.thenBlock(), branch.elseBlock()}) {
    if (!collectBlocks(body->getTerminator()->getOperand(0), blocks))
      return false;
    for (Operation &inner : body->without_terminator())
      if (!blocks.holds(&inner) && !isPure(&inner))
        return false;
  }
  return true;
}
