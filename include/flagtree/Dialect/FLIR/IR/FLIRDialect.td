// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_FLIR_IR_FLIRDIALECT_TD
#define FLAGTREE_DIALECT_FLIR_IR_FLIRDIALECT_TD

include "mlir/IR/OpBase.td"

def FLIR_Dialect : Dialect {
  let name = "flir";
  let cppNamespace = "::flagtree::flir";
  let summary = "Structured accesses to global memory beside linalg on tensors";
  let description = [{
    FLIR is the level that every linalg-based backend shares. Computation is
    linalg, arith and math on static-shape tensors; what linalg cannot say, how
    a block of a Triton program meets global memory, is an op of this dialect.

    A block access is described by numbers instead of by a tensor of pointers:
    a base pointer, an offset, a stride for each dimension and an extent for
    each dimension. Element `(i0, …, ik)` lies at
    `base + (offset + Σ i_d · stride_d)` elements and takes part in the access
    when `i_d < extent_d` for every `d`. An extent is a signed number that may
    lie below zero or above the block's size, so that a tile of an access is
    the access with `offset` moved and the extents reduced.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // FLAGTREE_DIALECT_FLIR_IR_FLIRDIALECT_TD
