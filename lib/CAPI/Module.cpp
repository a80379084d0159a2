// SPDX-License-Identifier: MIT
// Modules: parse, print, clone, run passes.
#include "Module.h"
#include "Context.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace flagtree::capi;

FlagTreeModule *flagtreeModuleParse(const char *text, size_t size, const char *name,
                                    FlagTreeDiagnostics diagnostics) {
  DiagnosticScope scope(diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(StringRef(text, size), name),
                             llvm::SMLoc());
  ParserConfig config(&context());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, config);
  if (!module) {
    scope.ensureError("the text is not a module of IR");
    return nullptr;
  }
  return new FlagTreeModule{std::move(module)};
}

FlagTreeModule *flagtreeModuleClone(const FlagTreeModule *module) {
  return new FlagTreeModule{OwningOpRef<ModuleOp>(module->op.get().clone())};
}

void flagtreeModuleDestroy(FlagTreeModule *module) { delete module; }

void flagtreeModulePrint(const FlagTreeModule *module, bool debugInfo, bool generic, FlagTreeBytesFn out,
                         void *user) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(debugInfo);
  if (generic)
    flags.printGenericOpForm();
  flags.assumeVerified();
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->op.get()->print(stream, flags);
  stream << '\n';
  out(text.data(), text.size(), user);
}

/// The one public function with a body; null when there is not just one.
static FunctionOpInterface kernelOf(const FlagTreeModule *module) {
  FunctionOpInterface kernel;
  int kernels = 0;
  for (auto function : module->op.get().getOps<FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal()) {
      kernel = function;
      ++kernels;
    }
  return kernels == 1 ? kernel : FunctionOpInterface();
}

bool flagtreeModuleKernelName(const FlagTreeModule *module, FlagTreeBytesFn out, void *user) {
  FunctionOpInterface kernel = kernelOf(module);
  if (!kernel)
    return false;
  StringRef name = kernel.getName();
  out(name.data(), name.size(), user);
  return true;
}

bool flagtreeModuleKernelAttribute(const FlagTreeModule *module, const char *name, FlagTreeBytesFn out,
                                   void *user) {
  FunctionOpInterface kernel = kernelOf(module);
  if (!kernel)
    return false;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (Attribute attribute = kernel->getAttr(name))
    stream << attribute;
  out(text.data(), text.size(), user);
  return true;
}

/// The pass manager of a pipeline, null when the text is none. It is kept:
/// collecting the patterns of a dozen passes takes longer than to run them on
/// a small kernel. Each thread has its own, since a run changes it.
static PassManager *managerOf(StringRef pipeline, llvm::raw_ostream &problem) {
  constexpr unsigned mostKept = 16;
  thread_local llvm::StringMap<std::unique_ptr<PassManager>> managers;
  auto found = managers.find(pipeline);
  if (found != managers.end())
    return found->second.get();
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, problem);
  if (failed(parsed))
    return nullptr;
  auto manager = std::make_unique<PassManager>(&context(), parsed->getOpAnchorName());
  static_cast<OpPassManager &>(*manager) = std::move(*parsed);
  // Once a pipeline is enough for users; the lit tests verify after each pass.
  manager->enableVerifier(false);
  if (managers.size() >= mostKept)
    managers.clear();
  return managers.insert({pipeline, std::move(manager)}).first->second.get();
}

bool flagtreeModuleRun(FlagTreeModule *module, const char *pipeline, FlagTreeDiagnostics diagnostics) {
  DiagnosticScope scope(diagnostics);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  PassManager *manager = managerOf(pipeline, stream);
  if (!manager) {
    scope.error("cannot read the pass pipeline '" + Twine(pipeline) + "': " + StringRef(problem).trim());
    return false;
  }
  if (failed(manager->run(module->op.get()))) {
    scope.ensureError("the pass pipeline '" + Twine(pipeline) + "' failed");
    return false;
  }
  if (failed(verify(module->op.get()))) {
    scope.ensureError("the pass pipeline '" + Twine(pipeline) + "' left invalid IR");
    return false;
  }
  return true;
}
