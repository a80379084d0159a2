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
// CHECK-NOT: to vector<8xbf16>
// CHECK: arith.cmpf une
// CHECK: arith.shrui
// CHECK: arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: arith.bitcast %{{.*}} : vector<8xi16> to vector<8xbf16>
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

// Half a unit of the last place, and what makes ties even.
// CHECK-LABEL: func @fp32_to_bf16
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK: %[[UPPER:.*]] = arith.shrui %[[BITS]], %c16
// CHECK: %[[ODD:.*]] = arith.andi %[[UPPER]], %c1
// CHECK: %[[HALF:.*]] = arith.addi %[[ODD]], %c32767
// CHECK: arith.addi %[[BITS]], %[[HALF]]
func.func @fp32_to_bf16(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @bf16_that_only_moves
// CHECK: vector.broadcast %{{.*}} : i16 to vector<8xi16>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi16>
func.func @bf16_that_only_moves(%x: bf16, %m: vector<8xi1>, %y: vector<8xbf16>) -> vector<8xbf16> {
  %0 = vector.broadcast %x : bf16 to vector<8xbf16>
  %1 = arith.select %m, %0, %y : vector<8xi1>, vector<8xbf16>
  return %1 : vector<8xbf16>
}

// CHECK-LABEL: func @arithmetic_on_bf16
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: arith.bitcast %[[S]] : vector<8xf32> to vector<8xi32>
// CHECK: arith.sitofp %{{.*}} : vector<8xi8> to vector<8xf32>
func.func @arithmetic_on_bf16(%x: vector<8xbf16>, %i: vector<8xi8>) -> (vector<8xbf16>, vector<8xbf16>) {
  %0 = arith.addf %x, %x : vector<8xbf16>
  %1 = arith.sitofp %i : vector<8xi8> to vector<8xbf16>
  return %0, %1 : vector<8xbf16>, vector<8xbf16>
}

// CHECK-LABEL: func @long_integers_to_bf16
// CHECK: arith.select
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @long_integers_to_bf16(%x: i64) -> bf16 {
  %0 = arith.sitofp %x : i64 to bf16
  return %0 : bf16
}
