// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-narrow-accumulators,canonicalize))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Each iteration sums up what it adds.
// CHECK-LABEL: func @sum
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
// CHECK:   %[[X:.*]] = flir.load
// CHECK:   %[[P:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[X]] : tensor<256xf32>)
// CHECK:     %[[SQUARE:.*]] = arith.mulf
// CHECK:     arith.addf %{{.*}}, %[[SQUARE]]
// CHECK:   %[[N:.*]] = tensor.extract %[[P]][]
// CHECK:   %[[T:.*]] = arith.addf %[[S]], %[[N]] : f32
// CHECK:   scf.yield %[[T]] : f32
// CHECK: return %[[SUM]]
func.func @sum(%x: !llvm.ptr, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<256xf32>
  %acc = scf.for %i = %c0 to %n step %c256 iter_args(%a = %zeros) -> (tensor<256xf32>) {
    %v = flir.load %x[%i] strides [1] extents [256] -> tensor<256xf32>
    %e = tensor.empty() : tensor<256xf32>
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %v : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.mulf %q, %q : f32
      %r = arith.addf %p, %m : f32
      linalg.yield %r : f32
    } -> tensor<256xf32>
    scf.yield %b : tensor<256xf32>
  }
  %e0 = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%acc : tensor<256xf32>) outs(%start : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %t = tensor.extract %s[] : tensor<f32>
  return %t : f32
}

// The block does not start as zeros.
// CHECK-LABEL: func @starts_with_ones
// CHECK: scf.for {{.*}} -> (tensor<256xf32>)
func.func @starts_with_ones(%x: !llvm.ptr, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<256xf32>
  %acc = scf.for %i = %c0 to %n step %c256 iter_args(%a = %ones) -> (tensor<256xf32>) {
    %v = flir.load %x[%i] strides [1] extents [256] -> tensor<256xf32>
    %e = tensor.empty() : tensor<256xf32>
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %v : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
    } -> tensor<256xf32>
    scf.yield %b : tensor<256xf32>
  }
  %e0 = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%acc : tensor<256xf32>) outs(%start : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %t = tensor.extract %s[] : tensor<f32>
  return %t : f32
}

// A maximum may start from anything, but the update must be one too.
// CHECK-LABEL: func @maximum_of_sums
// CHECK: scf.for {{.*}} -> (tensor<256xi32>)
func.func @maximum_of_sums(%x: !llvm.ptr, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %least = arith.constant -2147483648 : i32
  %zeros = arith.constant dense<0> : tensor<256xi32>
  %acc = scf.for %i = %c0 to %n step %c256 iter_args(%a = %zeros) -> (tensor<256xi32>) {
    %v = flir.load %x[%i] strides [1] extents [256] -> tensor<256xi32>
    %e = tensor.empty() : tensor<256xi32>
    %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %v : tensor<256xi32>, tensor<256xi32>) outs(%e : tensor<256xi32>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %r = arith.addi %p, %q : i32
      linalg.yield %r : i32
    } -> tensor<256xi32>
    scf.yield %b : tensor<256xi32>
  }
  %e0 = tensor.empty() : tensor<i32>
  %start = linalg.fill ins(%least : i32) outs(%e0 : tensor<i32>) -> tensor<i32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%acc : tensor<256xi32>) outs(%start : tensor<i32>) {
  ^bb0(%p: i32, %o: i32):
    %r = arith.maxsi %p, %o : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %t = tensor.extract %s[] : tensor<i32>
  return %t : i32
}
