// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

func.func @no_power_of_two(%x: tensor<48xf32>) {
  // expected-error @+1 {{'flir.xor_shuffle' op expects a number of elements that is a power of two, got 'tensor<48xf32>'}}
  %0 = flir.xor_shuffle %x, 8 : tensor<48xf32>
  return
}

// -----

func.func @too_far(%x: tensor<64xf32>) {
  // expected-error @+1 {{'flir.xor_shuffle' op expects a distance from 0 to 63, got 64}}
  %0 = flir.xor_shuffle %x, 64 : tensor<64xf32>
  return
}

// -----

func.func @mask_of_another_shape(%x: tensor<64xi32>, %m: tensor<32xi8>) {
  // expected-error @+1 {{'flir.histogram' op expects a mask of the shape of 'tensor<64xi32>', got 'tensor<32xi8>'}}
  %0 = flir.histogram %x mask %m : tensor<32xi8> : tensor<64xi32> -> tensor<8xi32>
  return
}
