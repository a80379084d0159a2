// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// Pointers that are affine in the position become offset, strides and extents.

// CHECK-LABEL: func @masked_block
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[O:.*]]: !llvm.ptr, %[[N:.*]]: i32, %[[PID:.*]]: i32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[START:.*]] = arith.muli %[[PID]], %{{.*}} : i32
// CHECK-DAG: %[[OFFSET:.*]] = arith.index_cast %[[START]] : i32 to index
// CHECK-DAG: %[[BOUND:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[EXTENT:.*]] = arith.subi %[[BOUND]], %[[OFFSET]] : index
// CHECK: %[[V:.*]] = flir.load %[[X]][%[[OFFSET]]] strides [1] extents [%[[EXTENT]]] pad %[[ZERO]] : f32 -> tensor<64xf32>
// CHECK: flir.store %[[V]], %[[O]][%[[OFFSET]]] strides [1] extents [%[[EXTENT]]] : tensor<64xf32>
func.func @masked_block(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32, %pid: i32) {
  %c64 = arith.constant 64 : i32
  %start = arith.muli %pid, %c64 : i32
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %bound = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %bound : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q, %v, %m : tensor<64x!tt.ptr<f32>>
  return
}

// CHECK-LABEL: func @stride_by_value
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[S:.*]]: i32)
// CHECK: %[[STRIDE:.*]] = arith.index_cast %[[S]] : i32 to index
// CHECK: %[[OFFSET:.*]] = arith.muli %[[STRIDE]], %c8
// CHECK: flir.load %[[X]][%[[OFFSET]]] strides [%[[STRIDE]]] extents [64] -> tensor<64xf16>
func.func @stride_by_value(%x: !tt.ptr<f16>, %s: i32) -> tensor<64xf16> {
  %range = tt.make_range {start = 8 : i32, end = 72 : i32} : tensor<64xi32>
  %ss = tt.splat %s : i32 -> tensor<64xi32>
  %i = arith.muli %range, %ss : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f16>>
  return %v : tensor<64xf16>
}

// CHECK-LABEL: func @constant_strides
// CHECK: strides [-1] extents [64] -> tensor<64xf32>
// CHECK: strides [4] extents [64] -> tensor<64xf32>
// CHECK: strides [0] extents [64] -> tensor<64xf32>
func.func @constant_strides(%x: !tt.ptr<f32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %last = arith.constant dense<63> : tensor<64xi32>
  %two = arith.constant dense<2> : tensor<64xi32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %back = arith.subi %last, %range : tensor<64xi32>
  %p = tt.addptr %xs, %back : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
  %quad = arith.shli %range, %two : tensor<64xi32>
  %q = tt.addptr %xs, %quad : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %1 = tt.load %q : tensor<64x!tt.ptr<f32>>
  %2 = tt.load %xs : tensor<64x!tt.ptr<f32>>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Accesses of one argument share their base, wherever additions were made.
// CHECK-LABEL: func @additions_to_a_scalar_pointer
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[ROW:.*]]: i64)
// CHECK: %[[OFFSET:.*]] = arith.index_cast %[[ROW]] : i64 to index
// CHECK: %[[MORE:.*]] = arith.addi %[[OFFSET]], %c5
// CHECK: flir.load %[[X]][%[[MORE]]] strides [1] extents [64]
func.func @additions_to_a_scalar_pointer(%x: !tt.ptr<f32>, %row: i64) -> tensor<64xf32> {
  %five = arith.constant dense<5> : tensor<64xi32>
  %start = tt.addptr %x, %row : !tt.ptr<f32>, i64
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %i = arith.addi %range, %five : tensor<64xi32>
  %xs = tt.splat %start : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @offsets_of_64_bits
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK: %[[E:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK: flir.load %[[X]][%c0{{.*}}] strides [1] extents [%[[E]]]
// CHECK: flir.load %[[X]][%c0{{.*}}] strides [1] extents [64]
func.func @offsets_of_64_bits(%x: !tt.ptr<f32>, %n: i64) -> (tensor<64xf32>, tensor<64xf32>) {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %i = arith.extsi %range : tensor<64xi32> to tensor<64xi64>
  %bound = tt.splat %n : i64 -> tensor<64xi64>
  %m = arith.cmpi slt, %i, %bound : tensor<64xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %v = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
  %j = arith.extui %range : tensor<64xi32> to tensor<64xi64>
  %q = tt.addptr %xs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %w = tt.load %q : tensor<64x!tt.ptr<f32>>
  return %v, %w : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @rows_and_columns
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[LD:.*]]: i32, %[[R:.*]]: i32, %[[C:.*]]: i32)
// CHECK-DAG: %[[STRIDE:.*]] = arith.index_cast %[[LD]] : i32 to index
// CHECK-DAG: %[[ROWS:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK-DAG: %[[COLUMNS:.*]] = arith.index_cast %[[C]] : i32 to index
// CHECK: flir.load %[[X]][%c0{{.*}}] strides [%[[STRIDE]], 1] extents [%[[ROWS]], %[[COLUMNS]]] pad %{{.*}} : f32 -> tensor<16x32xf32>
func.func @rows_and_columns(%x: !tt.ptr<f32>, %ld: i32, %r: i32, %c: i32) -> tensor<16x32xf32> {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %lds = tt.splat %ld : i32 -> tensor<16x1xi32>
  %down = arith.muli %rows, %lds : tensor<16x1xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %ps = tt.addptr %xs, %down : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %pr = tt.broadcast %ps : tensor<16x1x!tt.ptr<f32>> -> tensor<16x32x!tt.ptr<f32>>
  %cr = tt.broadcast %columns : tensor<1x32xi32> -> tensor<16x32xi32>
  %p = tt.addptr %pr, %cr : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %rb = tt.splat %r : i32 -> tensor<16x1xi32>
  %rm = arith.cmpi slt, %rows, %rb : tensor<16x1xi32>
  %cb = tt.splat %c : i32 -> tensor<1x32xi32>
  %cm = arith.cmpi slt, %columns, %cb : tensor<1x32xi32>
  %rmb = tt.broadcast %rm : tensor<16x1xi1> -> tensor<16x32xi1>
  %cmb = tt.broadcast %cm : tensor<1x32xi1> -> tensor<16x32xi1>
  %m = arith.andi %rmb, %cmb : tensor<16x32xi1>
  %v = tt.load %p, %m : tensor<16x32x!tt.ptr<f32>>
  return %v : tensor<16x32xf32>
}

// CHECK-LABEL: func @transposed_pointers
// CHECK: flir.load %{{.*}}[%c0{{.*}}] strides [1, 16] extents [16, 32] -> tensor<16x32xf32>
func.func @transposed_pointers(%x: !tt.ptr<f32>) -> tensor<16x32xf32> {
  %sixteen = arith.constant dense<16> : tensor<32x1xi32>
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %j {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %down = arith.muli %rows, %sixteen : tensor<32x1xi32>
  %db = tt.broadcast %down : tensor<32x1xi32> -> tensor<32x16xi32>
  %cb = tt.broadcast %columns : tensor<1x16xi32> -> tensor<32x16xi32>
  %at = arith.addi %db, %cb : tensor<32x16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>>
  %p = tt.addptr %xs, %at : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
  %t = tt.trans %p {order = array<i32: 1, 0>} : tensor<32x16x!tt.ptr<f32>> -> tensor<16x32x!tt.ptr<f32>>
  %v = tt.load %t : tensor<16x32x!tt.ptr<f32>>
  return %v : tensor<16x32xf32>
}

// CHECK-LABEL: func @scalars
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[K:.*]]: i32, %[[M:.*]]: i1, %[[OTHER:.*]]: f32)
// CHECK: %[[AT:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK: %[[A:.*]] = flir.load %[[X]][%[[AT]]] strides [] extents [] mask %[[M]] : i1 pad %[[OTHER]] : f32 -> f32
// CHECK: flir.store %[[A]], %[[X]][%c0{{.*}}] strides [] extents [] mask %[[M]] : i1 : f32
func.func @scalars(%x: !tt.ptr<f32>, %k: i32, %m: i1, %other: f32) {
  %p = tt.addptr %x, %k : !tt.ptr<f32>, i32
  %v = tt.load %p, %m, %other : !tt.ptr<f32>
  tt.store %x, %v, %m : !tt.ptr<f32>
  return
}

// CHECK-LABEL: func @hints_and_volatile_stay
// CHECK: flir.load {{.*}} {flagtree_hints = "dma", isVolatile} -> tensor<64xf32>
// CHECK: flir.store {{.*}} {flagtree_hints = "dma"} : tensor<64xf32>
func.func @hints_and_volatile_stay(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p {isVolatile = true, flagtree_hints = "dma"} : tensor<64x!tt.ptr<f32>>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %os, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q, %v {flagtree_hints = "dma"} : tensor<64x!tt.ptr<f32>>
  return
}
