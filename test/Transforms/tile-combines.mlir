// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-tile-and-fuse{vector-bytes=32},canonicalize,cse))' | FileCheck %s

// Partial results of all sources, started by the first tile; the rest after the loop.
// CHECK-LABEL: func @argmax
// CHECK: %[[PARTS:.*]]:2 = scf.for %[[T:.*]] = %c0{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<[[N:[0-9]+]]xf32>, tensor<[[N]]xi32>)
// CHECK:   flir.load {{.*}} -> tensor<[[N]]xf32>
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK:   linalg.generic
// CHECK:     arith.cmpf ogt
// CHECK:     arith.select %[[FIRST]]
// CHECK: flir.reduce %[[PARTS]]#0, %[[PARTS]]#1 axis 0
func.func @argmax(%x: !llvm.ptr, %at: index, %n: tensor<1024xi32>) -> (tensor<f32>, tensor<i32>) {
  %v = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  %0:2 = flir.reduce %v, %n axis 0 {
  ^bb0(%a: f32, %p: i32, %b: f32, %q: i32):
    %g = arith.cmpf ogt, %a, %b : f32
    %c = arith.select %g, %a, %b : f32
    %d = arith.select %g, %p, %q : i32
    flir.yield %c, %d : f32, i32
  } : (tensor<1024xf32>, tensor<1024xi32>) -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// A scan is computed where it is stored, and a number is carried.
// CHECK-LABEL: func @running_sum
// CHECK: scf.for {{.*}} iter_args(%[[CARRY:.*]] = %{{.*}}) -> (f32)
// CHECK:   %[[V:.*]] = flir.load
// CHECK:   %[[S:.*]] = flir.scan %[[V]] axis 0 {
// CHECK:   %[[LAST:.*]] = tensor.extract %[[S]][%c31]
// CHECK:   %[[NEXT:.*]] = arith.addf %[[CARRY]], %[[LAST]]
// CHECK:   %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]]
// CHECK:   flir.store %[[R]]
// CHECK:   scf.yield %[[NEXT]]
func.func @running_sum(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  %s = flir.scan %v axis 0 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    flir.yield %t : f32
  } : (tensor<1024xf32>) -> tensor<1024xf32>
  flir.store %s, %x[%at] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// Across the axis a row is carried; backwards the last row comes first.
// CHECK-LABEL: func @columns_backwards
// CHECK: scf.for
// CHECK:   scf.for %[[I:.*]] = %c0{{.*}} iter_args(%[[CARRY:.*]] = %{{.*}}) -> (tensor<1x16xf32>)
// CHECK:     arith.subi %c31{{.*}}, %[[I]]
// CHECK:     flir.load {{.*}} -> tensor<1x16xf32>
// CHECK:     %[[R:.*]] = linalg.generic {{.*}} outs(%[[CARRY]]
// CHECK:     flir.store %[[R]]
// CHECK:     scf.yield %[[R]]
func.func @columns_backwards(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [64, 1] extents [32, 64] -> tensor<32x64xf32>
  %s = flir.scan %v axis 0 reverse {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    flir.yield %t : f32
  } : (tensor<32x64xf32>) -> tensor<32x64xf32>
  flir.store %s, %x[%at] strides [64, 1] extents [32, 64] : tensor<32x64xf32>
  return
}
