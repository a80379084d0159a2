// RUN: flagtree-opt %s -convert-flir-atomics-to-llvm -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// Extents end the loop; no element looks at a mask.
// CHECK-LABEL: func @sum
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[O:.*]]: index, %[[E:.*]]: index, %[[V:.*]]: vector<16xi32>)
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xi32>
// CHECK: vector.store %[[V]], %[[BUFFER]][%c0] : memref<16xi32>, vector<16xi32>
// CHECK: %[[LOW:.*]] = arith.minsi %[[E]], %c16
// CHECK: %[[END:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK: scf.for %[[I:.*]] = %c0 to %[[END]] step %c1 {
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[O]], %[[I]] : index
// CHECK-NEXT: %[[EACH:.*]] = memref.load %[[BUFFER]][%[[I]]] : memref<16xi32>
// CHECK-NEXT: %[[BYTES:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK-NEXT: %[[P:.*]] = llvm.getelementptr %[[X]][%[[BYTES]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT: llvm.atomicrmw add %[[P]], %[[EACH]] monotonic {alignment = 4 : i64} : !llvm.ptr, i32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @sum(%x: !llvm.ptr, %o: index, %e: index, %v: vector<16xi32>) {
  flir.atomic_rmw add relaxed device %v, %x[%o] strides [1] extents [%e] : vector<16xi32>
  return
}

// -----

// CHECK-LABEL: func @old_values_of_a_tile
// CHECK: vector.store %cst, %[[OLD:.*]][%c0] : memref<8xi32>, vector<8xi32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if %{{.*}} {
// CHECK: %[[R:.*]] = llvm.atomicrmw umax %{{.*}}, %{{.*}} acq_rel
// CHECK: memref.store %[[R]], %[[OLD]]
// CHECK: %[[LINE:.*]] = vector.load %[[OLD]][%c0] : memref<8xi32>, vector<8xi32>
// CHECK: %[[BLOCK:.*]] = vector.shape_cast %[[LINE]] : vector<8xi32> to vector<2x4xi32>
// CHECK: return %[[BLOCK]]
func.func @old_values_of_a_tile(%x: !llvm.ptr, %o: index, %ld: index, %v: vector<2x4xi32>, %m: vector<2x4xi1>) -> vector<2x4xi32> {
  %0 = flir.atomic_rmw umax acq_rel device %v, %x[%o] strides [%ld, 1] extents [2, 4] mask %m : vector<2x4xi1> : vector<2x4xi32> -> vector<2x4xi32>
  return %0 : vector<2x4xi32>
}

// -----

// CHECK-LABEL: func @floats
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic {alignment = 4 : i64} : !llvm.ptr, f32
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} acq_rel {alignment = 8 : i64} : !llvm.ptr, i64
// 16 bits: a compare and swap around a sum in 32 bits.
// CHECK: %[[FIRST:.*]] = llvm.load %[[P:.*]] atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: scf.while (%[[OLD:.*]] = %[[FIRST]])
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[PAIR:.*]] = llvm.cmpxchg %[[P]], %[[OLD]], %{{.*}} release monotonic {alignment = 2 : i64} : !llvm.ptr, i16
// CHECK: %[[SEEN:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK: %[[AGAIN:.*]] = arith.cmpi ne, %[[SEEN]], %[[OLD]] : i16
// CHECK: scf.condition(%[[AGAIN]]) %[[SEEN]]
func.func @floats(%x: !llvm.ptr, %o: index, %a: f32, %b: f64, %c: bf16) -> f64 {
  flir.atomic_rmw fadd relaxed device %a, %x[%o] strides [] extents [] : f32
  %0 = flir.atomic_rmw exch acq_rel device %b, %x[%o] strides [] extents [] : f64 -> f64
  flir.atomic_rmw fadd release device %c, %x[%o] strides [] extents [] : bf16
  return %0 : f64
}

// -----

// An exchange that nobody asks for the old value of, and that acquires nothing, is a store.
// CHECK-LABEL: func @stores
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 4 : i64}
// CHECK-NOT: llvm.store
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} acq_rel
func.func @stores(%x: !llvm.ptr, %o: index, %v: i32) {
  flir.atomic_rmw exch release device %v, %x[%o] strides [] extents [] : i32
  flir.atomic_rmw exch acq_rel device %v, %x[%o] strides [] extents [] : i32
  return
}

// -----

// CHECK-LABEL: func @at_an_address
// CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK: llvm.load %[[P]] atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: } else {
// CHECK: scf.yield %c0_i32
func.func @at_an_address(%a: i64, %m: i1) -> i32 {
  %0 = flir.atomic_load acquire device %a mask %m : i1 : i64 -> i32
  return %0 : i32
}

// -----

// The host tells the time and lets others run.
// CHECK: func.func private @flagtree_context() -> !llvm.ptr
// CHECK-LABEL: func @wait
// CHECK: %[[CONTEXT:.*]] = call @flagtree_context()
// CHECK: scf.while
// CHECK: %[[TABLE:.*]] = llvm.getelementptr %[[CONTEXT]][16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[NOW:.*]] = llvm.call %{{.*}}(%[[CONTEXT]]) : !llvm.ptr, (!llvm.ptr) -> i64
// CHECK: arith.cmpi sge, %[[NOW]], %{{.*}}
// CHECK: scf.condition
// CHECK: llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (!llvm.ptr) -> ()
func.func @wait(%a: i64, %v: i32, %t: i64) -> i1 {
  %0 = flir.atomic_poll acquire device %v, %a until %t : i32, i64 -> i1
  return %0 : i1
}

// -----

func.func @on_tensors(%a: tensor<8xi64>, %v: tensor<8xi32>) {
  // expected-error @+1 {{'flir.scatter_rmw' op on a tensor must be tiled and vectorised before it is lowered}}
  flir.scatter_rmw add relaxed device %v, %a : tensor<8xi32>, tensor<8xi64>
  return
}
