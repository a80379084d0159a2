// RUN: flagtree-opt %s -cpu-make-entry -allow-unregistered-dialect -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[ARGS:.*]]: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64) {

// A slot of 8 bytes an argument; a bool is a whole byte.
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[X:.*]] = llvm.load %[[P0]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[ARGS]][1] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[N:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i32
// CHECK: llvm.getelementptr %[[ARGS]][2] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i8
// CHECK: %[[FLAG:.*]] = arith.trunci %[[BYTE]] : i8 to i1
// CHECK: llvm.getelementptr %[[ARGS]][3] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[H:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f16

// CHECK: llvm.getelementptr %[[GRID]][0] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: %[[NX:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[GRID]][1]
// CHECK: %[[NY:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[GRID]][2]
// CHECK: %[[NZ:.*]] = llvm.load

// An empty range must not divide by a size of zero.
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]]
// CHECK: scf.if %[[ANY]] {
// CHECK: arith.remui %[[BEGIN]]
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %{{.*}} iter_args(%[[PX:.*]] = %{{.*}}, %[[PY:.*]] = %{{.*}}, %[[PZ:.*]] = %{{.*}}) -> (i32, i32, i32)
// CHECK-NEXT: "a.program"(%[[X]], %[[N]], %[[FLAG]], %[[H]], %[[PX]], %[[PY]], %[[PZ]], %[[NX]], %[[NY]], %[[NZ]])
// No division for each program: ids count.
// CHECK-NOT: arith.divui
// CHECK: scf.yield
func.func @kernel(%x: !llvm.ptr, %n: i32, %flag: i1, %h: f16, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  "a.program"(%x, %n, %flag, %h, %px, %py, %pz, %nx, %ny, %nz)
    : (!llvm.ptr, i32, i1, f16, i32, i32, i32, i32, i32, i32) -> ()
  return
}

// -----

// All programs of a range use the same buffers: made in the loop they would pile up on the stack.
// CHECK-LABEL: func.func @buffers
// CHECK-NEXT: %[[B:.*]] = memref.alloca() : memref<16xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: "a.use"(%[[B]])
func.func @buffers(%px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %b = memref.alloca() : memref<16xf32>
    "a.use"(%b) : (memref<16xf32>) -> ()
  }
  return
}

// -----

// Functions that the kernel calls are none.
// CHECK-LABEL: func.func private @helper
func.func private @helper(%x: i32) -> i32 {
  return %x : i32
}

// -----

// expected-error @+1 {{kernel 'gives' returns a value; kernels return nothing}}
func.func @gives(%px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) -> i32 {
  return %px : i32
}

// -----

// A program that calls the host gets the context of the launch.
// CHECK-LABEL: func.func @asks
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: scf.for
// CHECK-NEXT: llvm.load volatile %[[GRID]]
// CHECK-NOT: flagtree_context
func.func private @flagtree_context() -> !llvm.ptr
func.func @asks(%px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  %c = call @flagtree_context() : () -> !llvm.ptr
  %v = llvm.load volatile %c : !llvm.ptr -> i32
  return
}
