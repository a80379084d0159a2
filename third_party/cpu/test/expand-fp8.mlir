// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-expand-casts))' | FileCheck %s

// The digits of the code are those of an fp32 number; NaN is apart.
// CHECK-LABEL: func @widen
// CHECK: %[[CODE:.*]] = arith.bitcast %{{.*}} : vector<8xf8E4M3FN> to vector<8xi8>
// CHECK: arith.extui %[[CODE]] : vector<8xi8> to vector<8xi32>
// CHECK: arith.mulf
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK-NOT: arith.extf
func.func @widen(%x: vector<8xf8E4M3FN>) -> vector<8xf32> {
  %0 = arith.extf %x : vector<8xf8E4M3FN> to vector<8xf32>
  return %0 : vector<8xf32>
}

// Infinities, which e5m2 has, keep their digits.
// CHECK-LABEL: func @widen_to_half
// CHECK: arith.cmpi uge
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @widen_to_half(%x: f8E5M2) -> f16 {
  %0 = arith.extf %x : f8E5M2 to f16
  return %0 : f16
}

// What is too large becomes the largest number.
// CHECK-LABEL: func @narrow
// CHECK: %[[MOST:.*]] = arith.constant dense<1138753536> : vector<8xi32>
// CHECK: arith.minsi %{{.*}}, %[[MOST]]
// CHECK: arith.trunci %{{.*}} : vector<8xi32> to vector<8xi8>
// CHECK-NOT: arith.truncf
func.func @narrow(%x: vector<8xf32>) -> vector<8xf8E4M3FN> {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xf8E4M3FN>
  return %0 : vector<8xf8E4M3FN>
}

// fp64 goes through fp32 rounded to odd.
// CHECK-LABEL: func @narrow_from_fp64
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.cmpf one
// CHECK-NOT: f64 to f8
func.func @narrow_from_fp64(%x: f64) -> f8E5M2FNUZ {
  %0 = arith.truncf %x : f64 to f8E5M2FNUZ
  return %0 : f8E5M2FNUZ
}

// CHECK-LABEL: func @arithmetic_in_fp32
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK-NOT: arith.addf %{{.*}} : vector<8xf8
func.func @arithmetic_in_fp32(%x: vector<8xf8E4M3FNUZ>) -> vector<8xf8E4M3FNUZ> {
  %0 = arith.addf %x, %x : vector<8xf8E4M3FNUZ>
  return %0 : vector<8xf8E4M3FNUZ>
}
