// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_TARGET_LLVM_JIT_H
#define FLAGTREE_TARGET_LLVM_JIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace flagtree {

/// Object code in memory; its destructor unloads it.
class LoadedObject {
public:
  virtual ~LoadedObject() = default;
  virtual uint64_t address() const = 0;
};

/// Links `object`, made for the host, into the process with ORC. Undefined
/// symbols are searched in the process.
llvm::Expected<std::unique_ptr<LoadedObject>> loadObject(llvm::StringRef object, llvm::StringRef symbol);

} // namespace flagtree

#endif // FLAGTREE_TARGET_LLVM_JIT_H
