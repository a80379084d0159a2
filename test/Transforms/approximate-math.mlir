// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-approximate-math))' | FileCheck %s

// CHECK-LABEL: func @polynomials_for_vectors_of_fp32
// CHECK-NOT: math.exp
// CHECK-NOT: math.log
// CHECK-NOT: math.erf
// CHECK: math.fma
// CHECK: return
func.func @polynomials_for_vectors_of_fp32(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.log %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  return %2 : vector<8xf32>
}

// CHECK-LABEL: func @half_precision_is_computed_in_fp32
// CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NOT: math.{{.*}} : vector<8xf16>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
func.func @half_precision_is_computed_in_fp32(%x: vector<8xf16>) -> vector<8xf16> {
  %0 = math.exp %x : vector<8xf16>
  return %0 : vector<8xf16>
}

// CHECK-LABEL: func @fp64_is_left_to_libm
// CHECK-NEXT: math.exp %{{.*}} : vector<8xf64>
// CHECK-NEXT: return
func.func @fp64_is_left_to_libm(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  return %0 : vector<8xf64>
}
