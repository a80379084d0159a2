// SPDX-License-Identifier: MIT
// Rules that hold for the tensors of every op of the `tt` dialect.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONTRAITS_H
#define FLAGTREE_DIALECT_TRITON_IR_TRITONTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace flagtree::tt {

/// Most elements that one tensor may have.
constexpr int64_t maxTensorElements = int64_t(1) << 20;

namespace detail {
mlir::LogicalResult verifyBlockTensors(mlir::Operation *op);
} // namespace detail

template <typename ConcreteType>
class BlockTensors : public mlir::OpTrait::TraitBase<ConcreteType, BlockTensors> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return detail::verifyBlockTensors(op); }
};

/// Whether both are scalars or both tensors of one shape.
bool haveSameShape(mlir::Type a, mlir::Type b);
/// `type` itself, or its shape with another element type.
mlir::Type withElementType(mlir::Type type, mlir::Type element);
/// i1, or a tensor of i1 with the shape of `type`.
mlir::Type getMaskType(mlir::Type type);
/// Whether memory can be accessed through a value of `type`: a pointer, a
/// tensor of pointers to elements or a block pointer.
bool isAddress(mlir::Type type);
/// What a load through `address` gives: `f32` for `!tt.ptr<f32>`, `tensor<4xf32>`
/// for `tensor<4x!tt.ptr<f32>>` and for `!tt.ptr<tensor<4xf32>>`. A type that is
/// no address comes back as it is, since parsers ask before types are checked.
mlir::Type getPointeeType(mlir::Type address);

} // namespace flagtree::tt

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONTRAITS_H
