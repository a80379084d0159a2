// SPDX-License-Identifier: MIT
// Steps and pattern groups of convert-triton-to-flir.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H

#include "PtrAnalysis.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace flagtree {

/// Tensors of pointers and integers that loops and branches carry become the
/// numbers that they are made of; `known` tells them of each tensor left.
void dissolveCarriedBlocks(mlir::func::FuncOp function, KnownBlocks &known);

/// Replaces every access of `function` by FLIR's. Fails, with a message, on a
/// block pointer whose origin cannot be found.
mlir::LogicalResult rewriteAccesses(mlir::func::FuncOp function);

/// True for accesses through block pointers and descriptors.
bool isViewAccess(mlir::Operation *op);
/// Replaces such an access by one of FLIR's.
mlir::LogicalResult rewriteViewAccess(mlir::Operation *op, const KnownBlocks &known);
/// Replaces one of Triton's atomic accesses by FLIR's.
void rewriteAtomic(mlir::Operation *op, const KnownBlocks &known);
/// Branches within regions mapped over elements become selections where they may.
void flattenMaps(mlir::func::FuncOp function);

/// `c + dot(a, b, 0)` becomes `dot(a, b, c)`, so that sums stay in the accumulator.
void foldAccumulators(mlir::func::FuncOp function);

/// Pointers become llvm pointers, tensors of pointers tensors of i64 addresses.
class TritonTypeConverter : public mlir::TypeConverter {
public:
  TritonTypeConverter();
};

using PatternGroup = void (*)(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateDotPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateElementwisePatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateExternPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateMapPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populatePointerPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateProgramPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateReducePatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateShapePatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);

/// Products of scaled operands become products of fp32.
void decomposeScaledDots(mlir::func::FuncOp function);

/// Sorting networks and flips, which are spelt with tensors of many dimensions of
/// two, become exchanges of the elements of flat tensors.
void flattenExchanges(mlir::func::FuncOp function);

/// True for a tt.reduce or tt.scan whose combine region has no loops and no effects.
bool canCombine(mlir::Operation *op);

/// Turns branches in combine regions into choices between values.
void flattenCombiners(mlir::Operation *root);

/// Reports a tt.extern_elementwise whose function has no counterpart here.
mlir::LogicalResult checkExternFunction(mlir::Operation *op);

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H
