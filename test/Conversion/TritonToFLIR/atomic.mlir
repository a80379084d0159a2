// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @block
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[V:.*]]: tensor<64xf32>, %[[N:.*]]: i32)
// CHECK: %[[E:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: flir.atomic_rmw fadd acq_rel device %[[V]], %[[X]][%c0] strides [1] extents [%[[E]]] : tensor<64xf32>{{$}}
func.func @block(%x: !tt.ptr<f32>, %v: tensor<64xf32>, %n: i32) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  return
}

// The language writes limits of floats on their bits; the base stays the argument.
// CHECK-LABEL: func.func @bits
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[V:.*]]: tensor<64xi32>, %[[M:.*]]: tensor<64xi1>)
// CHECK: %[[OLD:.*]] = flir.atomic_rmw max relaxed program %[[V]], %[[X]][%c0] strides [1] extents [64] mask %[[M]] : tensor<64xi1> : tensor<64xi32> -> tensor<64xi32>
// CHECK: return %[[OLD]]
func.func @bits(%x: !tt.ptr<f32>, %v: tensor<64xi32>, %m: tensor<64xi1>) -> tensor<64xi32> {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %b = tt.bitcast %p : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
  %0 = tt.atomic_rmw max, relaxed, cta, %b, %v, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
  return %0 : tensor<64xi32>
}

// CHECK-LABEL: func.func @one_element
// CHECK: %{{.*}} = flir.atomic_rmw add release system %{{.*}}, %{{.*}}[%{{.*}}] strides [] extents [] mask %{{.*}} : i1 : i32 -> i32
// A mask that is true is none.
// CHECK: flir.atomic_rmw exch acquire device %{{.*}}, %{{.*}}[%{{.*}}] strides [] extents [] : i32{{$}}
func.func @one_element(%x: !tt.ptr<i32>, %k: i32, %v: i32, %c: i1) -> i32 {
  %true = arith.constant true
  %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
  %0 = tt.atomic_rmw add, release, sys, %p, %v, %c : (!tt.ptr<i32>, i32, i1) -> i32
  %1 = tt.atomic_rmw exch, acquire, gpu, %p, %v, %true : (!tt.ptr<i32>, i32, i1) -> i32
  return %0 : i32
}

// CHECK-LABEL: func.func @loaded_places
// CHECK: flir.scatter_rmw add relaxed device %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64xi1> : tensor<64xi32>, tensor<64xi64>{{$}}
func.func @loaded_places(%p: tensor<64x!tt.ptr<i32>>, %v: tensor<64xi32>, %m: tensor<64xi1>) {
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
  return
}

// CHECK-LABEL: func.func @others
// CHECK: flir.atomic_cas acq_rel device %{{.*}}, %{{.*}}, %{{.*}} : f32, i64
// CHECK: flir.atomic_load acquire device %{{.*}} mask %{{.*}} : i1 : i64 -> f32
// A store is an exchange whose old value nobody wants.
// CHECK: flir.atomic_rmw exch release device %{{.*}}, %{{.*}}[%c0] strides [] extents [] : f32{{$}}
func.func @others(%x: !tt.ptr<f32>, %v: f32, %c: i1) -> (f32, f32) {
  %true = arith.constant true
  %0 = tt.atomic_cas acq_rel, gpu, %x, %v, %v : (!tt.ptr<f32>, f32, f32) -> f32
  %1 = tt.atomic_load acquire, gpu, %x, %c : (!tt.ptr<f32>, i1) -> f32
  tt.atomic_store release, gpu, %x, %v, %true : !tt.ptr<f32>
  return %0, %1 : f32, f32
}

// A time to wait becomes a point in time; one too far away has no end.
// CHECK-LABEL: func.func @wait
// CHECK-SAME: %[[T:[^:]*]]: i64)
// CHECK-DAG: %[[LAST:.*]] = arith.constant 9223372036854775807 : i64
// CHECK-DAG: %[[NOW:.*]] = flir.clock
// CHECK: %[[SUM:.*]] = arith.addi %[[NOW]], %[[T]] : i64
// CHECK: %[[WRAPS:.*]] = arith.cmpi slt, %[[SUM]], %[[NOW]] : i64
// CHECK: %[[UNTIL:.*]] = arith.select %[[WRAPS]], %[[LAST]], %[[SUM]] : i64
// CHECK: flir.atomic_poll acquire device %{{.*}}, %{{.*}} until %[[UNTIL]] : i32, i64 -> i1
func.func @wait(%x: !tt.ptr<i32>, %v: i32, %t: i64) -> i1 {
  %0 = tt.atomic_poll acquire, gpu, %x, %v timeout %t : !tt.ptr<i32>, i32 -> i1
  return %0 : i1
}
