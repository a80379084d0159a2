// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_SCALARATOMICS_H
#define FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_SCALARATOMICS_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace flagtree {

/// Atomic accesses to one element, in operations of LLVM. All programs of a
/// launch are threads of one process, so there is one scope.
class ScalarAtomics {
public:
  ScalarAtomics(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}

  /// How an element lies in memory: LLVM has no 8-bit floats.
  static mlir::Type memoryType(mlir::Type element);

  /// The old value.
  mlir::Value update(flir::AtomicKind kind, flir::MemoryOrder order, mlir::Value pointer, mlir::Value value);
  void store(flir::MemoryOrder order, mlir::Value pointer, mlir::Value value);
  mlir::Value compareAndSwap(flir::MemoryOrder order, mlir::Value pointer, mlir::Value expected,
                             mlir::Value value);
  mlir::Value load(flir::MemoryOrder order, mlir::Value pointer, mlir::Type element);
  /// Whether the value was seen; a null `deadline` is none.
  mlir::Value poll(flir::MemoryOrder order, mlir::Value pointer, mlir::Value expected, mlir::Value deadline);
  mlir::Value clock();

private:
  mlir::Value clock(mlir::Value context);
  mlir::Value bits(mlir::Value value);
  mlir::Value fromBits(mlir::Value value, mlir::Type element);
  mlir::Value updateShortFloat(flir::AtomicKind kind, flir::MemoryOrder order, mlir::Value pointer,
                               mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_FLIRTOLLVM_SCALARATOMICS_H
