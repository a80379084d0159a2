// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -mlir-print-op-generic | flagtree-opt | FileCheck %s

// CHECK-LABEL: func @reduce
// CHECK: flir.reduce %{{.*}}, %{{.*}} axis 1 {
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
// CHECK: flir.yield %{{.*}}, %{{.*}} : f32, i32
// CHECK: } : (tensor<4x128xf32>, tensor<4x128xi32>) -> (tensor<4xf32>, tensor<4xi32>)
func.func @reduce(%x: tensor<4x128xf32>, %n: tensor<4x128xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %v, %i = flir.reduce %x, %n axis 1 {
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    %g = arith.cmpf ogt, %a, %c : f32
    %e = arith.select %g, %a, %c : f32
    %f = arith.select %g, %b, %d : i32
    flir.yield %e, %f : f32, i32
  } : (tensor<4x128xf32>, tensor<4x128xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %v, %i : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: func @scans
// CHECK: flir.scan %{{.*}} axis 0 {
// CHECK: } : (tensor<128xf32>) -> tensor<128xf32>
// CHECK: flir.scan %{{.*}} axis 0 reverse {
func.func @scans(%x: tensor<128xf32>) -> tensor<128xf32> {
  %0 = flir.scan %x axis 0 {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    flir.yield %t : f32
  } : (tensor<128xf32>) -> tensor<128xf32>
  %1 = flir.scan %0 axis 0 reverse {
  ^bb0(%a: f32, %b: f32):
    %t = arith.mulf %a, %b : f32
    flir.yield %t : f32
  } : (tensor<128xf32>) -> tensor<128xf32>
  return %1 : tensor<128xf32>
}
