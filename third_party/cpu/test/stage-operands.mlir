// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-stage-operands))' -split-input-file | FileCheck %s

// The left operand is read where it lies when no extent cuts it, the right one is
// copied; both have a version without masks, and the next blocks are fetched.
// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for %[[I:.*]] = %arg3 to %arg4 step %arg5
// CHECK: %[[FULL:.*]] = arith.cmpi sge, %arg6, %c32
// CHECK: %[[A:.*]] = scf.if %[[FULL]]
// CHECK: %[[VIEW:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<64x32xf32, strided<[?, 1], offset: ?>>
// CHECK: bufferization.to_tensor %[[VIEW]] restrict
// CHECK: else
// CHECK: flir.load %arg0[%[[I]]] strides [%arg7, 1] extents [64, %arg6]
// CHECK: %[[B:.*]] = scf.if
// CHECK: flir.load %arg1[%[[I]]] strides [%arg7, 1] extents [32, 64] pad
// CHECK: else
// CHECK: flir.load %arg1[%[[I]]] strides [%arg7, 1] extents [%arg6, 64] pad
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %arg5
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c128
// CHECK: llvm.intr.prefetch
// CHECK: } {cpu.prefetch}
// CHECK: linalg.matmul ins(%[[A]], %[[B]]
func.func @in_a_loop(%x: !llvm.ptr, %y: !llvm.ptr, %z: tensor<64x64xf32>, %lower: index, %upper: index, %step: index, %k: index, %ld: index) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %lower to %upper step %step iter_args(%c = %z) -> tensor<64x64xf32> {
    %a = flir.load %x[%i] strides [%ld, 1] extents [64, %k] pad %zero : f32 -> tensor<64x32xf32>
    %b = flir.load %y[%i] strides [%ld, 1] extents [%k, 64] pad %zero : f32 -> tensor<32x64xf32>
    %d = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

// A carried offset is followed to what the loop yields.
// CHECK-LABEL: func @carried
// CHECK: iter_args(%{{.*}} = %arg2, %[[P:.*]] = %c0{{.*}})
// CHECK: %[[NEXT:.*]] = arith.addi %[[P]], %arg5
// CHECK: scf.for
// CHECK: arith.addi %[[NEXT]]
// CHECK: llvm.intr.prefetch
func.func @carried(%x: !llvm.ptr, %b: tensor<32x64xf32>, %z: tensor<64x64xf32>, %lower: index, %upper: index, %step: index, %ld: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %0:2 = scf.for %i = %lower to %upper step %step iter_args(%c = %z, %p = %c0) -> (tensor<64x64xf32>, index) {
    %a = flir.load %x[%p] strides [%ld, 1] extents [64, 32] -> tensor<64x32xf32>
    %d = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
    %q = arith.addi %p, %step : index
    scf.yield %d, %q : tensor<64x64xf32>, index
  }
  return %0#0 : tensor<64x64xf32>
}

// -----

// A store in between may change what the operand holds.
// CHECK-LABEL: func @written_in_between
// CHECK-NOT: to_tensor
// CHECK: linalg.matmul
func.func @written_in_between(%x: !llvm.ptr, %y: !llvm.ptr, %b: tensor<32x64xf32>, %z: tensor<64x64xf32>, %o: index, %v: f32) -> tensor<64x64xf32> {
  %a = flir.load %x[%o] strides [32, 1] extents [64, 32] -> tensor<64x32xf32>
  flir.store %v, %y[%o] strides [] extents [] : f32
  %d = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// -----

// What is widened is copied: once, and not for each use.
// CHECK-LABEL: func @narrow
// CHECK-NOT: to_tensor
func.func @narrow(%x: !llvm.ptr, %b: tensor<32x64xbf16>, %z: tensor<64x64xf32>, %o: index) -> tensor<64x64xf32> {
  %a = flir.load %x[%o] strides [32, 1] extents [64, 32] -> tensor<64x32xbf16>
  %d = linalg.matmul ins(%a, %b : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// -----

// Rows that go by index lie nowhere as a matrix: they are copied, and no line is
// fetched ahead.
// CHECK-LABEL: func @rows_by_index
// CHECK-NOT: bufferization.to_tensor
// CHECK: flir.load %arg0[%{{.*}}] strides [0, 1] extents [64, 32] indirect [0](%arg3 : tensor<64xi64>)
// CHECK-NOT: prefetch
// CHECK: linalg.matmul
func.func @rows_by_index(%x: !llvm.ptr, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>, %rows: tensor<64xi64>) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : index
  %a = flir.load %x[%zero] strides [0, 1] extents [64, 32] indirect [0] (%rows : tensor<64xi64>) -> tensor<64x32xf32>
  %d = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
