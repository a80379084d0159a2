// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-vectorize,canonicalize,cse))' | FileCheck %s

// Halves are combined until one lane is left.
// CHECK-LABEL: func @reduce_lanes
// CHECK: %[[V:.*]] = flir.load {{.*}} -> vector<8xi32>
// CHECK: %[[LOW:.*]] = vector.shuffle %[[V]], %[[V]] [0, 1, 2, 3]
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[V]], %[[V]] [4, 5, 6, 7]
// CHECK: arith.subi %[[LOW]], %[[HIGH]] : vector<4xi32>
// CHECK: arith.subi %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK: arith.subi %{{.*}}, %{{.*}} : i32
// CHECK-NOT: flir.reduce
func.func @reduce_lanes(%x: !llvm.ptr, %at: index) -> i32 {
  %v = flir.load %x[%at] strides [1] extents [8] -> tensor<8xi32>
  %0 = flir.reduce %v axis 0 {
  ^bb0(%a: i32, %b: i32):
    %t = arith.subi %a, %b : i32
    flir.yield %t : i32
  } : (tensor<8xi32>) -> tensor<i32>
  %1 = tensor.extract %0[] : tensor<i32>
  return %1 : i32
}

// Each half of the lanes takes in the last of the other half.
// CHECK-LABEL: func @scan_lanes
// CHECK-DAG: %[[ODD:.*]] = arith.constant dense<[false, true, false, true]>
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<[false, false, true, true]>
// CHECK: %[[V:.*]] = flir.load {{.*}} -> vector<4xi32>
// CHECK: %[[S:.*]] = vector.shuffle %[[V]], %[[V]] [0, 0, 2, 2]
// CHECK: %[[A:.*]] = arith.addi %[[S]], %[[V]]
// CHECK: %[[W:.*]] = arith.select %[[ODD]], %[[A]], %[[V]]
// CHECK: vector.shuffle %[[W]], %[[W]] [0, 1, 1, 1]
// CHECK: arith.select %[[HIGH]]
func.func @scan_lanes(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [1] extents [4] -> tensor<4xi32>
  %0 = flir.scan %v axis 0 {
  ^bb0(%a: i32, %b: i32):
    %t = arith.addi %a, %b : i32
    flir.yield %t : i32
  } : (tensor<4xi32>) -> tensor<4xi32>
  flir.store %0, %x[%at] strides [1] extents [4] : tensor<4xi32>
  return
}

// CHECK-LABEL: func @scan_slices_backwards
// CHECK: %[[F:.*]] = vector.shape_cast %{{.*}} : vector<2x2xi32> to vector<4xi32>
// CHECK: %[[B:.*]] = vector.shuffle %[[F]], %[[F]] [2, 3]
// CHECK: %[[A:.*]] = vector.shuffle %[[F]], %[[F]] [0, 1]
// CHECK: arith.addi %[[B]], %[[A]] : vector<2xi32>
func.func @scan_slices_backwards(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [2, 1] extents [2, 2] -> tensor<2x2xi32>
  %0 = flir.scan %v axis 0 reverse {
  ^bb0(%a: i32, %b: i32):
    %t = arith.addi %a, %b : i32
    flir.yield %t : i32
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  flir.store %0, %x[%at] strides [2, 1] extents [2, 2] : tensor<2x2xi32>
  return
}

// CHECK-LABEL: func @exchange_lanes
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 0, 3, 2] : vector<4xi32>, vector<4xi32>
func.func @exchange_lanes(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [1] extents [4] -> tensor<4xi32>
  %y = flir.xor_shuffle %v, 1 : tensor<4xi32>
  flir.store %y, %x[%at] strides [1] extents [4] : tensor<4xi32>
  return
}
