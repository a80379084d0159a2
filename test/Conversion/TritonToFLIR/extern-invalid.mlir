// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file -verify-diagnostics

func.func @missing(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{libdevice function 'erfinvf' is not available on this backend; compute it with functions of tl.math (kernel 'missing')}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_erfinvf"} : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @rounding(%x: f32) -> f32 {
  // expected-error @+1 {{libdevice function 'fadd_rz' rounds in a way that this backend does not offer; use the one that ends in _rn (kernel 'rounding')}}
  %0 = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_fadd_rz"} : (f32, f32) -> f32
  return %0 : f32
}

// -----

func.func @another_library(%x: f32) -> f32 {
  // expected-error @+1 {{function 'my_function' of a device library is not available on this backend}}
  %0 = tt.extern_elementwise %x {libname = "mine", libpath = "mine.bc", pure = true, symbol = "my_function"} : (f32) -> f32
  return %0 : f32
}
