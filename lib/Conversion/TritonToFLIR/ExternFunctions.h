// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_EXTERNFUNCTIONS_H
#define FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_EXTERNFUNCTIONS_H

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace flagtree {

/// A call of a function of libdevice on scalars or tensors, and what writes its
/// replacement.
struct ExternCall {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::StringRef name; // without "__nv_"
  mlir::ValueRange x;
  mlir::Type type; // of the result

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  /// `type` with another element.
  mlir::Type like(mlir::Type element) const {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    return shaped ? mlir::Type(shaped.clone(element)) : element;
  }
  mlir::Value splat(mlir::TypedAttr value) {
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(like(value.getType())))
      value = mlir::DenseElementsAttr::get(shaped, mlir::Attribute(value));
    return make<mlir::arith::ConstantOp>(value);
  }
  /// Constants of the type of `of`.
  mlir::Value number(mlir::Value of, double value) {
    return splat(b.getFloatAttr(mlir::getElementTypeOrSelf(of.getType()), value));
  }
  mlir::Value integer(mlir::Value of, int64_t value) {
    return splat(b.getIntegerAttr(mlir::getElementTypeOrSelf(of.getType()), value));
  }
  mlir::Value library(mlir::StringRef symbol, mlir::ValueRange arguments) {
    return make<flir::ExternOp>(type, symbol, arguments);
  }
};

using ExternFunction = mlir::Value (*)(ExternCall &);
using ExternTable = llvm::StringMap<ExternFunction>;

void addExternFloatFunctions(ExternTable &table);
void addExternIntegerFunctions(ExternTable &table);
void addExternConversions(ExternTable &table);

} // namespace flagtree

#endif // FLAGTREE_LIB_CONVERSION_TRITONTOFLIR_EXTERNFUNCTIONS_H
