// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_TARGET_LLVM_EMIT_H
#define FLAGTREE_TARGET_LLVM_EMIT_H

#include "flagtree/Target/LLVM/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"

namespace flagtree {

/// The order is that of FlagTreeEmitKind.
enum class EmitKind { LLVMIR, OptimizedLLVMIR, Assembly, Object };

/// Translates a module of the llvm dialect, optimises it (but for `LLVMIR`)
/// and returns text or object bytes.
llvm::Expected<std::string> emit(mlir::ModuleOp module, EmitKind kind, const TargetDescription &target);

} // namespace flagtree

#endif // FLAGTREE_TARGET_LLVM_EMIT_H
