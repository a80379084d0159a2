// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-prepare-dots))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @bf16
// CHECK-DAG: %[[A:.*]] = arith.extf %arg0 : tensor<8x4xbf16> to tensor<8x4xf32>
// CHECK-DAG: %[[B:.*]] = arith.extf %arg1 : tensor<4x16xbf16> to tensor<4x16xf32>
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%arg2 : tensor<8x16xf32>)
func.func @bf16(%a: tensor<8x4xbf16>, %b: tensor<4x16xbf16>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xbf16>, tensor<4x16xbf16>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func @bytes
// CHECK: arith.sitofp %arg0 : tensor<8x4xi8> to tensor<8x4xf32>
// CHECK: linalg.matmul {{.*}} outs(%arg2 : tensor<8x16xi32>)
func.func @bytes(%a: tensor<8x4xi8>, %b: tensor<4x16xi8>, %c: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xi8>, tensor<4x16xi8>) outs(%c : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// CHECK-LABEL: func @int16
// CHECK: arith.extsi %arg0 : tensor<8x4xi16> to tensor<8x4xi32>
func.func @int16(%a: tensor<8x4xi16>, %b: tensor<4x16xi16>, %c: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xi16>, tensor<4x16xi16>) outs(%c : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// CHECK-LABEL: func @from_zero
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x16xf32>
// CHECK: linalg.matmul {cpu.overwrites} ins(%arg0, %arg1 : {{.*}}) outs(%[[E]] : tensor<8x16xf32>)
func.func @from_zero(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) outs(%zero : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func @batch
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[C:.*]] = %arg2)
// CHECK-DAG: %[[INTO:.*]] = tensor.extract_slice %[[C]][%[[I]], 0, 0] [1, 8, 16] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %arg0[%[[I]], 0, 0] [1, 8, 4] [1, 1, 1]
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} outs(%[[INTO]]
// CHECK: tensor.insert_slice %[[P]] into %[[C]][%[[I]], 0, 0]
func.func @batch(%a: tensor<2x8x4xf32>, %b: tensor<2x4x16xf32>, %c: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x8x4xf32>, tensor<2x4x16xf32>) outs(%c : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// -----

// A start of zeros is filled, not copied from a constant of 16 KiB.
// CHECK-LABEL: func @sum_starts_at_zero
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x64xf32>
// CHECK: %[[START:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[EMPTY]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
func.func @sum_starts_at_zero(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> tensor<64x64xf32> {
    %s = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%sum : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
