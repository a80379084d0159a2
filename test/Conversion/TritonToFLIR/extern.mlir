// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s

// Functions of libdevice by what computes them.
// CHECK-LABEL: func @floats
// CHECK: math.tanh %{{.*}} : tensor<64xf32>
// CHECK: math.atan2 %{{.*}} : f64
// CHECK: flir.extern "tgammaf"(%{{.*}}) : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: flir.extern "hypotf"
// CHECK: flir.extern "hypotf"
// CHECK: arith.divf
// CHECK: flir.extern "exp10f"
func.func @floats(%x: tensor<64xf32>, %y: f64) -> (tensor<64xf32>, f64) {
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
  %1 = tt.extern_elementwise %y, %y {libname = "", libpath = "", pure = true, symbol = "__nv_atan2"} : (f64, f64) -> f64
  %2 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "__nv_tgammaf"} : (tensor<64xf32>) -> tensor<64xf32>
  %3 = tt.extern_elementwise %0, %x, %2 {libname = "", libpath = "", pure = true, symbol = "__nv_rnorm3df"} : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %4 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_fast_exp10f"} : (tensor<64xf32>) -> tensor<64xf32>
  return %4, %1 : tensor<64xf32>, f64
}

// CHECK-LABEL: func @integers
// CHECK: math.ctpop %{{.*}} : tensor<64xi64>
// CHECK: arith.trunci %{{.*}} : tensor<64xi64> to tensor<64xi32>
// CHECK: arith.mului_extended
// CHECK: arith.fptosi
// CHECK-COUNT-3: arith.select
func.func @integers(%x: tensor<64xi64>, %y: f32) -> (tensor<64xi32>, i32) {
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_popcll"} : (tensor<64xi64>) -> tensor<64xi32>
  %1 = tt.extern_elementwise %0, %0 {libname = "", libpath = "", pure = true, symbol = "__nv_umulhi"} : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %2 = tt.extern_elementwise %y {libname = "", libpath = "", pure = true, symbol = "__nv_float2int_rz"} : (f32) -> i32
  return %1, %2 : tensor<64xi32>, i32
}
