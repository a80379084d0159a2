/* SPDX-License-Identifier: MIT
 *
 * The C interface of libFlagTree, the only header that FlagTree's Python
 * modules and foreign embedders see. Text goes in, text or object code comes
 * out; no MLIR type crosses it. All functions may be called from any thread;
 * one module must not be used from two threads at once. Functions that can
 * fail return false or NULL after having called the diagnostic callback at
 * least once with an error. */
#ifndef FLAGTREE_C_COMPILER_H
#define FLAGTREE_C_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLAGTREE_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FlagTreeModule FlagTreeModule;
typedef struct FlagTreeProgram FlagTreeProgram;

typedef enum { FlagTreeNote, FlagTreeRemark, FlagTreeWarning, FlagTreeError } FlagTreeSeverity;

/* `file` is empty and `line` 0 where a diagnostic has no place in a source. */
typedef void (*FlagTreeDiagnosticFn)(FlagTreeSeverity severity, const char *file, uint32_t line,
                                     uint32_t column, const char *message, void *user);
/* Receives bytes that are valid during the call only. */
typedef void (*FlagTreeBytesFn)(const char *data, size_t size, void *user);

typedef struct {
  FlagTreeDiagnosticFn fn;
  void *user;
} FlagTreeDiagnostics;

/* Parses IR text (Triton IR or any later level). `name` stands for the text in
 * diagnostics. */
FLAGTREE_EXPORT FlagTreeModule *flagtreeModuleParse(const char *text, size_t size, const char *name,
                                                    FlagTreeDiagnostics diagnostics);
FLAGTREE_EXPORT FlagTreeModule *flagtreeModuleClone(const FlagTreeModule *module);
FLAGTREE_EXPORT void flagtreeModuleDestroy(FlagTreeModule *module);
FLAGTREE_EXPORT void flagtreeModulePrint(const FlagTreeModule *module, bool debugInfo, bool generic,
                                         FlagTreeBytesFn out, void *user);
/* Name of the one public function with a body; false when there is not just one. */
FLAGTREE_EXPORT bool flagtreeModuleKernelName(const FlagTreeModule *module, FlagTreeBytesFn out, void *user);

/* Text of an attribute of that function, empty when it has none; false when there
 * is no one function. */
FLAGTREE_EXPORT bool flagtreeModuleKernelAttribute(const FlagTreeModule *module, const char *name,
                                                   FlagTreeBytesFn out, void *user);

/* Runs a textual pass pipeline, e.g. "builtin.module(canonicalize,cse)". */
FLAGTREE_EXPORT bool flagtreeModuleRun(FlagTreeModule *module, const char *pipeline,
                                       FlagTreeDiagnostics diagnostics);

typedef enum {
  FlagTreeEmitLLVMIR,
  FlagTreeEmitOptimizedLLVMIR,
  FlagTreeEmitAssembly,
  FlagTreeEmitObject
} FlagTreeEmitKind;

/* Translates a module of the llvm dialect. Empty triple, cpu or features mean the host's. */
FLAGTREE_EXPORT bool flagtreeModuleEmit(const FlagTreeModule *module, FlagTreeEmitKind kind,
                                        const char *triple, const char *cpu, const char *features,
                                        FlagTreeBytesFn out, void *user, FlagTreeDiagnostics diagnostics);

/* Makes object code for the host callable; `symbol` must be defined in it. */
FLAGTREE_EXPORT FlagTreeProgram *flagtreeProgramLoad(const void *object, size_t size, const char *symbol,
                                                     FlagTreeDiagnostics diagnostics);
FLAGTREE_EXPORT uint64_t flagtreeProgramAddress(const FlagTreeProgram *program);
FLAGTREE_EXPORT void flagtreeProgramDestroy(FlagTreeProgram *program);

/* Which of the host's properties is asked for. */
typedef enum { FlagTreeHostTriple, FlagTreeHostCpu, FlagTreeHostFeatures } FlagTreeHostProperty;
FLAGTREE_EXPORT void flagtreeHost(FlagTreeHostProperty property, FlagTreeBytesFn out, void *user);

/* Bytes of the vector register that LLVM prefers on a target; empty strings mean
 * the host's. 0, after a diagnostic, when there is no such target. */
FLAGTREE_EXPORT uint32_t flagtreeVectorBytes(const char *triple, const char *cpu, const char *features,
                                             FlagTreeDiagnostics diagnostics);

/* JSON list of the passes that the library was built with:
 * [{"argument", "summary", "group", "options": [{"name", "type", "default", "description"}]}]. */
FLAGTREE_EXPORT const char *flagtreePasses(void);
/* True when a pass of this name is registered, those of plugins included. */
FLAGTREE_EXPORT bool flagtreePassExists(const char *argument);
/* Loads a shared object with MLIR's pass or dialect plugin entry points. Call
 * before the first module is parsed when it adds a dialect. */
FLAGTREE_EXPORT bool flagtreePluginLoad(const char *path, FlagTreeDiagnostics diagnostics);

FLAGTREE_EXPORT const char *flagtreeLLVMVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* FLAGTREE_C_COMPILER_H */
