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
// CHECK-COUNT-4: call @erf(
// CHECK-NOT: math.erf
func.func @each_element_of_a_vector(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.erf %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// LLVM has operations for these, which may become instructions.
// CHECK-LABEL: func @what_llvm_has
// CHECK: math.floor
// CHECK: math.exp
// CHECK: math.fma
// CHECK-NOT: call
func.func @what_llvm_has(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.floor %x : vector<4xf64>
  %1 = math.exp %0 : vector<4xf64>
  %2 = math.fma %0, %1, %x : vector<4xf64>
  return %2 : vector<4xf64>
}
