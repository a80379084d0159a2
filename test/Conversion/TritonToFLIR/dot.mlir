// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file | FileCheck %s

// CHECK-LABEL: func @matrices
// CHECK: linalg.matmul ins(%arg0, %arg1 : tensor<64x32xbf16>, tensor<32x16xbf16>) outs(%arg2 : tensor<64x16xf32>)
func.func @matrices(%a: tensor<64x32xbf16>, %b: tensor<32x16xbf16>, %c: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = tt.dot %a, %b, %c : tensor<64x32xbf16> * tensor<32x16xbf16> -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// CHECK-LABEL: func @batch
// CHECK: linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x8x4xi8>, tensor<2x4x16xi8>) outs(%arg2 : tensor<2x8x16xi32>)
func.func @batch(%a: tensor<2x8x4xi8>, %b: tensor<2x4x16xi8>, %c: tensor<2x8x16xi32>) -> tensor<2x8x16xi32> {
  %0 = tt.dot %a, %b, %c : tensor<2x8x4xi8> * tensor<2x4x16xi8> -> tensor<2x8x16xi32>
  return %0 : tensor<2x8x16xi32>
}

// -----

// A product that is added to something accumulates there.
// CHECK-LABEL: func @sum
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK: %[[R:.*]] = linalg.matmul {{.*}} outs(%[[SCALED]] : tensor<8x8xf32>)
// CHECK-NOT: arith.addf
// CHECK: return %[[R]]
func.func @sum(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = tt.dot %a, %b, %zero : tensor<8x8xf32> * tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = arith.mulf %c, %c : tensor<8x8xf32>
  %2 = arith.addf %1, %0 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// The product itself is needed as well.
// CHECK-LABEL: func @used_twice
// CHECK: linalg.matmul
// CHECK: arith.addf
func.func @used_twice(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = tt.dot %a, %a, %zero : tensor<8x8xf32> * tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = arith.addf %c, %0 : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The accumulator holds something already.
// CHECK-LABEL: func @two_sums
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} outs(%arg1
// CHECK: arith.addf %arg2, %[[P]]
func.func @two_sums(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tt.dot %a, %a, %c : tensor<8x8xf32> * tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = arith.addf %d, %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
