// RUN: flagtree-opt %s -convert-flir-program-to-llvm -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @[[BLOCK:.*]]("f32 dec 0 4x8\0A v: \00")
// CHECK-DAG: llvm.mlir.global internal constant @[[SCALAR:.*]]("s32 dec 1 \0A v: \00")
// CHECK-LABEL: func.func @print
// CHECK-SAME: (%[[T:.*]]: tensor<4x8xf32>, %[[S:.*]]: i32, %[[X:.*]]: i32, %[[Y:.*]]: i32, %[[Z:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[T]] read_only : tensor<4x8xf32> to memref<4x8xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: %[[WORDS:.*]] = llvm.mlir.addressof @[[BLOCK]]
// CHECK: %[[CONTEXT:.*]] = call @flagtree_context()
// CHECK: llvm.call %{{.*}}(%[[CONTEXT]], %[[X]], %[[Y]], %[[Z]], %[[WORDS]], %{{.*}})
// CHECK: memref.store %[[S]]
// CHECK: llvm.mlir.addressof @[[SCALAR]]
// CHECK: llvm.call
func.func @print(%t: tensor<4x8xf32>, %s: i32, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  flir.print " v: " hex = false signed = [0, 1] (%t, %s) : tensor<4x8xf32>, i32
  return
}

// -----

// CHECK: llvm.mlir.global internal constant @[[WORDS:.*]]("negative\0A  kernel.py:12, called from kernel.py:40\00")
// CHECK-LABEL: func.func @assert
// CHECK: %[[FAILED:.*]] = arith.xori
// CHECK: scf.if %[[FAILED]] {
// CHECK: llvm.mlir.addressof @[[WORDS]]
// CHECK: llvm.call
#inner = loc("kernel.py":12:3)
#outer = loc("kernel.py":40:7)
func.func @assert(%c: i1, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  flir.assert %c, "negative" loc(callsite(#inner at #outer))
  return
}

// -----

func.func @without_a_grid(%c: i1) {
  // expected-error @+1 {{'flir.assert' op needs a function whose last six arguments are the grid's}}
  flir.assert %c, "never"
  return
}
