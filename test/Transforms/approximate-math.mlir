// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-approximate-math))' | FileCheck %s

// CHECK-LABEL: func @polynomials_for_vectors_of_fp32
// CHECK-NOT: math.exp
// CHECK-NOT: math.log
// CHECK-NOT: math.erf
// CHECK-NOT: math.tanh
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK: arith.addf {{.*}} fastmath<contract>
// CHECK: return
func.func @polynomials_for_vectors_of_fp32(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.log %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = math.tanh %2 : vector<8xf32>
  return %3 : vector<8xf32>
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

// Large arguments go to libm one by one, through a buffer made once.
// CHECK-LABEL: func @circular_functions
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
// CHECK: %[[MOST:.*]] = vector.reduction <maxui>, %{{.*}} : vector<8xi32> into i32
// CHECK: %[[IN_REACH:.*]] = arith.cmpi ule, %[[MOST]], %{{.*}} : i32
// CHECK: scf.if %[[IN_REACH]] -> (vector<8xf32>) {
// CHECK-NOT: math.sin
// CHECK: } else {
// CHECK: vector.store %{{.*}}, %[[BUFFER]]
// CHECK: scf.for
// CHECK: math.sin %{{.*}} : f32
// CHECK: vector.load %[[BUFFER]]
func.func @circular_functions(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = math.sin %x : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// CHECK-LABEL: func @circular_functions_of_scalars
// CHECK-NEXT: math.cos %{{.*}} : f32
// CHECK-NEXT: return
func.func @circular_functions_of_scalars(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}
