// SPDX-License-Identifier: MIT
// Reading what comes between the operands and the type of a memory access.
#ifndef FLAGTREE_LIB_DIALECT_TRITON_IR_CACHEPOLICYSYNTAX_H
#define FLAGTREE_LIB_DIALECT_TRITON_IR_CACHEPOLICYSYNTAX_H

#include "flagtree/Dialect/Triton/IR/Triton.h"

namespace flagtree::tt {

/// Reads `cacheModifier = cg evictionPolicy = evict_first`, both optional, as
/// Triton 3.6 to 3.8 write it, into the attribute `cachePolicy`.
mlir::ParseResult parseCachePolicyWords(mlir::OpAsmParser &parser, mlir::OperationState &state);

/// Says which attribute of a parsed op has the wrong kind.
mlir::ParseResult verifyParsedAttributes(mlir::OpAsmParser &parser, mlir::OperationState &state);

} // namespace flagtree::tt

#endif // FLAGTREE_LIB_DIALECT_TRITON_IR_CACHEPOLICYSYNTAX_H
