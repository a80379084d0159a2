// SPDX-License-Identifier: MIT
#include "flagtree/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinOps.h"

namespace flagtree {
#define GEN_PASS_DEF_FLIRSETHARDWARE
#include "flagtree/Transforms/Passes.h.inc"
} // namespace flagtree

using namespace mlir;

namespace {

struct FLIRSetHardware : flagtree::impl::FLIRSetHardwareBase<FLIRSetHardware> {
  using FLIRSetHardwareBase::FLIRSetHardwareBase;

  /// Once a pass, however many modules it runs on.
  LogicalResult initialize(MLIRContext *context) override {
    parsed = dyn_cast_or_null<TargetSystemSpecAttr>(parseAttribute(spec, context));
    if (parsed)
      return success();
    return emitError(UnknownLoc::get(context))
           << "flir-set-hardware wants spec={#dlti.target_system_spec<…>}, not '" << spec << "'";
  }

  void runOnOperation() override { getOperation()->setAttr(DLTIDialect::kTargetSystemDescAttrName, parsed); }

private:
  TargetSystemSpecAttr parsed;
};

} // namespace
