// SPDX-License-Identifier: MIT
#include "flagtree/Support/Hardware.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace flagtree;

Hardware::Hardware(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto system = module ? dyn_cast_or_null<TargetSystemSpecInterface>(module.getTargetSystemSpec())
                       : TargetSystemSpecInterface();
  // A module is code of one device.
  if (system && !system.getEntries().empty())
    device = system.getEntries().front().getValue();
}

Attribute Hardware::query(ArrayRef<StringRef> path) const {
  Attribute found = device;
  for (StringRef key : path) {
    auto queried = dyn_cast_or_null<DLTIQueryInterface>(found);
    FailureOr<Attribute> next =
        queried ? queried.query(StringAttr::get(found.getContext(), key)) : FailureOr<Attribute>(failure());
    if (failed(next))
      return {};
    found = *next;
  }
  return found;
}

int64_t Hardware::number(ArrayRef<StringRef> path, int64_t otherwise) const {
  auto found = dyn_cast_or_null<IntegerAttr>(query(path));
  return found ? found.getInt() : otherwise;
}
