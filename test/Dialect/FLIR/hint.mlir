// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s

// CHECK-LABEL: func @hints
// CHECK: flir.load {{.*}} {flir.hints = [#flir.hint<prefetch>, #flir.hint<unroll, 2>, #flir.hint<layout, row, col>]}
// CHECK: flir.load {{.*}} {flir.hints = [#flir.hint<"a name", -3, "2 x", "">]}
func.func @hints(%x: !llvm.ptr, %o: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [4]
    {flir.hints = [#flir.hint<prefetch>, #flir.hint<"unroll", 2>, #flir.hint<layout, row, "col">]} -> tensor<4xf32>
  %1 = flir.load %x[%o] strides [1] extents [4]
    {flir.hints = [#flir.hint<"a name", -3, "2 x", "">]} -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
