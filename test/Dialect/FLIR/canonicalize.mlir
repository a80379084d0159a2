// RUN: flagtree-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @constant_numbers_become_static
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [7, 1] extents [5, 64] pad
// CHECK: flir.store %{{.*}}, %{{.*}}[%{{.*}}] strides [7, 1] extents [5, 64]
func.func @constant_numbers_become_static(%x: !llvm.ptr, %o: index, %pad: f32) {
  %five = arith.constant 5 : index
  %seven = arith.constant 7 : index
  %0 = flir.load %x[%o] strides [%seven, 1] extents [%five, 64] pad %pad : f32 -> tensor<32x64xf32>
  flir.store %0, %x[%o] strides [%seven, 1] extents [%five, 64] : tensor<32x64xf32>
  return
}

// CHECK-LABEL: func @a_true_mask_is_no_mask
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [1] extents [8] -> tensor<8xf32>
// CHECK: flir.store %{{.*}}, %{{.*}}[%{{.*}}] strides [1] extents [8] : tensor<8xf32>
func.func @a_true_mask_is_no_mask(%x: !llvm.ptr, %o: index, %pad: f32) {
  %m = arith.constant dense<true> : tensor<8xi1>
  %0 = flir.load %x[%o] strides [1] extents [8] mask %m : tensor<8xi1> pad %pad : f32 -> tensor<8xf32>
  flir.store %0, %x[%o] strides [1] extents [8] mask %m : tensor<8xi1> : tensor<8xf32>
  return
}

// CHECK-LABEL: func @a_mask_with_a_hole_stays
// CHECK: flir.load {{.*}} mask
func.func @a_mask_with_a_hole_stays(%x: !llvm.ptr, %o: index) -> tensor<4xf32> {
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %0 = flir.load %x[%o] strides [1] extents [4] mask %m : tensor<4xi1> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Extents at or above the block's size exclude nothing.
// CHECK-LABEL: func @an_unused_pad_is_dropped
// CHECK-COUNT-2: extents [{{8|9}}] -> tensor<8xf32>
func.func @an_unused_pad_is_dropped(%x: !llvm.ptr, %o: index, %pad: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [8] pad %pad : f32 -> tensor<8xf32>
  %1 = flir.load %x[%o] strides [1] extents [9] pad %pad : f32 -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @a_pad_in_use_stays
// CHECK: extents [7] pad %{{.*}} : f32 -> tensor<8xf32>
// CHECK: extents [%{{.*}}] pad %{{.*}} : f32 -> tensor<8xf32>
// CHECK: mask %{{.*}} : tensor<8xi1> pad %{{.*}} : f32 -> tensor<8xf32>
func.func @a_pad_in_use_stays(%x: !llvm.ptr, %o: index, %pad: f32, %e: index, %m: tensor<8xi1>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [7] pad %pad : f32 -> tensor<8xf32>
  %1 = flir.load %x[%o] strides [1] extents [%e] pad %pad : f32 -> tensor<8xf32>
  %2 = flir.load %x[%o] strides [1] extents [8] mask %m : tensor<8xi1> pad %pad : f32 -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @effects
// CHECK-NOT: strides [1]
// CHECK: strides [2] extents [8] {isVolatile}
// CHECK: flir.store
func.func @effects(%x: !llvm.ptr, %o: index, %v: tensor<8xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  %1 = flir.load %x[%o] strides [2] extents [8] {isVolatile} -> tensor<8xf32>
  flir.store %v, %x[%o] strides [3] extents [8] : tensor<8xf32>
  return
}
