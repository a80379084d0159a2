// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-tile-and-fuse,canonicalize,cse))' | FileCheck %s

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

// A tile of an exchange is the tile at the other offset, exchanged within; its source exists as a whole.
// CHECK-LABEL: func @exchange
// CHECK: %[[WHOLE:.*]] = scf.for
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK:   %[[AT:.*]] = arith.xori %[[I]], %c32
// CHECK:   tensor.extract_slice %[[WHOLE]][%[[AT]]] [16] [1]
// CHECK:   flir.xor_shuffle %{{.*}}, 3 : tensor<16xf32>
// CHECK:   flir.store
func.func @exchange(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [1] extents [64] -> tensor<64xf32>
  %t = tensor.empty() : tensor<64xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%t : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %y = flir.xor_shuffle %w, 35 : tensor<64xf32>
  flir.store %y, %x[%at] strides [1] extents [64] : tensor<64xf32>
  return
}
