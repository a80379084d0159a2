// SPDX-License-Identifier: MIT
#include "Context.h"

#include "flagtree/Support/Registry.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/ThreadPool.h"
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

namespace {
/// Runs what MLIR would do in parallel in the thread that asks for it. Kernels
/// have few functions, so threads gain nothing, and a process that forks (data
/// loaders do) would wait for ever for threads that the child does not have.
/// The context stays in its thread-safe mode: several threads may compile.
class InlineExecutor final : public llvm::ThreadPoolInterface {
public:
  void wait() override {}
  void wait(llvm::ThreadPoolTaskGroup &) override {}
  unsigned getMaxConcurrency() const override { return 1; }

private:
  void asyncEnqueue(llvm::unique_function<void()> task, llvm::ThreadPoolTaskGroup *) override { task(); }
};
} // namespace

// Never destroyed: kernels may be compiled by threads that outlive main().
MLIRContext &context() {
  static MLIRContext *context = [] {
    registerAllPasses();
    auto *c = new MLIRContext(registry(), MLIRContext::Threading::DISABLED);
    c->setThreadPool(*new InlineExecutor);
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

/// The places in files that a location leads to: the innermost first, then
/// those it was called from.
static void collectPlaces(Location loc, SmallVectorImpl<FileLineColLoc> &places) {
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    places.push_back(file);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectPlaces(call.getCallee(), places);
    collectPlaces(call.getCaller(), places);
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    collectPlaces(name.getChildLoc(), places);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    // One of them is enough: they are places side by side, not calls.
    size_t before = places.size();
    for (Location part : fused.getLocations())
      if (places.size() == before)
        collectPlaces(part, places);
  }
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
  SmallVector<FileLineColLoc> places;
  collectPlaces(diagnostic.getLocation(), places);
  hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
  send(severityOf(diagnostic.getSeverity()), places.empty() ? FileLineColLoc() : places.front(),
       diagnostic.str());
  // What a person wrote is often the caller of a function of the language.
  for (FileLineColLoc caller : llvm::drop_begin(places, places.empty() ? 0 : 1))
    send(FlagTreeNote, caller, "called from here");
  for (Diagnostic &note : diagnostic.getNotes())
    forward(note);
}

void DiagnosticScope::send(FlagTreeSeverity severity, FileLineColLoc place, const std::string &message) {
  std::string file = place ? place.getFilename().str() : "";
  out.fn(severity, file.c_str(), place ? place.getLine() : 0, place ? place.getColumn() : 0, message.c_str(),
         out.user);
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
