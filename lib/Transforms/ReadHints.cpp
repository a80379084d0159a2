// SPDX-License-Identifier: MIT
#include "flagtree/Hints/Backup.h"
#include "flagtree/Hints/Hints.h"
#include "flagtree/Transforms/Passes.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRREADHINTS
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

struct FLIRReadHints : flagtree::impl::FLIRReadHintsBase<FLIRReadHints> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    function.walk([&](Operation *op) {
      auto text = dyn_cast_or_null<StringAttr>(op->removeDiscardableAttr(hints::textAttr));
      if (!text)
        return;
      SmallVector<Attribute> found;
      for (const hints::ReadHint &each : hints::readHints(&getContext(), text.getValue())) {
        if (each.hint)
          found.push_back(each.hint);
        else
          hints::note(function, getArgument(), op->getLoc(), each.text,
                      {hints::Outcome::Failed, "malformed: " + each.problem});
      }
      if (!found.empty())
        op->setDiscardableAttr(hints::hintsAttr, ArrayAttr::get(&getContext(), found));
    });
  }
};

} // namespace
