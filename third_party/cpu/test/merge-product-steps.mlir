// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-merge-product-steps))' -split-input-file | FileCheck %s

// Two iterations of 32 become one of 64: extents end where the loop does.
// CHECK-LABEL: func @masked
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr, %[[B:[^:]*]]: !llvm.ptr, %[[K:[^:]*]]: index, %[[LD:[^:]*]]: index, %[[N:[^:]*]]: index
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[TWO]] iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}})
// CHECK: %[[ITERATIONS:.*]] = arith.subi %[[N]], %[[I]]
// CHECK: %[[LEFT:.*]] = arith.muli %[[ITERATIONS]], %c32
// CHECK: %[[DEPTH:.*]] = arith.subi %[[K]]
// CHECK: %[[BOTH:.*]] = arith.minsi %[[DEPTH]], %[[LEFT]]
// CHECK: %[[L:.*]] = flir.load %[[A]][%[[X]]] strides [%[[LD]], 1] extents [64, %[[BOTH]]] pad %{{.*}} -> tensor<64x64xf32>
// CHECK: %[[R:.*]] = flir.load %[[B]][%[[Y]]] strides [%[[LD]], 1] extents [%[[BOTH]], 64] pad %{{.*}} -> tensor<64x64xf32>
// CHECK: linalg.matmul ins(%[[L]], %[[R]] : tensor<64x64xf32>, tensor<64x64xf32>) outs(%[[SUM]]
func.func @masked(%a: !llvm.ptr, %b: !llvm.ptr, %k: index, %ld: index, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c0, %sum = %zero) -> (index, index, tensor<64x64xf32>) {
    %done = arith.muli %i, %c32 : index
    %depth = arith.subi %k, %done : index
    %l = flir.load %a[%x] strides [%ld, 1] extents [64, %depth] pad %z : f32 -> tensor<64x32xf32>
    %q = flir.load %b[%y] strides [%ld, 1] extents [%depth, 64] pad %z : f32 -> tensor<32x64xf32>
    %s = linalg.matmul ins(%l, %q : tensor<64x32xf32>, tensor<32x64xf32>) outs(%sum : tensor<64x64xf32>) -> tensor<64x64xf32>
    %xn = arith.addi %x, %c32 : index
    %rows = arith.muli %ld, %c32 : index
    %yn = arith.addi %y, %rows : index
    scf.yield %xn, %yn, %s : index, index, tensor<64x64xf32>
  }
  return %r#2 : tensor<64x64xf32>
}

// -----

// Without extents along K what the loop has left is one.
// CHECK-LABEL: func @whole
// CHECK: %[[LEFT:.*]] = arith.muli %{{.*}}, %c16
// CHECK: flir.load %{{.*}} extents [16, %[[LEFT]]] pad %{{.*}} -> tensor<16x64xf32>
// CHECK: flir.load %{{.*}} extents [%[[LEFT]], 16] pad %{{.*}} -> tensor<64x16xf32>
func.func @whole(%a: !llvm.ptr, %b: !llvm.ptr, %end: index) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %end step %c16 iter_args(%sum = %zero) -> tensor<16x16xf32> {
    %y = arith.muli %i, %c16 : index
    %l = flir.load %a[%i] strides [%end, 1] extents [16, 16] -> tensor<16x16xf32>
    %q = flir.load %b[%y] strides [16, 1] extents [16, 16] -> tensor<16x16xf32>
    %s = linalg.matmul ins(%l, %q : tensor<16x16xf32>, tensor<16x16xf32>) outs(%sum : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %s : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// -----

// Blocks that lie apart stay apart, and so do those whose padding counts.
// CHECK-LABEL: func @apart
// CHECK: flir.load {{.*}} -> tensor<16x16xf32>
// CHECK-LABEL: func @padded
// CHECK: flir.load {{.*}} -> tensor<16x16xf32>
func.func @apart(%a: !llvm.ptr, %b: !llvm.ptr, %end: index) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %end step %c32 iter_args(%sum = %zero) -> tensor<16x16xf32> {
    %l = flir.load %a[%i] strides [%end, 1] extents [16, 16] -> tensor<16x16xf32>
    %q = flir.load %b[%i] strides [1, %end] extents [16, 16] -> tensor<16x16xf32>
    %s = linalg.matmul ins(%l, %q : tensor<16x16xf32>, tensor<16x16xf32>) outs(%sum : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %s : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
func.func @padded(%a: !llvm.ptr, %b: !llvm.ptr, %end: index) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %end step %c16 iter_args(%sum = %zero) -> tensor<16x16xf32> {
    %depth = arith.subi %end, %i : index
    %l = flir.load %a[%i] strides [%end, 1] extents [16, %depth] pad %one : f32 -> tensor<16x16xf32>
    %q = flir.load %b[%i] strides [1, %end] extents [%depth, 16] pad %one : f32 -> tensor<16x16xf32>
    %s = linalg.matmul ins(%l, %q : tensor<16x16xf32>, tensor<16x16xf32>) outs(%sum : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %s : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}
