// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s

// CHECK-LABEL: func @to_a_scalar
// CHECK: %[[NEUTRAL:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[START:.*]] = linalg.fill ins(%[[NEUTRAL]] : f32) outs(%{{.*}} : tensor<f32>)
// CHECK: %[[R:.*]] = linalg.reduce ins(%{{.*}} : tensor<64xf32>) outs(%[[START]] : tensor<f32>) dimensions = [0]
// CHECK: arith.addf
// CHECK: tensor.extract %[[R]][] : tensor<f32>
func.func @to_a_scalar(%x: tensor<64xf32>) -> f32 {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32>) -> f32
  return %0 : f32
}

// CHECK-LABEL: func @along_rows
// CHECK: arith.constant -2147483648 : i32
// CHECK: linalg.reduce ins(%{{.*}} : tensor<4x64xi32>) outs(%{{.*}} : tensor<4xi32>) dimensions = [1]
// CHECK: arith.maxsi
func.func @along_rows(%x: tensor<4x64xi32>) -> tensor<4xi32> {
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.maxsi %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<4x64xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func @neutral_elements
// CHECK: arith.constant 1 : i32
// CHECK: linalg.reduce
// CHECK: arith.muli
// CHECK: arith.constant -1 : i32
// CHECK: linalg.reduce
// CHECK: arith.andi
// CHECK: arith.constant 0 : i32
// CHECK: linalg.reduce
// CHECK: arith.xori
// CHECK: arith.constant -1 : i32
// CHECK: linalg.reduce
// CHECK: arith.minui
func.func @neutral_elements(%x: tensor<64xi32>) -> (i32, i32, i32, i32) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.muli %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<64xi32>) -> i32
  %1 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.andi %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<64xi32>) -> i32
  %2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.xori %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<64xi32>) -> i32
  %3 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.minui %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<64xi32>) -> i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
