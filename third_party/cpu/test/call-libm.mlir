// RUN: flagtree-opt %s -cpu-call-libm | FileCheck %s

// CHECK-DAG: func.func private @erf(f64) -> f64
// CHECK-DAG: func.func private @erff(f32) -> f32

// CHECK-LABEL: func @scalars
// CHECK: call @erf(%{{.*}}) : (f64) -> f64
// CHECK: call @erff(%{{.*}}) : (f32) -> f32
func.func @scalars(%x: f64, %y: f32) -> (f64, f32) {
  %0 = math.erf %x : f64
  %1 = math.erf %y : f32
  return %0, %1 : f64, f32
}

// CHECK-LABEL: func @each_element_of_a_vector
// CHECK: %[[OUT:.*]] = memref.alloca() {{.*}} : memref<8xf64>
// CHECK: %[[IN:.*]] = memref.alloca() {{.*}} : memref<8xf64>
// CHECK: vector.store %{{.*}}, %[[IN]]
// CHECK: scf.for
// CHECK:   memref.load %[[IN]]
// CHECK:   call @erf(
// CHECK:   memref.store %{{.*}}, %[[OUT]]
// CHECK: vector.load %[[OUT]]
// CHECK-NOT: math.erf
func.func @each_element_of_a_vector(%x: vector<2x4xf64>) -> vector<2x4xf64> {
  %0 = math.erf %x : vector<2x4xf64>
  return %0 : vector<2x4xf64>
}

// CHECK-LABEL: func @functions_by_name
// CHECK: call @tgamma(%{{.*}}) : (f64) -> f64
// CHECK: scf.for
// CHECK:   call @ldexpf(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
func.func @functions_by_name(%x: f64, %y: vector<4xf32>, %n: vector<4xi32>) -> (f64, vector<4xf32>) {
  %0 = flir.extern "tgamma"(%x) : (f64) -> f64
  %1 = flir.extern "ldexpf"(%y, %n) : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
  return %0, %1 : f64, vector<4xf32>
}

// LLVM has operations for these, which may become instructions.
// CHECK-LABEL: func @what_llvm_has
// CHECK: math.floor
// CHECK: math.sqrt
// CHECK: math.fma
// CHECK-NOT: call
func.func @what_llvm_has(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.floor %x : vector<4xf64>
  %1 = math.sqrt %0 : vector<4xf64>
  %2 = math.fma %0, %1, %x : vector<4xf64>
  return %2 : vector<4xf64>
}
