// SPDX-License-Identifier: MIT
// Runs passes over IR text; the driver of the lit tests.
#include "flagtree/Support/Registry.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  flagtree::registerAllDialects(registry);
  flagtree::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "FlagTree's optimiser driver\n", registry));
}
