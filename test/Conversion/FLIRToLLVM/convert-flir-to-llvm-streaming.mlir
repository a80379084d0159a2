// RUN: flagtree-opt %s -pass-pipeline='builtin.module(flir-set-hardware{spec={#dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"streaming_bytes" = 1048576 : i64>>}},func.func(convert-flir-to-llvm))' | FileCheck %s

// Rows of a tile share a branch: all of them are aligned, or none bypasses.
// CHECK-LABEL: func @rows_share_a_branch
// CHECK: %[[PROGRAMS:.*]] = arith.muli
// CHECK: %[[MANY:.*]] = arith.cmpi ugt
// CHECK: %[[P:.*]] = llvm.getelementptr
// CHECK-NOT: store
// CHECK: %[[Q:.*]] = llvm.getelementptr
// CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]]
// CHECK: %[[B:.*]] = llvm.ptrtoint %[[Q]]
// CHECK: %[[BITS:.*]] = arith.ori %[[A]], %[[B]]
// CHECK: %[[LOW:.*]] = arith.andi %[[BITS]], %{{.*}}
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[LOW]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[MANY]], %[[ALIGNED]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: llvm.store %{{.*}}, %[[P]] {alignment = 64 : i64, nontemporal}
// CHECK-NEXT: llvm.store %{{.*}}, %[[Q]] {alignment = 64 : i64, nontemporal}
// CHECK-NEXT: } else {
// CHECK-NEXT: llvm.store %{{.*}}, %[[P]] {alignment = 4 : i64}
// CHECK-NEXT: llvm.store %{{.*}}, %[[Q]] {alignment = 4 : i64}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @rows_share_a_branch(%x: !llvm.ptr, %o: index, %v: vector<16xf32>, %w: vector<16xf32>,
    %ix: i32, %iy: i32, %iz: i32, %nx: i32, %ny: i32, %nz: i32) attributes {flir.stored_bytes = 128 : i64} {
  flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
  %c100 = arith.constant 100 : index
  %next = arith.addi %o, %c100 : index
  flir.store %w, %x[%next] strides [1] extents [16] : vector<16xf32>
  return
}

// What reads or writes memory finds the rows before it stored; those behind it have a branch of their own.
// CHECK-LABEL: func @a_read_sees_what_was_stored
// CHECK: scf.if
// CHECK: nontemporal
// CHECK: llvm.load
// CHECK: scf.if
// CHECK: nontemporal
// CHECK: llvm.intr.masked.store
// CHECK: scf.for
// CHECK: llvm.getelementptr
// CHECK: scf.if
// CHECK: nontemporal
// CHECK: nontemporal
// CHECK-NOT: nontemporal
func.func @a_read_sees_what_was_stored(%x: !llvm.ptr, %o: index, %v: vector<16xf32>, %m: vector<16xi1>,
    %ix: i32, %iy: i32, %iz: i32, %nx: i32, %ny: i32, %nz: i32) attributes {flir.stored_bytes = 128 : i64} {
  flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
  %w = flir.load %x[%o] strides [1] extents [16] -> vector<16xf32>
  flir.store %w, %x[%o] strides [1] extents [16] : vector<16xf32>
  flir.store %w, %x[%o] strides [1] extents [16] mask %m : vector<16xi1> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %o step %c1 {
    flir.store %v, %x[%i] strides [1] extents [16] : vector<16xf32>
    flir.store %w, %x[%o] strides [1] extents [16] : vector<16xf32>
  }
  return
}

// Half a line does not bypass the cache; it is stored behind what comes before it.
// CHECK-LABEL: func @small_rows_stay
// CHECK: nontemporal
// CHECK: } else {
// CHECK: }
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>
// CHECK-NOT: nontemporal
func.func @small_rows_stay(%x: !llvm.ptr, %o: index, %v: vector<16xf32>, %w: vector<8xf32>,
    %ix: i32, %iy: i32, %iz: i32, %nx: i32, %ny: i32, %nz: i32) attributes {flir.stored_bytes = 128 : i64} {
  flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
  flir.store %w, %x[%o] strides [1] extents [8] : vector<8xf32>
  return
}
