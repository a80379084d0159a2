// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(convert-elementwise-to-linalg,flir-fuse-elementwise,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func @a_chain_is_one_operation
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: math.exp
// CHECK-NOT: linalg.generic
func.func @a_chain_is_one_operation(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = arith.addf %x, %y : tensor<64xf32>
  %1 = arith.mulf %0, %y : tensor<64xf32>
  %2 = math.exp %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}

// CHECK-LABEL: func @what_is_cheap_is_computed_by_each_user
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: math.sqrt
// CHECK-NOT: linalg.generic
func.func @what_is_cheap_is_computed_by_each_user(%x: tensor<64xf32>, %y: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = arith.addf %x, %y : tensor<64xf32>
  %1 = math.exp %0 : tensor<64xf32>
  %2 = math.sqrt %0 : tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @what_is_dear_is_computed_once
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
func.func @what_is_dear_is_computed_once(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = math.exp %x : tensor<64xf32>
  %1 = arith.addf %0, %x : tensor<64xf32>
  %2 = arith.mulf %0, %x : tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @constants_and_fills_become_scalars
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}} : tensor<64xf32>)
// CHECK: arith.mulf %{{.*}}, %[[TWO]] : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: linalg.{{generic|fill}}
func.func @constants_and_fills_become_scalars(%x: tensor<64xf32>, %s: f32) -> tensor<64xf32> {
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = arith.mulf %x, %two : tensor<64xf32>
  %1 = arith.addf %0, %f : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// A value made before a loop is not made again in each iteration.
// CHECK-LABEL: func @not_across_a_loop
// CHECK: arith.addf
// CHECK: scf.for
// CHECK-NOT: arith.addf
// CHECK: arith.mulf
func.func @not_across_a_loop(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.addf %x, %x : tensor<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<64xf32> {
    %1 = arith.mulf %a, %0 : tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func @into_a_reduction
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @into_a_reduction(%x: tensor<64xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = arith.mulf %x, %x : tensor<64xf32>
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %1 : tensor<f32>
}
