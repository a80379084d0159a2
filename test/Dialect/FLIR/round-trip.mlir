// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -mlir-print-op-generic | flagtree-opt | FileCheck %s

// CHECK-LABEL: func @loads
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [1] extents [64] -> tensor<64xf32>
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [%{{.*}}, 1] extents [%{{.*}}, 64] pad %{{.*}} : f32 -> tensor<32x64xf32>
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [1] extents [64] mask %{{.*}} : tensor<64xi1> pad %{{.*}} : f32 {isVolatile} -> tensor<64xf32>
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [-1] extents [%{{.*}}] -> vector<64xf32>
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [] extents [] -> f32
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [] extents [] mask %{{.*}} : i1 pad %{{.*}} : f32 -> f32
func.func @loads(%x: !llvm.ptr, %o: index, %ld: index, %e: index, %m: tensor<64xi1>, %c: i1, %pad: f32) {
  %0 = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
  %1 = flir.load %x[%o] strides [%ld, 1] extents [%e, 64] pad %pad : f32 -> tensor<32x64xf32>
  %2 = flir.load %x[%o] strides [1] extents [64] mask %m : tensor<64xi1> pad %pad : f32 {isVolatile} -> tensor<64xf32>
  %3 = flir.load %x[%o] strides [-1] extents [%e] -> vector<64xf32>
  %4 = flir.load %x[%o] strides [] extents [] -> f32
  %5 = flir.load %x[%o] strides [] extents [] mask %c : i1 pad %pad : f32 -> f32
  return
}

// CHECK-LABEL: func @stores
// CHECK: flir.store %{{.*}}, %{{.*}}[%{{.*}}] strides [1] extents [%{{.*}}] : tensor<64xf32>
// CHECK: flir.store %{{.*}}, %{{.*}}[%{{.*}}] strides [2] extents [64] mask %{{.*}} : vector<64xi1> : vector<64xf32>
// CHECK: flir.store %{{.*}}, %{{.*}}[%{{.*}}] strides [] extents [] mask %{{.*}} : i1 : i8
func.func @stores(%x: !llvm.ptr, %o: index, %e: index, %t: tensor<64xf32>, %v: vector<64xf32>, %m: vector<64xi1>,
                  %s: i8, %c: i1) {
  flir.store %t, %x[%o] strides [1] extents [%e] : tensor<64xf32>
  flir.store %v, %x[%o] strides [2] extents [64] mask %m : vector<64xi1> : vector<64xf32>
  flir.store %s, %x[%o] strides [] extents [] mask %c : i1 : i8
  return
}

// CHECK-LABEL: func @indirect
// CHECK: flir.gather %{{.*}} : tensor<4x8xi64> -> tensor<4x8xf16>
// CHECK: flir.gather %{{.*}} : tensor<4x8xi64> mask %{{.*}} : tensor<4x8xi1> pad %{{.*}} : f16 {isVolatile} -> tensor<4x8xf16>
// CHECK: flir.scatter %{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<4x8xi64>
// CHECK: flir.scatter %{{.*}}, %{{.*}} mask %{{.*}} : tensor<4x8xi1> : tensor<4x8xf16>, tensor<4x8xi64>
func.func @indirect(%a: tensor<4x8xi64>, %m: tensor<4x8xi1>, %pad: f16) {
  %0 = flir.gather %a : tensor<4x8xi64> -> tensor<4x8xf16>
  %1 = flir.gather %a : tensor<4x8xi64> mask %m : tensor<4x8xi1> pad %pad : f16 {isVolatile} -> tensor<4x8xf16>
  flir.scatter %0, %a : tensor<4x8xf16>, tensor<4x8xi64>
  flir.scatter %1, %a mask %m : tensor<4x8xi1> : tensor<4x8xf16>, tensor<4x8xi64>
  return
}

// Hints are discardable attributes of an access.
// CHECK-LABEL: func @hints
// CHECK: flir.load {{.*}} {flagtree_hints = "dma"} -> tensor<64xf32>
func.func @hints(%x: !llvm.ptr, %o: index) {
  %0 = flir.load %x[%o] strides [1] extents [64] {flagtree_hints = "dma"} -> tensor<64xf32>
  return
}

// CHECK-LABEL: func @functions_of_a_library
// CHECK: flir.extern "tgammaf"(%{{.*}}) : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: flir.extern "ldexp"(%{{.*}}, %{{.*}}) : (f64, i32) -> f64
func.func @functions_of_a_library(%x: tensor<64xf32>, %y: f64, %n: i32) -> (tensor<64xf32>, f64) {
  %0 = flir.extern "tgammaf"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = flir.extern "ldexp"(%y, %n) : (f64, i32) -> f64
  return %0, %1 : tensor<64xf32>, f64
}
