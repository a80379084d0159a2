// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-vectorize,canonicalize,cse))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func @a_tile_stays_in_registers
// CHECK: %[[V:.*]] = flir.load %{{.*}} extents [%{{.*}}] pad %{{.*}} : f32 -> vector<64xf32>
// CHECK: %[[W:.*]] = arith.addf %[[V]], %[[V]] : vector<64xf32>
// CHECK: flir.store %[[W]], %{{.*}} : vector<64xf32>
// CHECK-NOT: tensor
func.func @a_tile_stays_in_registers(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %e: index, %pad: f32) {
  %v = flir.load %x[%at] strides [1] extents [%e] pad %pad : f32 -> tensor<64xf32>
  %t = tensor.empty() : tensor<64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%t : tensor<64xf32>) {
  ^bb0(%a: f32, %r: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  flir.store %w, %o[%at] strides [1] extents [%e] : tensor<64xf32>
  return
}

// CHECK-LABEL: func @masks_and_addresses
// CHECK: %[[A:.*]] = flir.load {{.*}} -> vector<4xi64>
// CHECK: %[[M:.*]] = vector.transfer_read %{{.*}} : tensor<4xi1>, vector<4xi1>
// CHECK: %[[V:.*]] = flir.gather %[[A]] : vector<4xi64> mask %[[M]] : vector<4xi1> {{.*}}-> vector<4xf32>
// CHECK: flir.scatter %[[V]], %[[A]] mask %[[M]] : vector<4xi1> : vector<4xf32>, vector<4xi64>
func.func @masks_and_addresses(%x: !llvm.ptr, %at: index, %pad: f32) {
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %a = flir.load %x[%at] strides [1] extents [4] -> tensor<4xi64>
  %v = flir.gather %a : tensor<4xi64> mask %m : tensor<4xi1> pad %pad : f32 -> tensor<4xf32>
  flir.scatter %v, %a mask %m : tensor<4xi1> : tensor<4xf32>, tensor<4xi64>
  return
}

// CHECK-LABEL: func @transposed_and_broadcast
// CHECK-DAG: vector.transpose %{{.*}}, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
// CHECK-DAG: vector.broadcast %{{.*}} : vector<4x1xf32> to vector<4x8xf32>
// CHECK: arith.addf
func.func @transposed_and_broadcast(%x: !llvm.ptr, %o: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [4, 1] extents [8, 4] -> tensor<8x4xf32>
  %r = flir.load %o[%at] strides [1] extents [4] -> tensor<4xf32>
  %t = tensor.empty() : tensor<4x8xf32>
  %w = linalg.generic {indexing_maps = [#swap, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%v, %r : tensor<8x4xf32>, tensor<4xf32>) outs(%t : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  flir.store %w, %o[%at] strides [8, 1] extents [4, 8] : tensor<4x8xf32>
  return
}

// Floats may be added in any order.
// CHECK-LABEL: func @a_reduction_is_reassociated
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<64xf32> into f32
func.func @a_reduction_is_reassociated(%x: !llvm.ptr, %at: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %v = flir.load %x[%at] strides [1] extents [64] -> tensor<64xf32>
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%v : tensor<64xf32>) outs(%init : tensor<f32>) dimensions = [0]
  %s = tensor.extract %r[] : tensor<f32>
  return %s : f32
}

// CHECK-LABEL: func @hints_and_volatile_stay
// CHECK: flir.load {{.*}} {flagtree_hints = "dma", isVolatile} -> vector<4xf32>
func.func @hints_and_volatile_stay(%x: !llvm.ptr, %at: index) {
  %v = flir.load %x[%at] strides [1] extents [4] {isVolatile, flagtree_hints = "dma"} -> tensor<4xf32>
  return
}

// What a loop carries as a tensor it carries as a vector.
// CHECK-LABEL: func @a_carried_tile
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<64xf32>)
// CHECK: arith.addf
func.func @a_carried_tile(%x: !llvm.ptr, %o: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.for %t = %c0 to %n step %c64 iter_args(%a = %init) -> tensor<64xf32> {
    %v = flir.load %x[%t] strides [1] extents [64] -> tensor<64xf32>
    %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%v : tensor<64xf32>) outs(%a : tensor<64xf32>) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  }
  flir.store %r, %o[%c0] strides [1] extents [64] : tensor<64xf32>
  return
}

// Lanes are summed up once, after the loop.
// CHECK-LABEL: func @lanes_are_combined_last
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (vector<64xf32>)
// CHECK:   %[[X:.*]] = flir.load
// CHECK:   %[[W:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<64xf32>
// CHECK:   scf.yield %[[W]]
// CHECK: %[[S:.*]] = vector.reduction <add>, %[[R]] fastmath<reassoc> : vector<64xf32> into f32
// CHECK: arith.addf %arg2, %[[S]] : f32
func.func @lanes_are_combined_last(%x: !llvm.ptr, %n: index, %start: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %start) -> f32 {
    %v = flir.load %x[%i] strides [1] extents [64] -> vector<64xf32>
    %p = vector.reduction <add>, %v, %zero fastmath<reassoc> : vector<64xf32> into f32
    %t = arith.addf %s, %p : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// Elements side by side along the first dimension are read along it.
// CHECK-LABEL: func @columns
// CHECK: flir.load %{{.*}} strides [%arg3, 1] extents [4, 8] -> vector<4x8xf32>
// CHECK: vector.transpose %{{.*}}, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
func.func @columns(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %n: index) {
  %v = flir.load %x[%at] strides [1, %n] extents [8, 4] -> tensor<8x4xf32>
  flir.store %v, %o[%at] strides [4, 1] extents [8, 4] : tensor<8x4xf32>
  return
}
