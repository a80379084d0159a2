// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

func.func @no_such_axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{'flir.scan' op expects an axis of its sources, which have 1 dimensions, got 1}}
  %0 = flir.scan %x axis 1 {
  ^bb0(%a: f32, %b: f32):
    flir.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @two_shapes(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'flir.reduce' op expects sources of one shape, got 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %0:2 = flir.reduce %x, %y axis 0 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    flir.yield %a, %b : f32, f32
  } : (tensor<8xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @axis_that_stays(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'flir.reduce' op expects a result of type 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %0 = flir.reduce %x axis 1 {
  ^bb0(%a: f32, %b: f32):
    flir.yield %a : f32
  } : (tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @results_that_are_missing(%x: tensor<8xf32>) {
  // expected-error @+1 {{'flir.reduce' op expects one result for each source}}
  %0 = flir.reduce %x, %x axis 0 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    flir.yield %a, %b : f32, f32
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @one_argument(%x: tensor<8xf32>) {
  // expected-error @+1 {{'flir.scan' op expects a region that takes two elements of each source}}
  %0 = flir.scan %x axis 0 {
  ^bb0(%a: f32):
    flir.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @another_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'flir.scan' op expects a region that yields one element of each source}}
  %0 = flir.scan %x axis 0 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.extf %a : f32 to f64
    flir.yield %c : f64
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
