// SPDX-License-Identifier: MIT
// What is registered: the table of passes, plugins, versions, the host.
#include "Context.h"

#include "flagtree/Target/LLVM/TargetMachine.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace flagtree::capi;

static const char passTable[] =
#include "PassTable.inc"
    ;

const char *flagtreePasses() { return passTable; }

bool flagtreePassExists(const char *argument) {
  context(); // registers the passes
  return PassInfo::lookup(argument) != nullptr;
}

bool flagtreePluginLoad(const char *path, FlagTreeDiagnostics diagnostics) {
  bool loaded = false;
  std::string problems;
  auto note = [&](llvm::Error error) { problems += "\n  " + llvm::toString(std::move(error)); };
  if (auto plugin = DialectPlugin::load(path)) {
    plugin->registerDialectRegistryCallbacks(registry());
    loaded = true;
  } else {
    note(plugin.takeError());
  }
  if (auto plugin = PassPlugin::load(path)) {
    plugin->registerPassRegistryCallbacks();
    loaded = true;
  } else {
    note(plugin.takeError());
  }
  if (!loaded)
    diagnostics.fn(FlagTreeError, "", 0, 0,
                   ("'" + std::string(path) + "' is neither a pass plugin nor a dialect plugin of MLIR " +
                    LLVM_VERSION_STRING + ":" + problems)
                       .c_str(),
                   diagnostics.user);
  return loaded;
}

void flagtreeHost(FlagTreeHostProperty property, FlagTreeBytesFn out, void *user) {
  const flagtree::TargetDescription &host = flagtree::hostTarget();
  const std::string &text = property == FlagTreeHostTriple ? host.triple
                            : property == FlagTreeHostCpu  ? host.cpu
                                                           : host.features;
  out(text.data(), text.size(), user);
}

uint32_t flagtreeVectorBytes(const char *triple, const char *cpu, const char *features,
                             FlagTreeDiagnostics diagnostics) {
  llvm::Expected<unsigned> bytes = flagtree::vectorBytes(flagtree::resolveTarget({triple, cpu, features}));
  if (bytes)
    return *bytes;
  std::string message = llvm::toString(bytes.takeError());
  diagnostics.fn(FlagTreeError, "", 0, 0, message.c_str(), diagnostics.user);
  return 0;
}

const char *flagtreeLLVMVersion() { return LLVM_VERSION_STRING; }
