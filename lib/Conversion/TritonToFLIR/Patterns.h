// SPDX-License-Identifier: MIT
// Steps and pattern groups of convert-triton-to-flir.
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace flagtree {

/// Replaces every tt.load and tt.store of `function` by FLIR's accesses.
void rewriteAccesses(mlir::func::FuncOp function);

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
void populatePointerPatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateReducePatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateShapePatterns(mlir::TypeConverter &, mlir::RewritePatternSet &);

/// True for a tt.reduce or tt.scan whose combine region has no loops and no effects.
bool canCombine(mlir::Operation *op);

/// Turns branches in combine regions into choices between values.
void flattenCombiners(mlir::Operation *root);

/// Reports a tt.extern_elementwise whose function has no counterpart here.
mlir::LogicalResult checkExternFunction(mlir::Operation *op);

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_PATTERNS_H
