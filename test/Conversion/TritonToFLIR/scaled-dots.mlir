// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s

// Two elements of four bits lie in one byte; a scale is the exponent of a power of two.
// CHECK-LABEL: func @four_bits
// CHECK: arith.andi %{{.*}}, %{{.*}} : tensor<16x16xi8>
// CHECK: arith.shrui %{{.*}}, %{{.*}} : tensor<16x16xi8>
// CHECK: arith.sitofp %{{.*}} : tensor<16x16xi32> to tensor<16x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<16x16x2xf32>)
// CHECK: arith.extf %{{.*}} : tensor<32x16xbf16> to tensor<32x16xf32>
// CHECK: arith.shli %{{.*}}, %{{.*}} : tensor<16x1xi32>
// CHECK: arith.bitcast %{{.*}} : tensor<16x1xi32> to tensor<16x1xf32>
// CHECK: %[[A:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<16x32xf32>
// CHECK: linalg.matmul ins(%[[A]], %{{.*}} : tensor<16x32xf32>, tensor<32x16xf32>)
func.func @four_bits(%a: tensor<16x16xi8>, %s: tensor<16x1xi8>, %b: tensor<32x16xbf16>,
                     %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false}
    : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xbf16> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
