// RUN: flagtree-opt %s -flir-tile-and-fuse | FileCheck %s
// RUN: flagtree-opt %s -flir-tile-and-fuse=distinct-arguments=false | FileCheck %s --check-prefix=ANY

// The read moves into the loop of the store: blocks of 256 bytes must not lie
// in one another shifted.
// CHECK-LABEL: func @copy
// CHECK-SAME: flir.distinct = array<i64: 0, 1, 1, 256>
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK: flir.load %{{.*}} -> tensor<16xf32>
// ANY-LABEL: func @copy
// ANY-NOT: flir.distinct
// Read as a whole before anything is written.
// ANY: scf.for
// ANY: flir.load
// ANY: scf.for
// ANY: flir.store
func.func @copy(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.store %v, %y[%o] strides [1] extents [64] : tensor<64xf32>
  return
}

// Where the numbers differ no distance is enough.
// CHECK-LABEL: func @other_numbers
// CHECK-SAME: flir.distinct = array<i64: 0, 1, 0, 4611686018427387904>
func.func @other_numbers(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
  %c0 = arith.constant 0 : index
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.store %v, %y[%c0] strides [1] extents [64] : tensor<64xf32>
  return
}

// A read that moves past a store must not meet it at all, not even in place.
// CHECK-LABEL: func @past_a_store
// CHECK-SAME: flir.distinct = array<i64: 0, 1, 0, 256, 0, 2, 1, 256>
func.func @past_a_store(%x: !llvm.ptr, %y: !llvm.ptr, %z: !llvm.ptr, %o: index, %w: tensor<64xf32>) {
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.store %w, %y[%o] strides [1] extents [64] : tensor<64xf32>
  flir.store %v, %z[%o] strides [1] extents [64] : tensor<64xf32>
  return
}

// One argument, the same elements: nothing is taken for granted.
// CHECK-LABEL: func @in_place
// CHECK-NOT: flir.distinct
// CHECK: scf.for
// CHECK-NOT: scf.for
func.func @in_place(%x: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.store %v, %x[%o] strides [1] extents [64] : tensor<64xf32>
  return
}

// An atomic access with a memory order lies between: what it orders stays before.
// CHECK-LABEL: func @ordered
// CHECK-NOT: flir.distinct
// CHECK: scf.for
// CHECK: flir.load
// CHECK: flir.atomic_rmw
// CHECK: scf.for
func.func @ordered(%x: !llvm.ptr, %y: !llvm.ptr, %lock: !llvm.ptr, %o: index, %one: i32) {
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.atomic_rmw exch release device %one, %lock[%o] strides [] extents [] : i32
  flir.store %v, %y[%o] strides [1] extents [64] : tensor<64xf32>
  return
}

// A relaxed one orders nothing; it only must not be where the read is.
// CHECK-LABEL: func @relaxed
// CHECK-SAME: flir.distinct = array<i64: 0, 1, 1, 256, 0, 2, 0, 4611686018427387904>
func.func @relaxed(%x: !llvm.ptr, %y: !llvm.ptr, %count: !llvm.ptr, %o: index, %one: i32) {
  %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  flir.atomic_rmw add relaxed device %one, %count[%o] strides [] extents [] : i32
  flir.store %v, %y[%o] strides [1] extents [64] : tensor<64xf32>
  return
}
