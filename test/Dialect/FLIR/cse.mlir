// RUN: flagtree-opt %s -cse | FileCheck %s

// CHECK-LABEL: func @equal_loads_are_one
// CHECK-COUNT-1: flir.load
// CHECK-NOT: flir.load
func.func @equal_loads_are_one(%x: !llvm.ptr, %o: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  %1 = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @a_store_in_between_keeps_both
// CHECK: flir.load
// CHECK: flir.store
// CHECK: flir.load
func.func @a_store_in_between_keeps_both(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  flir.store %0, %y[%o] strides [1] extents [8] : tensor<8xf32>
  %1 = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @volatile_loads_are_not_merged
// CHECK-COUNT-2: flir.load
func.func @volatile_loads_are_not_merged(%x: !llvm.ptr, %o: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [8] {isVolatile} -> tensor<8xf32>
  %1 = flir.load %x[%o] strides [1] extents [8] {isVolatile} -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @a_scatter_in_between_keeps_both
// CHECK: flir.gather
// CHECK: flir.scatter
// CHECK: flir.gather
func.func @a_scatter_in_between_keeps_both(%a: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.gather %a : tensor<8xi64> -> tensor<8xf32>
  flir.scatter %0, %a : tensor<8xf32>, tensor<8xi64>
  %1 = flir.gather %a : tensor<8xi64> -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
