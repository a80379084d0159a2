// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-expand-casts))' | FileCheck %s

// fp64 reaches fp16 through fp32 rounded to odd.
// CHECK-LABEL: func @fp64_to_fp16
// CHECK-SAME: (%[[X:.*]]: f64)
// CHECK: %[[T:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[W:.*]] = arith.extf %[[T]] : f32 to f64
// CHECK: %[[AWAY:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f64
// CHECK: %[[BITS:.*]] = arith.bitcast %[[T]] : f32 to i32
// CHECK: %[[ONE:.*]] = arith.extui %[[AWAY]] : i1 to i32
// CHECK: %[[DOWN:.*]] = arith.subi %[[BITS]], %[[ONE]] : i32
// CHECK: arith.ori %[[DOWN]], %{{.*}} : i32
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[W]], %[[X]] : f64
// CHECK: %[[ODD:.*]] = arith.select %[[INEXACT]], %{{.*}}, %[[T]] : f32
// CHECK: arith.truncf %[[ODD]] : f32 to f16
func.func @fp64_to_fp16(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// CHECK-LABEL: func @vectors
// CHECK: arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK-NOT: f64 to bf16
func.func @vectors(%x: vector<8xf64>) -> vector<8xbf16> {
  %0 = arith.truncf %x : vector<8xf64> to vector<8xbf16>
  return %0 : vector<8xbf16>
}

// CHECK-LABEL: func @towards_zero
// CHECK-NOT: toward_zero
// CHECK: %[[T:.*]] = arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: arith.bitcast %[[T]] : vector<8xf16> to vector<8xi16>
// CHECK: %[[DOWN:.*]] = arith.subi
// CHECK: %[[R:.*]] = arith.bitcast %[[DOWN]] : vector<8xi16> to vector<8xf16>
// CHECK: return %[[R]]
func.func @towards_zero(%x: vector<8xf32>) -> vector<8xf16> {
  %0 = arith.truncf %x toward_zero : vector<8xf32> to vector<8xf16>
  return %0 : vector<8xf16>
}

// CHECK-LABEL: func @what_the_machine_does_itself
// CHECK-NEXT: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT: return
func.func @what_the_machine_does_itself(%x: vector<8xf32>, %y: f64) -> (vector<8xf16>, f32) {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xf16>
  %1 = arith.truncf %y : f64 to f32
  return %0, %1 : vector<8xf16>, f32
}
