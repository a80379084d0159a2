// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

func.func @strides_of_another_rank(%x: !llvm.ptr, %o: index) {
  // expected-error @+1 {{'flir.load' op expects one stride for each of the 2 dimensions of the block, got 1}}
  %0 = flir.load %x[%o] strides [1] extents [4, 8] -> tensor<4x8xf32>
  return
}

// -----

func.func @extents_of_another_rank(%x: !llvm.ptr, %o: index, %v: tensor<8xf32>) {
  // expected-error @+1 {{'flir.store' op expects one extent for each of the 1 dimensions of the block, got 0}}
  flir.store %v, %x[%o] strides [1] extents [] : tensor<8xf32>
  return
}

// -----

func.func @strides_of_a_scalar(%x: !llvm.ptr, %o: index) {
  // expected-error @+1 {{'flir.load' op expects one stride for each of the 0 dimensions of the block, got 1}}
  %0 = flir.load %x[%o] strides [1] extents [] -> f32
  return
}

// -----

func.func @operand_without_a_place(%x: !llvm.ptr, %o: index) {
  // expected-error @+1 {{'flir.load' op expects 0 stride operands, got 1}}
  %0 = "flir.load"(%x, %o, %o) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, static_extents = array<i64: 8>,
      static_strides = array<i64: 1>}> : (!llvm.ptr, index, index) -> tensor<8xf32>
  return
}

// -----

func.func @mask_of_another_shape(%x: !llvm.ptr, %o: index, %m: tensor<4xi1>) {
  // expected-error @+1 {{'flir.load' op expects a mask of type 'tensor<8xi1>', got 'tensor<4xi1>'}}
  %0 = flir.load %x[%o] strides [1] extents [8] mask %m : tensor<4xi1> -> tensor<8xf32>
  return
}

// -----

func.func @mask_of_another_kind(%x: !llvm.ptr, %o: index, %m: tensor<8xi1>, %v: vector<8xf32>) {
  // expected-error @+1 {{'flir.store' op expects a mask of type 'vector<8xi1>', got 'tensor<8xi1>'}}
  flir.store %v, %x[%o] strides [1] extents [8] mask %m : tensor<8xi1> : vector<8xf32>
  return
}

// -----

func.func @pad_of_another_type(%x: !llvm.ptr, %o: index, %pad: f64) {
  // expected-error @+1 {{'flir.load' op expects a pad value of the element type 'f32', got 'f64'}}
  %0 = flir.load %x[%o] strides [1] extents [8] pad %pad : f64 -> tensor<8xf32>
  return
}

// -----

func.func @addresses_of_another_shape(%a: tensor<8xi64>) {
  // expected-error @+1 {{'flir.gather' op expects addresses of the shape of the block 'tensor<4xf32>', got 'tensor<8xi64>'}}
  %0 = flir.gather %a : tensor<8xi64> -> tensor<4xf32>
  return
}

// -----

func.func @addresses_of_another_kind(%a: tensor<8xi64>, %v: vector<8xf32>) {
  // expected-error @+1 {{'flir.scatter' op expects addresses of the shape of the block 'vector<8xf32>', got 'tensor<8xi64>'}}
  flir.scatter %v, %a : vector<8xf32>, tensor<8xi64>
  return
}

// -----

func.func @addresses_that_are_floats(%a: tensor<8xf32>) {
  // expected-error @+1 {{'flir.gather' op operand #0 must be}}
  %0 = flir.gather %a : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @blocks_of_dynamic_shape(%x: !llvm.ptr, %o: index) {
  // expected-error @+1 {{'flir.load' op result #0 must be}}
  %0 = flir.load %x[%o] strides [1] extents [8] -> tensor<?xf32>
  return
}

// -----

func.func @extern_keeps_the_shape(%x: tensor<64xf32>) -> tensor<32xf32> {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = flir.extern "tgammaf"(%x) : (tensor<64xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
