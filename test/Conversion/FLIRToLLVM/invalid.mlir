// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(convert-flir-to-llvm))' -split-input-file -verify-diagnostics

func.func @tensors_come_too_early(%x: !llvm.ptr, %o: index) -> tensor<8xf32> {
  // expected-error @+1 {{'flir.load' op on a tensor must be tiled and vectorised before it is lowered}}
  %v = flir.load %x[%o] strides [1] extents [8] -> tensor<8xf32>
  return %v : tensor<8xf32>
}

// -----

func.func @stores_of_tensors(%x: !llvm.ptr, %o: index, %v: tensor<8xf32>) {
  // expected-error @+1 {{'flir.store' op on a tensor must be tiled}}
  flir.store %v, %x[%o] strides [1] extents [8] : tensor<8xf32>
  return
}
