// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize | FileCheck %s

// One step of a sorting network: pairs four apart, larger ones behind.
// CHECK-LABEL: func @compare_and_swap
// CHECK-SAME: (%[[X:.*]]: tensor<16xf32>)
// CHECK-NOT: linalg.reduce
// CHECK: %[[Y:.*]] = flir.xor_shuffle %[[X]], 4 : tensor<16xf32>
// CHECK-DAG: arith.cmpf ogt, %[[X]], %[[Y]] : tensor<16xf32>
// CHECK-DAG: arith.shrui %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[Y]], %[[X]] : tensor<16xi1>, tensor<16xf32>
// CHECK: return %[[R]]
func.func @compare_and_swap(%x: tensor<16xf32>) -> tensor<16xf32> {
  %none = arith.constant dense<0> : tensor<1x2x1x1xi32>
  %h = tt.reshape %x : tensor<16xf32> -> tensor<2x2x2x2xf32>
  %i = tt.bitcast %h : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
  %r = "tt.reduce"(%i) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.xori %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
  %k = tt.expand_dims %r {axis = 1 : i32} : tensor<2x2x2xi32> -> tensor<2x1x2x2xi32>
  %w = tt.broadcast %k : tensor<2x1x2x2xi32> -> tensor<2x2x2x2xi32>
  %o = arith.xori %i, %w : tensor<2x2x2x2xi32>
  %y = tt.bitcast %o : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
  %range = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  %side = tt.reshape %range : tensor<2xi32> -> tensor<1x2x1x1xi32>
  %right = arith.cmpi ne, %side, %none : tensor<1x2x1x1xi32>
  %rights = tt.broadcast %right : tensor<1x2x1x1xi1> -> tensor<2x2x2x2xi1>
  %greater = arith.cmpf ogt, %h, %y : tensor<2x2x2x2xf32>
  %swap = arith.cmpi ne, %greater, %rights : tensor<2x2x2x2xi1>
  %z = arith.select %swap, %y, %h : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
  %flat = tt.reshape %z : tensor<2x2x2x2xf32> -> tensor<16xf32>
  return %flat : tensor<16xf32>
}

// All bits of a dimension: its order turned around.
// CHECK-LABEL: func @flip
// CHECK: flir.xor_shuffle %{{.*}}, 3 : tensor<4xi32>
// CHECK-NOT: flir.xor_shuffle
func.func @flip(%x: tensor<4xi32>) -> tensor<4xi32> {
  %h = tt.reshape %x : tensor<4xi32> -> tensor<2x2xi32>
  %r = "tt.reduce"(%h) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.xori %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<2x2xi32>) -> tensor<2xi32>
  %k = tt.expand_dims %r {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
  %w = tt.broadcast %k : tensor<1x2xi32> -> tensor<2x2xi32>
  %o = arith.xori %h, %w : tensor<2x2xi32>
  %r2 = "tt.reduce"(%o) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.xori %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<2x2xi32>) -> tensor<2xi32>
  %k2 = tt.expand_dims %r2 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
  %w2 = tt.broadcast %k2 : tensor<2x1xi32> -> tensor<2x2xi32>
  %o2 = arith.xori %o, %w2 : tensor<2x2xi32>
  %flat = tt.reshape %o2 : tensor<2x2xi32> -> tensor<4xi32>
  return %flat : tensor<4xi32>
}
