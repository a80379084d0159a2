// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// Addresses that follow no structure are computed in bytes.

// CHECK-LABEL: func @gather_by_index
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: tensor<64xi32>)
// CHECK-DAG: %[[FOUR:.*]] = arith.constant dense<4> : tensor<64xi64>
// CHECK-DAG: %[[BASE:.*]] = llvm.ptrtoint %[[X]] : !llvm.ptr to i64
// CHECK-DAG: %[[BASES:.*]] = linalg.fill ins(%[[BASE]] : i64)
// CHECK-DAG: %[[WIDE:.*]] = arith.extsi %[[I]] : tensor<64xi32> to tensor<64xi64>
// CHECK: %[[BYTES:.*]] = arith.muli %[[WIDE]], %[[FOUR]]
// CHECK: %[[A:.*]] = arith.addi %[[BASES]], %[[BYTES]]
// CHECK: flir.gather %[[A]] : tensor<64xi64> {{.*}}-> tensor<64xf32>
func.func @gather_by_index(%x: !tt.ptr<f32>, %i: tensor<64xi32>) -> tensor<64xf32> {
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @gather_with_mask
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: tensor<64xi64>, %[[M:.*]]: tensor<64xi1>, %[[O:.*]]: i8)
// CHECK: flir.gather %{{.*}} : tensor<64xi64> mask %[[M]] : tensor<64xi1> pad %[[O]] : i8 -> tensor<64xi8>
func.func @gather_with_mask(%x: !tt.ptr<i8>, %i: tensor<64xi64>, %m: tensor<64xi1>, %o: i8) -> tensor<64xi8> {
  %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x!tt.ptr<i8>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<i8>>, tensor<64xi64>
  %os = tt.splat %o : i8 -> tensor<64xi8>
  %v = tt.load %p, %m, %os : tensor<64x!tt.ptr<i8>>
  return %v : tensor<64xi8>
}

// CHECK-LABEL: func @scatter_with_mask
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: tensor<64xi32>, %[[V:.*]]: tensor<64xf16>, %[[M:.*]]: tensor<64xi1>)
// CHECK-DAG: arith.constant dense<2> : tensor<64xi64>
// CHECK: flir.scatter %[[V]], %{{.*}} mask %[[M]] : tensor<64xi1> : tensor<64xf16>, tensor<64xi64>
func.func @scatter_with_mask(%x: !tt.ptr<f16>, %i: tensor<64xi32>, %v: tensor<64xf16>, %m: tensor<64xi1>) {
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %p = tt.addptr %xs, %i : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  tt.store %p, %v, %m : tensor<64x!tt.ptr<f16>>
  return
}

// The product of two positions is not affine, nor is a remainder.
// CHECK-LABEL: func @positions_that_are_not_affine
// CHECK-COUNT-2: flir.gather
func.func @positions_that_are_not_affine(%x: !tt.ptr<f32>, %n: i32) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %square = arith.muli %i, %i : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %xs, %square : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %rest = arith.remsi %i, %ns : tensor<64xi32>
  %q = tt.addptr %xs, %rest : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %w = tt.load %q : tensor<64x!tt.ptr<f32>>
  return %v, %w : tensor<64xf32>, tensor<64xf32>
}

// An extension without sign of what may be negative is not affine.
// CHECK-LABEL: func @unsigned_extension_of_an_unknown_sign
// CHECK: arith.extui
// CHECK: flir.gather
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
