// SPDX-License-Identifier: MIT
// How compiled kernels call the host that runs them.
#ifndef FLAGTREE_CONVERSION_HOSTCALLS_H
#define FLAGTREE_CONVERSION_HOSTCALLS_H

#include "flagtree/Runtime/KernelContext.h"

#include "mlir/IR/Builders.h"

namespace flagtree {

/// Name of the function without a body that stands for the context of the
/// launch until the kernel gets its entry.
inline constexpr llvm::StringLiteral kContextFunction = "flagtree_context";

/// The context of the launch. The insertion point lies in a module that nobody
/// else changes.
mlir::Value hostContext(mlir::OpBuilder &builder, mlir::Location loc);

/// Calls a function of the host with the context and `operands`; null when
/// `result` is.
mlir::Value callHost(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value context, HostFunction function,
                     mlir::ValueRange operands, mlir::Type result);

} // namespace flagtree

#endif // FLAGTREE_CONVERSION_HOSTCALLS_H
