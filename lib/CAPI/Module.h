// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_CAPI_MODULE_H
#define FLAGTREE_LIB_CAPI_MODULE_H

#include "flagtree-c/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

struct FlagTreeModule {
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

#endif // FLAGTREE_LIB_CAPI_MODULE_H
