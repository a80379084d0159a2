// RUN: flagtree-opt %s -cpu-place-buffers | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: flagtree-opt %s -cpu-place-buffers=stack-bytes=300 | FileCheck %s --check-prefixes=SMALL,ALL

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

// What does not fit lies in the host's memory, asked for once.
// ALL-LABEL: func @two_of_them
// CHECK-COUNT-2: memref.alloca()
// SMALL: %[[BYTES:.*]] = arith.constant 512 : i64
// SMALL: %[[MEMORY:.*]] = llvm.call %{{.*}}(%{{.*}}, %[[BYTES]])
// SMALL: %[[ARENA:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<512xi8>
// SMALL: %[[HEAP:.*]] = memref.view %[[ARENA]][%{{.*}}][] : memref<512xi8> to memref<64xf64>
// SMALL: memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// SMALL: scf.for
// SMALL: memref.store %{{.*}}, %[[HEAP]]
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
// ALL: arith.constant 4194304 : i64
// ALL: memref.view %{{.*}} : memref<4194304xi8> to memref<1024x1024xf32>
// ALL-NOT: memref.alloc
// ALL: return
func.func @large(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024x1024xf32>
  memref.store %v, %a[%c0, %c0] : memref<1024x1024xf32>
  return
}

// An iteration that still needs the buffer of the one before takes the other of two.
// ALL-LABEL: func @carried
// CHECK-DAG: %[[P:.*]] = memref.alloca()
// CHECK-DAG: %[[Q:.*]] = memref.alloca()
// CHECK: scf.for %{{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK-DAG: %[[IN_USE:.*]] = memref.extract_aligned_pointer_as_index %[[OLD]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %[[IN_USE]]
// CHECK: %[[FREE:.*]] = arith.select %[[SAME]]
// CHECK: memref.copy %[[OLD]], %[[FREE]]
// CHECK: scf.yield %[[FREE]]
// ALL-NOT: memref.alloc()
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

// Two carried values may lie in one buffer's places: three of them.
// ALL-LABEL: func @rotated
// CHECK-COUNT-5: memref.alloca()
// CHECK: scf.for
// CHECK: arith.ori
func.func @rotated(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %b, %p = %c) -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %o, %a : memref<4xf32> to memref<4xf32>
    scf.yield %p, %a : memref<4xf32>, memref<4xf32>
  }
  %s = memref.load %r#0[%c0] : memref<4xf32>
  return %s : f32
}
