// RUN: flagtree-opt %s --flir-tile-and-fuse --canonicalize --split-input-file | FileCheck %s

// On a store, on a load that is read in the store's loop, and on the loop around.
// CHECK-LABEL: func @store
// CHECK-SAME: hint = "vectorize=64", {{[^}]*}}outcome = "applied", pass = "flir-tile-and-fuse", reason = "tiles of 64 elements"
// CHECK: flir.store {{.*}} : tensor<64xi8>
// CHECK: flir.store {{.*}} : tensor<16xi8>
func.func @store(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xi8>
  flir.store %v, %y[%o] strides [1] extents [1024] {flir.hints = [#flir.hint<vectorize, 64>]} : tensor<1024xi8>
  %w = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xi8>
  flir.store %w, %y[%o] strides [1] extents [1024] : tensor<1024xi8>
  return
}

// -----

// CHECK-LABEL: func @load
// CHECK-SAME: outcome = "applied"
// CHECK: flir.store {{.*}} : tensor<8xf32>
func.func @load(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [1024] {flir.hints = [#flir.hint<vectorize, 8>]} -> tensor<1024xf32>
  flir.store %v, %y[%o] strides [1] extents [1024] : tensor<1024xf32>
  return
}

// -----

// What fits a register when nothing is said: 32 bytes.
// CHECK-LABEL: func @loop
// CHECK-SAME: hint = "vectorize", {{[^}]*}}reason = "tiles of 32 elements"
// CHECK: flir.store {{.*}} : tensor<32xi8>
func.func @loop(%x: !llvm.ptr, %y: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %k = %zero to %n step %one : i32 {
    %o = arith.index_cast %k : i32 to index
    %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xi8>
    flir.store %v, %y[%o] strides [1] extents [1024] : tensor<1024xi8>
  } {flir.hints = [#flir.hint<vectorize>]}
  return
}

// -----

// Neither a width that does not divide the block, nor another order of a sum.
// CHECK-LABEL: func @cannot
// CHECK-SAME: hint = "vectorize=3", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "a block of 1024 elements has no tiles of 3"
// CHECK-SAME: hint = "vectorize=8", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "numbers would be added up in another order"
// CHECK: flir.store {{.*}} : tensor<16xf32>
// CHECK: flir.load {{.*}} -> tensor<32xf32>
#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func @cannot(%x: !llvm.ptr, %y: !llvm.ptr, %o: index, %start: tensor<f32>) -> tensor<f32> {
  %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xf32>
  flir.store %v, %y[%o] strides [1] extents [1024] {flir.hints = [#flir.hint<vectorize, 3>]} : tensor<1024xf32>
  %w = flir.load %x[%o] strides [1] extents [1024] {flir.hints = [#flir.hint<vectorize, 8>]} -> tensor<1024xf32>
  %sum = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]}
    ins(%w : tensor<1024xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
