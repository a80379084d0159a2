// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -mlir-print-op-generic | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -canonicalize | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func @structured
// CHECK: flir.atomic_rmw fadd relaxed device %{{.*}}, %{{.*}}[%{{.*}}] strides [1] extents [%{{.*}}] : tensor<64xf32>{{$}}
// CHECK: flir.atomic_rmw exch acq_rel system %{{.*}}, %{{.*}}[%{{.*}}] strides [%{{.*}}, 1] extents [%{{.*}}, 8] mask %{{.*}} : tensor<4x8xi1> : tensor<4x8xi32> -> tensor<4x8xi32>
// CHECK: flir.atomic_rmw umin release program %{{.*}}, %{{.*}}[%{{.*}}] strides [] extents [] mask %{{.*}} : i1 : i32 -> i32
// CHECK: flir.atomic_rmw fmax acquire device %{{.*}}, %{{.*}}[%{{.*}}] strides [1] extents [16] : vector<16xf16>
// CANON-LABEL: func @structured
// CANON: flir.atomic_rmw fadd
func.func @structured(%x: !llvm.ptr, %o: index, %ld: index, %e: index, %a: tensor<64xf32>, %b: tensor<4x8xi32>,
                      %m: tensor<4x8xi1>, %s: i32, %c: i1, %v: vector<16xf16>) -> (tensor<4x8xi32>, i32) {
  flir.atomic_rmw fadd relaxed device %a, %x[%o] strides [1] extents [%e] : tensor<64xf32>
  %0 = flir.atomic_rmw exch acq_rel system %b, %x[%o] strides [%ld, 1] extents [%e, 8] mask %m : tensor<4x8xi1> : tensor<4x8xi32> -> tensor<4x8xi32>
  %1 = flir.atomic_rmw umin release program %s, %x[%o] strides [] extents [] mask %c : i1 : i32 -> i32
  flir.atomic_rmw fmax acquire device %v, %x[%o] strides [1] extents [16] : vector<16xf16>
  return %0, %1 : tensor<4x8xi32>, i32
}

// CHECK-LABEL: func @addressed
// CHECK: flir.scatter_rmw xor relaxed device %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8xi1> : tensor<8xi32>, tensor<8xi64> -> tensor<8xi32>
// CHECK: flir.scatter_rmw add relaxed device %{{.*}}, %{{.*}} : i32, i64
// CHECK: flir.atomic_cas acq_rel device %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xi32>, tensor<8xi64>
// CHECK: flir.atomic_cas acq_rel device %{{.*}}, %{{.*}}, %{{.*}} : i32, i64
// CHECK: flir.atomic_load acquire system %{{.*}} mask %{{.*}} : tensor<8xi1> : tensor<8xi64> -> tensor<8xi32>
// CHECK: flir.clock
// CHECK: flir.atomic_poll relaxed device %{{.*}}, %{{.*}} until %{{.*}} : tensor<8xi32>, tensor<8xi64> -> tensor<8xi1>
// CHECK: flir.atomic_poll acquire device %{{.*}}, %{{.*}} : i32, i64 -> i1
// None of them may be left out, repeated or merged with another.
// CANON-LABEL: func @addressed
// CANON-COUNT-2: flir.scatter_rmw
// CANON-COUNT-2: flir.atomic_cas
// CANON: flir.atomic_load
// CANON-COUNT-2: flir.atomic_poll
func.func @addressed(%a: tensor<8xi64>, %v: tensor<8xi32>, %m: tensor<8xi1>, %p: i64, %s: i32) {
  %0 = flir.scatter_rmw xor relaxed device %v, %a mask %m : tensor<8xi1> : tensor<8xi32>, tensor<8xi64> -> tensor<8xi32>
  flir.scatter_rmw add relaxed device %s, %p : i32, i64
  %1 = flir.atomic_cas acq_rel device %v, %v, %a : tensor<8xi32>, tensor<8xi64>
  %2 = flir.atomic_cas acq_rel device %s, %s, %p : i32, i64
  %3 = flir.atomic_load acquire system %a mask %m : tensor<8xi1> : tensor<8xi64> -> tensor<8xi32>
  %t = flir.clock
  %4 = flir.atomic_poll relaxed device %v, %a until %t : tensor<8xi32>, tensor<8xi64> -> tensor<8xi1>
  %5 = flir.atomic_poll acquire device %s, %p : i32, i64 -> i1
  return
}

// CANON-LABEL: func @numbers
// CANON: flir.atomic_rmw add relaxed device %{{.*}}, %{{.*}}[%{{.*}}] strides [2] extents [5] : tensor<8xi32>
func.func @numbers(%x: !llvm.ptr, %o: index, %v: tensor<8xi32>) {
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %true = arith.constant dense<true> : tensor<8xi1>
  flir.atomic_rmw add relaxed device %v, %x[%o] strides [%two] extents [%five] mask %true : tensor<8xi1> : tensor<8xi32>
  return
}
