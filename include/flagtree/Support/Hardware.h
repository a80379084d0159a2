// SPDX-License-Identifier: MIT
// What passes may ask about the device that is compiled for.
#ifndef FLAGTREE_SUPPORT_HARDWARE_H
#define FLAGTREE_SUPPORT_HARDWARE_H

#include "mlir/IR/Operation.h"

namespace flagtree {
/// The device of a module's target spec (`dlti.target_system_spec`), which the
/// pass `flir-set-hardware` sets. What the spec does not say, or where there is
/// none, is what every device has.
class Hardware {
public:
  /// That of the module around `op`, or of `op` itself.
  explicit Hardware(mlir::Operation *op);

  /// The entry at the end of `path`, for example {"memory", "l1", "bytes"}; null when there is none.
  mlir::Attribute query(llvm::ArrayRef<llvm::StringRef> path) const;
  /// The number there, or `otherwise`.
  int64_t number(llvm::ArrayRef<llvm::StringRef> path, int64_t otherwise) const;

  /// Bytes of the vector register that the code generator prefers.
  int64_t vectorBytes() const { return number({"vector_bytes"}, 32); }
  /// Registers of that width.
  int64_t vectorRegisters() const { return number({"vector_registers"}, 16); }
  int64_t cacheLineBytes() const { return number({"cache_line_bytes"}, 64); }
  /// Bytes stored by a launch from which stores bypass the cache; 0: never.
  int64_t streamingBytes() const { return number({"streaming_bytes"}, 0); }

private:
  mlir::Attribute device;
};
} // namespace flagtree

#endif // FLAGTREE_SUPPORT_HARDWARE_H
