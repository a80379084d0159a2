// SPDX-License-Identifier: MIT
// From a module of the llvm dialect to object code, and to a callable address.
#include "Context.h"
#include "Module.h"

#include "flagtree/Target/LLVM/Emit.h"
#include "flagtree/Target/LLVM/Jit.h"

using namespace flagtree;
using namespace flagtree::capi;

struct FlagTreeProgram {
  std::unique_ptr<LoadedObject> object;
};

bool flagtreeModuleEmit(const FlagTreeModule *module, FlagTreeEmitKind kind, const char *triple,
                        const char *cpu, const char *features, FlagTreeBytesFn out, void *user,
                        FlagTreeDiagnostics diagnostics) {
  DiagnosticScope scope(diagnostics);
  TargetDescription target = resolveTarget({triple, cpu, features});
  llvm::Expected<std::string> bytes = emit(module->op.get(), static_cast<EmitKind>(kind), target);
  if (!bytes) {
    scope.ensureError(llvm::toString(bytes.takeError()));
    return false;
  }
  out(bytes->data(), bytes->size(), user);
  return true;
}

FlagTreeProgram *flagtreeProgramLoad(const void *object, size_t size, const char *symbol,
                                     FlagTreeDiagnostics diagnostics) {
  llvm::Expected<std::unique_ptr<LoadedObject>> loaded =
      loadObject(llvm::StringRef(static_cast<const char *>(object), size), symbol);
  if (!loaded) {
    std::string message = llvm::toString(loaded.takeError());
    diagnostics.fn(FlagTreeError, "", 0, 0, message.c_str(), diagnostics.user);
    return nullptr;
  }
  return new FlagTreeProgram{std::move(*loaded)};
}

uint64_t flagtreeProgramAddress(const FlagTreeProgram *program) { return program->object->address(); }

void flagtreeProgramDestroy(FlagTreeProgram *program) { delete program; }
