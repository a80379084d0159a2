// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-tile-and-fuse,canonicalize,cse))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// Loads are read in place, tile by tile; nothing is kept.
// CHECK-LABEL: func @add
// CHECK-NOT: flir.load
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c1024{{.*}} step
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[T]]
// CHECK-DAG: %[[AT:.*]] = arith.addi %{{.*}}, %[[T]]
// CHECK: %[[A:.*]] = flir.load %arg0[%[[AT]]] strides [1] extents [%[[LEFT]]] pad %{{.*}} : f32 -> tensor<[[TILE:[0-9]+xf32]]>
// CHECK: %[[B:.*]] = flir.load %arg1[%[[AT]]] strides [1] extents [%[[LEFT]]] pad %{{.*}} : f32 -> tensor<[[TILE]]>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]]
// CHECK: flir.store %[[S]], %arg2[%[[AT]]] strides [1] extents [%[[LEFT]]] : tensor<[[TILE]]>
// CHECK-NOT: scf.for
func.func @add(%x: !llvm.ptr, %y: !llvm.ptr, %o: !llvm.ptr, %at: index, %e: index, %pad: f32) {
  %a = flir.load %x[%at] strides [1] extents [%e] pad %pad : f32 -> tensor<1024xf32>
  %b = flir.load %y[%at] strides [1] extents [%e] pad %pad : f32 -> tensor<1024xf32>
  %t = tensor.empty() : tensor<1024xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<1024xf32>, tensor<1024xf32>) outs(%t : tensor<1024xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %z = arith.addf %p, %q : f32
    linalg.yield %z : f32
  } -> tensor<1024xf32>
  flir.store %s, %o[%at] strides [1] extents [%e] : tensor<1024xf32>
  return
}

// A reduction keeps a tile of partial results, which are combined after the loop.
// CHECK-LABEL: func @sum
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} -> (tensor<[[TILE:[0-9]+xf32]]>)
// CHECK:   flir.load
// CHECK:   linalg.generic {{.*}}"parallel"
// CHECK: linalg.{{reduce|generic}}{{.*}} ins(%[[PARTS]] : tensor<[[TILE]]>)
func.func @sum(%x: !llvm.ptr, %at: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %a = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  %t = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%t : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%a : tensor<1024xf32>) outs(%init : tensor<f32>) {
  ^bb0(%p: f32, %r: f32):
    %z = arith.addf %r, %p : f32
    linalg.yield %z : f32
  } -> tensor<f32>
  %r = tensor.extract %s[] : tensor<f32>
  return %r : f32
}

// Positions within a tile of partial results are those of the whole block.
// CHECK-LABEL: func @sum_of_positions
// CHECK: scf.for %[[T:.*]] = %c0
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: affine.apply #{{.*}}(%[[T]])[%[[I]]]
func.func @sum_of_positions() -> i32 {
  %zero = arith.constant 0 : i32
  %t = tensor.empty() : tensor<i32>
  %init = linalg.fill ins(%zero : i32) outs(%t : tensor<i32>) -> tensor<i32>
  %e = tensor.empty() : tensor<1024xi32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%e : tensor<1024xi32>) outs(%init : tensor<i32>) {
  ^bb0(%p: i32, %r: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %z = arith.addi %r, %n : i32
    linalg.yield %z : i32
  } -> tensor<i32>
  %r = tensor.extract %s[] : tensor<i32>
  return %r : i32
}

// What is dear and needed again is kept by the loop that computes it first, as in softmax.
// CHECK-LABEL: func @softmax_tail
// CHECK: %[[L:.*]]:2 = scf.for {{.*}} -> (tensor<{{[0-9]+}}xf32>, tensor<1024xf32>)
// CHECK:   math.exp
// CHECK:   tensor.insert_slice
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK:   arith.divf
// CHECK:   flir.store
func.func @softmax_tail(%x: !llvm.ptr, %o: !llvm.ptr, %at: index) {
  %zero = arith.constant 0.0 : f32
  %a = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  %t = tensor.empty() : tensor<1024xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<1024xf32>) outs(%t : tensor<1024xf32>) {
  ^bb0(%p: f32, %q: f32):
    %z = math.exp %p : f32
    linalg.yield %z : f32
  } -> tensor<1024xf32>
  %u = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%u : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%e : tensor<1024xf32>) outs(%init : tensor<f32>) {
  ^bb0(%p: f32, %r: f32):
    %z = arith.addf %r, %p : f32
    linalg.yield %z : f32
  } -> tensor<f32>
  %sum = tensor.extract %s[] : tensor<f32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%e : tensor<1024xf32>) outs(%t : tensor<1024xf32>) {
  ^bb0(%p: f32, %q: f32):
    %z = arith.divf %p, %sum : f32
    linalg.yield %z : f32
  } -> tensor<1024xf32>
  flir.store %v, %o[%at] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// Between the load and its use lies a store that may alias: the load keeps its place in a loop of its own.
// CHECK-LABEL: func @a_store_in_between
// CHECK: %[[KEPT:.*]] = scf.for {{.*}} -> (tensor<1024xf32>)
// CHECK:   flir.load %arg0
// CHECK:   tensor.insert_slice
// CHECK: scf.for
// CHECK:   flir.store
// CHECK: scf.for
// CHECK-NOT: flir.load
// CHECK:   tensor.extract_slice %[[KEPT]]
// CHECK:   flir.store %{{.*}}, %arg1
func.func @a_store_in_between(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %v: tensor<1024xf32>) {
  %a = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  flir.store %v, %x[%at] strides [1] extents [1024] : tensor<1024xf32>
  flir.store %a, %o[%at] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// In place, each tile is read before it is written.
// CHECK-LABEL: func @in_place
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK-NEXT: flir.load
// CHECK-NEXT: flir.store
// CHECK-NOT: scf.for
func.func @in_place(%x: !llvm.ptr, %at: index) {
  %a = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  flir.store %a, %x[%at] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// Shifted or transposed it is not: all is read first.
// CHECK-LABEL: func @shifted_in_place
// CHECK: scf.for
// CHECK:   flir.load
// CHECK: scf.for
// CHECK-NOT: flir.load
// CHECK:   flir.store
func.func @shifted_in_place(%x: !llvm.ptr, %at: index) {
  %c1 = arith.constant 1 : index
  %next = arith.addi %at, %c1 : index
  %a = flir.load %x[%at] strides [1] extents [1024] -> tensor<1024xf32>
  flir.store %a, %x[%next] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// CHECK-LABEL: func @transposed_in_place
// CHECK: scf.for
// CHECK:   flir.load
// CHECK-NOT: flir.store
// CHECK: scf.for {{.*}} step
// CHECK-NOT: flir.load
// CHECK:   flir.store
func.func @transposed_in_place(%x: !llvm.ptr, %at: index) {
  %a = flir.load %x[%at] strides [64, 1] extents [64, 64] -> tensor<64x64xf32>
  %t = tensor.empty() : tensor<64x64xf32>
  %v = linalg.generic {indexing_maps = [#swap, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%t : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  } -> tensor<64x64xf32>
  flir.store %v, %x[%at] strides [64, 1] extents [64, 64] : tensor<64x64xf32>
  return
}

// What a loop of the program carries is updated in one buffer: the old value is the output operand.
// CHECK-LABEL: func @carried
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<1024xf32>)
// CHECK:   scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (tensor<1024xf32>)
// CHECK:     %[[OLD:.*]] = tensor.extract_slice %[[B]]
// CHECK:     linalg.generic {{.*}} outs(%[[OLD]]
// CHECK:     tensor.insert_slice %{{.*}} into %[[B]]
func.func @carried(%x: !llvm.ptr, %o: !llvm.ptr, %n: index, %init: tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %t = tensor.empty() : tensor<1024xf32>
  %r = scf.for %i = %c0 to %n step %c1024 iter_args(%a = %init) -> tensor<1024xf32> {
    %v = flir.load %x[%i] strides [1] extents [1024] -> tensor<1024xf32>
    %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %v : tensor<1024xf32>, tensor<1024xf32>) outs(%t : tensor<1024xf32>) {
    ^bb0(%p: f32, %q: f32, %z: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<1024xf32>
    scf.yield %w : tensor<1024xf32>
  }
  flir.store %r, %o[%c0] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// Read along the first dimension, written along the second: square tiles.
// CHECK-LABEL: func @columns
// CHECK: scf.for {{.*}} step %c8
// CHECK: scf.for {{.*}} step %c8
// CHECK: flir.load {{.*}} strides [1, %{{.*}}] {{.*}} -> tensor<8x8xf32>
func.func @columns(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %n: index) {
  %v = flir.load %x[%at] strides [1, %n] extents [64, 64] -> tensor<64x64xf32>
  flir.store %v, %o[%at] strides [64, 1] extents [64, 64] : tensor<64x64xf32>
  return
}

// Both along the first: tiles of it.
// CHECK-LABEL: func @only_columns
// CHECK: flir.load {{.*}} strides [1, %{{.*}}] {{.*}} -> tensor<16x1xf32>
func.func @only_columns(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %n: index) {
  %v = flir.load %x[%at] strides [1, %n] extents [64, 64] -> tensor<64x64xf32>
  flir.store %v, %o[%at] strides [1, 64] extents [64, 64] : tensor<64x64xf32>
  return
}
