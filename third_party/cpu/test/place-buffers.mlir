// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-place-buffers))' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-place-buffers{stack-bytes=300}))' | FileCheck %s --check-prefixes=SMALL,ALL

// ALL-LABEL: func @in_a_loop
// CHECK-NEXT: %[[B:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK: scf.for
// CHECK-NEXT: memref.store %{{.*}}, %[[B]]
// SMALL: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
func.func @in_a_loop(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    memref.store %v, %a[%c0] : memref<64xf32>
  }
  return
}

// What does not fit is made once, and freed at the end.
// ALL-LABEL: func @two_of_them
// CHECK-COUNT-2: memref.alloca()
// CHECK-NOT: memref.dealloc
// CHECK: return
// SMALL-DAG: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// SMALL-DAG: %[[HEAP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64xf64>
// SMALL: scf.for
// SMALL: memref.dealloc %[[HEAP]]
// SMALL-NEXT: return
func.func @two_of_them(%n: index, %v: f32, %w: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    memref.store %v, %a[%c0] : memref<64xf32>
    %b = memref.alloc() : memref<64xf64>
    memref.store %w, %b[%c0] : memref<64xf64>
  }
  return
}

// ALL-LABEL: func @large
// CHECK: %[[HEAP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1024x1024xf32>
// CHECK: memref.dealloc %[[HEAP]]
func.func @large(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024x1024xf32>
  memref.store %v, %a[%c0, %c0] : memref<1024x1024xf32>
  return
}

// An iteration that still needs the buffer of the one before has one of its own.
// ALL-LABEL: func @carried
// CHECK: memref.alloca()
// CHECK: scf.for
// CHECK-NEXT: memref.alloc()
func.func @carried(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %b) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %o, %a : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  memref.store %v, %r[%c0] : memref<64xf32>
  return
}
