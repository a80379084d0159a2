// SPDX-License-Identifier: MIT
// Process-wide state behind the C interface and the bridge for diagnostics.
#ifndef FLAGTREE_LIB_CAPI_CONTEXT_H
#define FLAGTREE_LIB_CAPI_CONTEXT_H

#include "flagtree-c/Compiler.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace flagtree::capi {

/// The one context of the process, made at the first call.
mlir::MLIRContext &context();
/// The registry that `context()` is made from; for plugins, before the first use.
mlir::DialectRegistry &registry();

/// Hands MLIR's diagnostics of the calling thread to a C callback while alive.
class DiagnosticScope {
public:
  explicit DiagnosticScope(FlagTreeDiagnostics out);
  void error(const llvm::Twine &message);
  /// Reports `fallback` unless an error has been reported already.
  void ensureError(const llvm::Twine &fallback);

private:
  void forward(mlir::Diagnostic &diagnostic);
  void send(FlagTreeSeverity severity, mlir::FileLineColLoc place, const std::string &message);

  FlagTreeDiagnostics out;
  uint64_t thread;
  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace flagtree::capi

#endif // FLAGTREE_LIB_CAPI_CONTEXT_H
