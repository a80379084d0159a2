// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s

// CHECK-LABEL: func @argmax
// CHECK: %[[R:.*]]:2 = flir.reduce %{{.*}}, %{{.*}} axis 0 {
// CHECK: arith.cmpf ogt
// CHECK: flir.yield %{{.*}}, %{{.*}} : f32, i32
// CHECK: tensor.extract %[[R]]#1[] : tensor<i32>
func.func @argmax(%x: tensor<64xf32>, %i: tensor<64xi32>) -> i32 {
  %0:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %p: i32, %b: f32, %q: i32):
    %g = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %g, %a, %b : f32
    %w = arith.select %g, %p, %q : i32
    tt.reduce.return %v, %w : f32, i32
  }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  return %0#1 : i32
}

// A branch becomes a choice.
// CHECK-LABEL: func @branch
// CHECK: flir.reduce %{{.*}} axis 1 {
// CHECK-NOT: scf.if
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.select %{{.*}}, %[[P]], %{{.*}} : f32
func.func @branch(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %g = arith.cmpf ogt, %a, %b : f32
    %r = scf.if %g -> (f32) {
      %p = arith.mulf %a, %a : f32
      scf.yield %p : f32
    } else {
      scf.yield %b : f32
    }
    tt.reduce.return %r : f32
  }) : (tensor<4x64xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @backwards
// CHECK: flir.scan %{{.*}} axis 0 reverse {
// CHECK: arith.addi
// CHECK: } : (tensor<64xi32>) -> tensor<64xi32>
func.func @backwards(%x: tensor<64xi32>) -> tensor<64xi32> {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tt.scan.return %s : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  return %0 : tensor<64xi32>
}

// Short floats are combined in fp32 and rounded once.
// CHECK-LABEL: func @short_floats
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
// CHECK: %[[S:.*]] = flir.scan %[[W]] axis 0 {
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %[[S]] : tensor<64xf32> to tensor<64xbf16>
func.func @short_floats(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: bf16, %b: bf16):
    %s = arith.addf %a, %b : bf16
    tt.scan.return %s : bf16
  }) : (tensor<64xbf16>) -> tensor<64xbf16>
  return %0 : tensor<64xbf16>
}
