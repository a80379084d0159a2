// RUN: flagtree-opt %s -allow-unregistered-dialect -split-input-file -pass-pipeline='builtin.module(func.func(flir-unroll-rows,canonicalize,cse))' | FileCheck %s

// The transposition of a tile on its way from memory to memory: two rounds
// within lanes of 128 bits, one that exchanges lanes.
// CHECK-LABEL: func @eight_by_eight
// CHECK-COUNT-8: flir.load {{.*}} strides [1] extents [8] -> vector<8xf32>
// CHECK-NOT: flir.load
// CHECK-COUNT-2: vector.shuffle %{{.*}} [{{0, 8, 1, 9, 4, 12, 5, 13|2, 10, 3, 11, 6, 14, 7, 15}}] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-14: vector.shuffle %{{.*}} [{{0, 8, 1, 9, 4, 12, 5, 13|2, 10, 3, 11, 6, 14, 7, 15}}] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-8: vector.shuffle %{{.*}} [{{0, 1, 2, 3, 8, 9, 10, 11|4, 5, 6, 7, 12, 13, 14, 15}}] : vector<8xf32>, vector<8xf32>
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: flir.store {{.*}} strides [1] extents [8] : vector<8xf32>
func.func @eight_by_eight(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %n: index, %m: index) {
  %v = flir.load %x[%at] strides [%n, 1] extents [8, 8] -> vector<8x8xf32>
  %t = vector.transpose %v, [1, 0] : vector<8x8xf32> to vector<8x8xf32>
  flir.store %t, %o[%at] strides [%m, 1] extents [8, 8] : vector<8x8xf32>
  return
}

// -----

// More columns than rows: each lane gives a row of its own.
// CHECK-LABEL: func @wide
// CHECK-COUNT-8: vector.shuffle
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [4], sizes = [4], strides = [1]}
func.func @wide(%x: !llvm.ptr, %o: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [8, 1] extents [4, 8] -> vector<4x8xf32>
  %t = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  flir.store %t, %o[%at] strides [4, 1] extents [8, 4] : vector<8x4xf32>
  return
}

// More rows than columns: a row is put together from two registers.
// CHECK-LABEL: func @tall
// CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
func.func @tall(%x: !llvm.ptr, %o: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [4, 1] extents [8, 4] -> vector<8x4xf32>
  %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  flir.store %t, %o[%at] strides [8, 1] extents [4, 8] : vector<4x8xf32>
  return
}

// -----

// A column is a row, here with its bound.
// CHECK-LABEL: func @a_column
// CHECK: %[[V:.*]] = flir.load %arg0[%arg2] strides [1] extents [%arg3] pad %{{.*}} : f32 -> vector<16xf32>
// CHECK: %[[W:.*]] = arith.addf %[[V]], %[[V]] fastmath<nnan> : vector<16xf32>
// CHECK: flir.store %[[W]], %arg1[%arg2] strides [7] extents [%arg3] {note} : vector<16xf32>
func.func @a_column(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %e: index, %n: index, %pad: f32) {
  %v = flir.load %x[%at] strides [%n, 1] extents [1, %e] pad %pad : f32 -> vector<1x16xf32>
  %t = vector.transpose %v, [1, 0] : vector<1x16xf32> to vector<16x1xf32>
  %w = arith.addf %t, %t fastmath<nnan> : vector<16x1xf32>
  flir.store %w, %o[%at] strides [7, %n] extents [%e, 1] {note} : vector<16x1xf32>
  return
}

// -----

// The bound of another dimension makes a row whole or empty.
// CHECK-LABEL: func @bounded_rows
// CHECK-DAG: %[[ANY:.*]] = arith.cmpi sgt, %[[R:.*]], %c0
// CHECK-DAG: %[[SECOND:.*]] = arith.cmpi sgt, %[[R]], %c1
// CHECK-DAG: %[[E0:.*]] = arith.select %[[ANY]], %[[C:.*]], %c0
// CHECK-DAG: %[[E1:.*]] = arith.select %[[SECOND]], %[[C]], %c0
// CHECK-DAG: flir.load %arg0[%arg2] strides [1] extents [%[[E0]]] mask %{{.*}} : vector<4xi1>
// CHECK-DAG: flir.load %arg0[%{{.*}}] strides [1] extents [%[[E1]]] mask %{{.*}} : vector<4xi1>
func.func @bounded_rows(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %r: index, %c: index, %m: memref<2x4xi1>) {
  %zero = arith.constant 0 : index
  %false = arith.constant false
  %mask = vector.transfer_read %m[%zero, %zero], %false {in_bounds = [true, true]} : memref<2x4xi1>, vector<2x4xi1>
  %v = flir.load %x[%at] strides [100, 1] extents [%r, %c] mask %mask : vector<2x4xi1> -> vector<2x4xf32>
  flir.store %v, %o[%at] strides [4, 1] extents [2, 4] : vector<2x4xf32>
  return
}

// -----

// Loops and branches carry rows.
// CHECK-LABEL: func @carried
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xf32>)
// CHECK:   vector.fma %{{.*}}, %{{.*}}, %[[A]] : vector<4xf32>
// CHECK:   vector.fma %{{.*}}, %{{.*}}, %[[B]] : vector<4xf32>
// CHECK: scf.if {{.*}} -> (vector<4xf32>, vector<4xf32>)
// CHECK: vector.transfer_write %{{.*}}, %arg4[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<2x4xf32>
// CHECK: vector.transfer_write %{{.*}}, %arg4[%c1, %c0] {in_bounds = [true]} : vector<4xf32>, memref<2x4xf32>
func.func @carried(%n: index, %l: vector<2xf32>, %r: vector<4xf32>, %p: i1, %m: memref<2x4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant dense<0.0> : vector<2x4xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%a = %start) -> vector<2x4xf32> {
    %b = vector.outerproduct %l, %r, %a {kind = #vector.kind<add>} : vector<2xf32>, vector<4xf32>
    scf.yield %b : vector<2x4xf32>
  }
  %c = scf.if %p -> vector<2x4xf32> {
    %d = arith.negf %sum : vector<2x4xf32>
    scf.yield %d : vector<2x4xf32>
  } else {
    scf.yield %sum : vector<2x4xf32>
  }
  vector.transfer_write %c, %m[%zero, %zero] {in_bounds = [true, true]} : vector<2x4xf32>, memref<2x4xf32>
  return
}

// -----

// CHECK-LABEL: func @broadcasts
// CHECK-DAG: %[[ROW:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK-DAG: %[[P:.*]] = arith.addf %[[ROW]], %arg1 : vector<4xf32>
// CHECK: return %{{.*}} : vector<4xf32>
func.func @broadcasts(%column: vector<2x1xf32>, %row: vector<4xf32>) -> vector<4xf32> {
  %a = vector.broadcast %column : vector<2x1xf32> to vector<2x4xf32>
  %b = vector.broadcast %row : vector<4xf32> to vector<2x4xf32>
  %c = arith.addf %a, %b : vector<2x4xf32>
  %d = vector.extract %c[1] : vector<4xf32> from vector<2x4xf32>
  return %d : vector<4xf32>
}

// -----

// What is not known here gets its vectors whole.
// CHECK-LABEL: func @others
// CHECK: "test.use"(%{{.*}}) : (vector<2x4xf32>) -> vector<4x2xf32>
// CHECK: vector.extract %{{.*}}[3] : vector<2xf32> from vector<4x2xf32>
func.func @others(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [4, 1] extents [2, 4] -> vector<2x4xf32>
  %w = "test.use"(%v) : (vector<2x4xf32>) -> vector<4x2xf32>
  %r = vector.shape_cast %w : vector<4x2xf32> to vector<8xf32>
  flir.store %r, %x[%at] strides [1] extents [8] : vector<8xf32>
  return
}

// -----

// The index of a row is part of its offset; one along the row stays with it.
// CHECK-LABEL: func @indices
// CHECK: %[[I:.*]] = vector.extract %arg2[1] : i64 from vector<2xi64>
// CHECK: %[[X:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK: %[[AT:.*]] = arith.addi %arg1, %[[X]] : index
// CHECK: flir.load %arg0[%[[AT]]] strides [0] extents [4] indirect [0](%arg3 : vector<4xi64>) -> vector<4xf32>
func.func @indices(%x: !llvm.ptr, %at: index, %rows: vector<2xi64>, %columns: vector<4xi64>) {
  %v = flir.load %x[%at] strides [0, 0] extents [2, 4] indirect [0, 1] (%rows, %columns : vector<2xi64>, vector<4xi64>) -> vector<2x4xf32>
  flir.store %v, %x[%at] strides [4, 1] extents [2, 4] : vector<2x4xf32>
  return
}
