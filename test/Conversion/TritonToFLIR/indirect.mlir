// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// Where one dimension follows no stride its numbers are an index; addresses
// that follow no structure at all are computed in bytes.

// CHECK-LABEL: func @gather_by_index
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: tensor<64xi32>)
// CHECK: %[[WIDE:.*]] = arith.extsi %[[I]] : tensor<64xi32> to tensor<64xi64>
// CHECK: flir.load %[[X]][%c0{{.*}}] strides [0] extents [64] indirect [0](%[[WIDE]] : tensor<64xi64>) -> tensor<64xf32>
func.func @gather_by_index(%x: !tt.ptr<f32>, %i: tensor<64xi32>) -> tensor<64xf32> {
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @gather_with_mask
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[I:.*]]: tensor<64xi64>, %[[M:.*]]: tensor<64xi1>, %[[O:.*]]: i8)
// CHECK: flir.load {{.*}} indirect [0](%[[I]] : tensor<64xi64>) mask %[[M]] : tensor<64xi1> pad %[[O]] : i8 -> tensor<64xi8>
func.func @gather_with_mask(%x: !tt.ptr<i8>, %i: tensor<64xi64>, %m: tensor<64xi1>, %o: i8) -> tensor<64xi8> {
  %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<i8>>, tensor<64xi64>
  %os = tt.splat %o : i8 -> tensor<64xi8>
  %v = tt.load %p, %m, %os : tensor<64x!tt.ptr<i8>>
  return %v : tensor<64xi8>
}

// CHECK-LABEL: func @scatter_with_mask
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: tensor<64xi32>, %[[V:.*]]: tensor<64xf16>, %[[M:.*]]: tensor<64xi1>)
// CHECK: flir.store %[[V]], {{.*}} strides [0] extents [64] indirect [0](%{{.*}} : tensor<64xi64>) mask %[[M]] : tensor<64xi1>
func.func @scatter_with_mask(%x: !tt.ptr<f16>, %i: tensor<64xi32>, %v: tensor<64xf16>, %m: tensor<64xi1>) {
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  tt.store %p, %v, %m : tensor<64x!tt.ptr<f16>>
  return
}

// The product of two positions is not affine.
// CHECK-LABEL: func @squares
// CHECK: %[[S:.*]] = arith.muli %[[I:.*]], %[[I]] : tensor<64xi32>
// CHECK: %[[W:.*]] = arith.extsi %[[S]]
// CHECK: flir.load {{.*}} indirect [0](%[[W]] : tensor<64xi64>)
func.func @squares(%x: !tt.ptr<f32>) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %square = arith.muli %i, %i : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %square : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// An extension without sign of what may be negative is not affine.
// CHECK-LABEL: func @unsigned_extension_of_an_unknown_sign
// CHECK: %[[W:.*]] = arith.extui
// CHECK: flir.load {{.*}} indirect [0](%[[W]] : tensor<64xi64>)
func.func @unsigned_extension_of_an_unknown_sign(%x: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %j = arith.addi %i, %ns : tensor<64xi32>
  %k = arith.extui %j : tensor<64xi32> to tensor<64xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %k : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// Rows by index, columns side by side.
// CHECK-LABEL: func @rows_by_index
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: tensor<16xi32>, %[[D:.*]]: i32)
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[I]] : tensor<16xi32> to tensor<16xi64>
// CHECK: %[[ROWS:.*]] = arith.muli %[[WIDE]], %{{.*}} : tensor<16xi64>
// CHECK: flir.load %[[X]][%c0{{.*}}] strides [0, 1] extents [16, 32] indirect [0](%[[ROWS]] : tensor<16xi64>) -> tensor<16x32xf32>
func.func @rows_by_index(%x: !tt.ptr<f32>, %i: tensor<16xi32>, %d: i32) -> tensor<16x32xf32> {
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ds = tt.splat %d : i32 -> tensor<16x1xi32>
  %down = arith.muli %rows, %ds : tensor<16x1xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %ps = tt.addptr %xs, %down : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %pr = tt.broadcast %ps : tensor<16x1x!tt.ptr<f32>> -> tensor<16x32x!tt.ptr<f32>>
  %cr = tt.broadcast %columns : tensor<1x32xi32> -> tensor<16x32xi32>
  %p = tt.addptr %pr, %cr : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %v = tt.load %p : tensor<16x32x!tt.ptr<f32>>
  return %v : tensor<16x32xf32>
}

// What two dimensions decide together is gathered.
// CHECK-LABEL: func @no_structure
// CHECK-DAG: arith.constant dense<4> : tensor<8x8xi64>
// CHECK-DAG: llvm.ptrtoint
// CHECK: flir.gather %{{.*}} : tensor<8x8xi64> {{.*}}-> tensor<8x8xf32>
func.func @no_structure(%x: !tt.ptr<f32>, %i: tensor<8x8xi32>) -> tensor<8x8xf32> {
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x8x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
  %v = tt.load %p : tensor<8x8x!tt.ptr<f32>>
  return %v : tensor<8x8xf32>
}

// A remainder is a range while no multiple lies in the block: a version of the
// access, directly.
// CHECK-LABEL: func @wrap_around
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[START:.*]]: i32, %[[N:.*]]: i32)
// CHECK: %[[REST:.*]] = arith.remsi %{{.*}}, %{{.*}} : i64
// CHECK: %[[FROM:.*]] = arith.index_cast %[[REST]] : i64 to index
// CHECK: %[[LAST:.*]] = arith.addi %[[FROM]], %c63
// CHECK: scf.if
// CHECK-NEXT: flir.load %[[X]][%[[FROM]]] strides [1] extents [64] -> tensor<64xf32>
// CHECK: } else {
// CHECK-NEXT: flir.load %[[X]][%c0{{.*}}] strides [0] extents [64] indirect [0]
func.func @wrap_around(%x: !tt.ptr<f32>, %start: i32, %n: i32) -> tensor<64xf32> {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %s = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %s, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %rest = arith.remsi %i, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %xs, %rest : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %w = tt.load %q : tensor<64x!tt.ptr<f32>>
  return %w : tensor<64xf32>
}

// Rows need no version: each is read side by side in any case.
// CHECK-LABEL: func @wrap_around_of_rows
// CHECK-NOT: scf.if
// CHECK: flir.load {{.*}} strides [0, 1] extents [16, 32] indirect [0](%{{.*}} : tensor<16xi64>)
func.func @wrap_around_of_rows(%x: !tt.ptr<f32>, %start: i32, %n: i32, %ld: i32) -> tensor<16x32xf32> {
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %s = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %s, %range : tensor<16xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %rest = arith.remsi %rows, %ns : tensor<16x1xi32>
  %lds = tt.splat %ld : i32 -> tensor<16x1xi32>
  %down = arith.muli %rest, %lds : tensor<16x1xi32>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %db = tt.broadcast %down : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %columns : tensor<1x32xi32> -> tensor<16x32xi32>
  %at = arith.addi %db, %cb : tensor<16x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %p = tt.addptr %xs, %at : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %v = tt.load %p : tensor<16x32x!tt.ptr<f32>>
  return %v : tensor<16x32xf32>
}

// A quotient is one number while the block lies within one multiple.
// CHECK-LABEL: func @quotient
// CHECK: arith.divsi %{{.*}} : i64
// CHECK: scf.if
// CHECK: flir.load {{.*}} strides [0] extents [64] -> tensor<64xf32>
// CHECK: flir.load {{.*}} indirect [0]
func.func @quotient(%x: !tt.ptr<f32>, %start: i32, %n: i32) -> tensor<64xf32> {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %s = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %s, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %rest = arith.divsi %i, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %xs, %rest : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %w = tt.load %q : tensor<64x!tt.ptr<f32>>
  return %w : tensor<64xf32>
}

// Pointers in memory are integers of 64 bits.
// CHECK-LABEL: func @pointers_from_memory
// CHECK: %[[A:.*]] = flir.load %{{.*}} -> tensor<8xi64>
// CHECK: flir.gather %[[A]] : tensor<8xi64> {{.*}}-> tensor<8xf32>
func.func @pointers_from_memory(%x: !tt.ptr<!tt.ptr<f32>>) -> tensor<8xf32> {
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<!tt.ptr<f32>> -> tensor<8x!tt.ptr<!tt.ptr<f32>>>
  %p = tt.addptr %xs, %i : tensor<8x!tt.ptr<!tt.ptr<f32>>>, tensor<8xi32>
  %q = tt.load %p : tensor<8x!tt.ptr<!tt.ptr<f32>>>
  %v = tt.load %q : tensor<8x!tt.ptr<f32>>
  return %v : tensor<8xf32>
}
