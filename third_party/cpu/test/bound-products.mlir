// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-bound-products))' -split-input-file | FileCheck %s

// Zeros along K are skipped; rows and columns end where the store's do, and
// reads need no padding.
// CHECK-LABEL: func @parts
// CHECK-SAME: %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK: %[[A:.*]] = flir.load %{{.*}} extents [%[[M]], %[[K]]] {cpu.inside} -> tensor<64x32xf32>
// CHECK: %[[B:.*]] = flir.load %{{.*}} extents [%[[K]], %[[N]]] {cpu.inside} -> tensor<32x64xf32>
// CHECK: %[[M0:.*]] = arith.minsi %[[M]], %c64
// CHECK: %[[ROWS:.*]] = arith.maxsi %[[M0]]
// CHECK: %[[N0:.*]] = arith.minsi %[[N]], %c64
// CHECK: %[[COLUMNS:.*]] = arith.maxsi %[[N0]]
// CHECK: %[[K0:.*]] = arith.minsi %[[K]], %c32
// CHECK: %[[DEPTH:.*]] = arith.maxsi %[[K0]]
// CHECK: %[[L:.*]] = tensor.extract_slice %[[A]][0, 0] [%[[ROWS]], %[[DEPTH]]] [1, 1]
// CHECK: %[[R:.*]] = tensor.extract_slice %[[B]][0, 0] [%[[DEPTH]], %[[COLUMNS]]] [1, 1]
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[ROWS]], %[[COLUMNS]]] [1, 1]
// CHECK: %[[P:.*]] = linalg.matmul {cpu.block = array<i64: 64, 64, 32>} ins(%[[L]], %[[R]] {{.*}}) outs(%[[S]]
// CHECK: tensor.insert_slice %[[P]] into %{{.*}}[0, 0] [%[[ROWS]], %[[COLUMNS]]] [1, 1]
func.func @parts(%m: index, %n: index, %k: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %l = flir.load %a[%c0] strides [%k, 1] extents [%m, %k] pad %z : f32 -> tensor<64x32xf32>
  %r = flir.load %b[%c0] strides [%n, 1] extents [%k, 64] pad %z : f32 -> tensor<32x64xf32>
  %s = linalg.matmul ins(%l, %r : tensor<64x32xf32>, tensor<32x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  flir.store %s, %c[%c0] strides [%n, 1] extents [%m, %n] : tensor<64x64xf32>
  return
}

// -----

// Zero times infinity counts: positions that one side has are not skipped. Rows that something else asks for are
// computed.
// CHECK-LABEL: func @asked_for
// CHECK: flir.load {{.*}} extents [16, %{{.*}}] pad
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<16x16xf32>, tensor<16x16xf32>)
func.func @asked_for(%m: index, %k: index, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %l = flir.load %a[%c0] strides [%k, 1] extents [16, %k] pad %z : f32 -> tensor<16x16xf32>
  %r = flir.load %b[%c0] strides [16, 1] extents [16, 16] -> tensor<16x16xf32>
  %s = linalg.matmul ins(%l, %r : tensor<16x16xf32>, tensor<16x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  flir.store %s, %c[%c0] strides [16, 1] extents [%m, 16] : tensor<16x16xf32>
  return %s : tensor<16x16xf32>
}

// -----

// Rows `(first + i) % m` are plain ones as far as they are stored.
// CHECK-LABEL: func @wraps
// CHECK-SAME: %[[FIRST:[^:]*]]: i32, %[[SIZE:[^:]*]]: i32, %[[REGULAR:[^:]*]]: i1
// CHECK: %[[EXTENT:.*]] = arith.subi
// CHECK: %[[ALL:.*]] = arith.index_cast %[[SIZE]] : i32 to index
// CHECK: %[[PLAIN:.*]] = arith.cmpi sle, %[[EXTENT]], %[[ALL]]
// CHECK: scf.if %[[PLAIN]]
// CHECK: flir.load %{{.*}} strides [16, 1] extents [%[[EXTENT]], 16] {cpu.inside}
func.func @wraps(%first: i32, %size: i32, %regular: i1, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %start = arith.index_cast %first : i32 to index
  %end = arith.index_cast %size : i32 to index
  %empty = tensor.empty() : tensor<16xi64>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%empty : tensor<16xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %row = arith.addi %first, %n : i32
    %rest = arith.remsi %row, %size : i32
    %wide = arith.extsi %rest : i32 to i64
    linalg.yield %wide : i64
  } -> tensor<16xi64>
  %l = scf.if %regular -> tensor<16x16xf32> {
    %plain = flir.load %a[%start] strides [16, 1] extents [16, 16] -> tensor<16x16xf32>
    scf.yield %plain : tensor<16x16xf32>
  } else {
    %wrapped = flir.load %a[%c0] strides [0, 1] extents [16, 16] indirect [0](%rows : tensor<16xi64>) -> tensor<16x16xf32>
    scf.yield %wrapped : tensor<16x16xf32>
  }
  %r = flir.load %b[%c0] strides [16, 1] extents [16, 16] -> tensor<16x16xf32>
  %s = linalg.matmul ins(%l, %r : tensor<16x16xf32>, tensor<16x16xf32>) outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  %extent = arith.subi %end, %start : index
  flir.store %s, %c[%c0] strides [16, 1] extents [%extent, 16] : tensor<16x16xf32>
  return
}
