// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

func.func @strides(%x: !llvm.ptr, %o: index, %v: tensor<4x8xi32>) {
  // expected-error @+1 {{'flir.atomic_rmw' op expects one stride for each of the 2 dimensions of the block, got 1}}
  flir.atomic_rmw add relaxed device %v, %x[%o] strides [1] extents [4, 8] : tensor<4x8xi32>
  return
}

// -----

func.func @sum_of_floats(%x: !llvm.ptr, %o: index, %v: tensor<8xf32>) {
  // expected-error @+1 {{'flir.atomic_rmw' op applies 'add' to 'f32'; it needs integer elements}}
  flir.atomic_rmw add relaxed device %v, %x[%o] strides [1] extents [8] : tensor<8xf32>
  return
}

// -----

func.func @float_sum_of_integers(%a: tensor<8xi64>, %v: tensor<8xi32>) {
  // expected-error @+1 {{'flir.scatter_rmw' op applies 'fadd' to 'i32'; it needs floating-point elements}}
  flir.scatter_rmw fadd relaxed device %v, %a : tensor<8xi32>, tensor<8xi64>
  return
}

// -----

func.func @old_values_of_another_type(%x: !llvm.ptr, %o: index, %v: tensor<8xi32>) {
  // expected-error @+1 {{'flir.atomic_rmw' op expects old values of type 'tensor<8xi32>', got 'tensor<8xi64>'}}
  %0 = flir.atomic_rmw add relaxed device %v, %x[%o] strides [1] extents [8] : tensor<8xi32> -> tensor<8xi64>
  return
}

// -----

func.func @values_of_another_shape(%a: tensor<8xi64>, %v: tensor<4xi32>) {
  // expected-error @+1 {{'flir.atomic_cas' op expects values of type 'tensor<8xi32>' for addresses of type 'tensor<8xi64>', got 'tensor<4xi32>'}}
  %0 = flir.atomic_cas acq_rel device %v, %v, %a : tensor<4xi32>, tensor<8xi64>
  return
}

// -----

func.func @mask_of_a_block_at_one_address(%a: i64, %v: i32, %m: tensor<8xi1>) {
  // expected-error @+1 {{'flir.scatter_rmw' op expects a mask of type 'i1' for addresses of type 'i64', got 'tensor<8xi1>'}}
  flir.scatter_rmw add relaxed device %v, %a mask %m : tensor<8xi1> : i32, i64
  return
}

// -----

func.func @release_of_a_read(%a: i64) {
  // expected-error @+1 {{'flir.atomic_load' op reads; its memory order is relaxed or acquire}}
  %0 = flir.atomic_load release device %a : i64 -> i32
  return
}

// -----

func.func @release_of_a_wait(%a: i64, %v: i32) {
  // expected-error @+1 {{'flir.atomic_poll' op reads; its memory order is relaxed or acquire}}
  %0 = flir.atomic_poll acq_rel device %v, %a : i32, i64 -> i1
  return
}

// -----

func.func @one_answer_for_a_block(%a: tensor<8xi64>, %v: tensor<8xi32>) {
  // expected-error @+1 {{'flir.atomic_poll' op expects a result of type 'tensor<8xi1>' for addresses of type 'tensor<8xi64>', got 'i1'}}
  %0 = flir.atomic_poll acquire device %v, %a : tensor<8xi32>, tensor<8xi64> -> i1
  return
}
