// SPDX-License-Identifier: MIT
#include "Context.h"

#include "flagtree/Support/Registry.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Threading.h"

using namespace mlir;

namespace flagtree::capi {

DialectRegistry &registry() {
  static DialectRegistry registry = [] {
    DialectRegistry r;
    registerAllDialects(r);
    return r;
  }();
  return registry;
}

// Never destroyed: kernels may be compiled by threads that outlive main().
MLIRContext &context() {
  static MLIRContext *context = [] {
    registerAllPasses();
    auto *c = new MLIRContext(registry());
    c->loadAllAvailableDialects();
    c->printOpOnDiagnostic(false);
    return c;
  }();
  return *context;
}

static FlagTreeSeverity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return FlagTreeNote;
  case DiagnosticSeverity::Remark:
    return FlagTreeRemark;
  case DiagnosticSeverity::Warning:
    return FlagTreeWarning;
  case DiagnosticSeverity::Error:
    return FlagTreeError;
  }
  return FlagTreeError;
}

/// The innermost place in a file that a location leads to.
static FileLineColLoc fileOf(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location inner) {
    if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

DiagnosticScope::DiagnosticScope(FlagTreeDiagnostics out)
    : out(out), thread(llvm::get_threadid()), handler(&context(), [this](Diagnostic &diagnostic) {
        // Handlers are shared by the context: leave other threads' alone.
        if (llvm::get_threadid() != thread)
          return failure();
        forward(diagnostic);
        return success();
      }) {}

void DiagnosticScope::forward(Diagnostic &diagnostic) {
  FileLineColLoc place = fileOf(diagnostic.getLocation());
  std::string file = place ? place.getFilename().str() : "";
  hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
  out.fn(severityOf(diagnostic.getSeverity()), file.c_str(), place ? place.getLine() : 0,
         place ? place.getColumn() : 0, diagnostic.str().c_str(), out.user);
  for (Diagnostic &note : diagnostic.getNotes())
    forward(note);
}

void DiagnosticScope::error(const llvm::Twine &message) {
  hasError = true;
  out.fn(FlagTreeError, "", 0, 0, message.str().c_str(), out.user);
}

void DiagnosticScope::ensureError(const llvm::Twine &fallback) {
  if (!hasError)
    error(fallback);
}

} // namespace flagtree::capi
