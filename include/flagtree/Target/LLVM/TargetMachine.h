// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_TARGET_LLVM_TARGETMACHINE_H
#define FLAGTREE_TARGET_LLVM_TARGETMACHINE_H

#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace flagtree {

/// What machine code is made for, in LLVM's words.
struct TargetDescription {
  std::string triple, cpu, features;
};

/// The machine that this process runs on.
const TargetDescription &hostTarget();
/// Fills empty fields: an empty triple means the host in all three; for a
/// foreign triple an empty cpu is "generic".
TargetDescription resolveTarget(TargetDescription target);
/// A target machine of the calling thread, made once for each description
/// (LLVM's are not safe to share between threads).
llvm::Expected<llvm::TargetMachine *> targetMachine(const TargetDescription &target);
/// Bytes of the vector register that LLVM prefers on `target`.
llvm::Expected<unsigned> vectorBytes(const TargetDescription &target);

} // namespace flagtree

#endif // FLAGTREE_TARGET_LLVM_TARGETMACHINE_H
