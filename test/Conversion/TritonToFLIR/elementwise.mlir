// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file | FileCheck %s

// CHECK-LABEL: func @renamed
// CHECK: math.sqrt
// CHECK: arith.divf
func.func @renamed(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tt.precise_sqrt %x : tensor<8xf32>
  %1 = tt.precise_divf %0, %y : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clamp
// CHECK: %[[A:.*]] = arith.maxnumf
// CHECK: %[[B:.*]] = arith.minnumf %[[A]]
// CHECK: %[[C:.*]] = arith.maximumf %[[B]]
// CHECK: arith.minimumf %[[C]]
func.func @clamp(%x: tensor<8xf32>, %low: tensor<8xf32>, %high: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tt.clampf %x, %low, %high, propagateNan = none : tensor<8xf32>
  %1 = tt.clampf %0, %low, %high, propagateNan = all : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @high_product
// CHECK: %{{.*}}, %[[HIGH:.*]] = arith.mului_extended
// CHECK: return %[[HIGH]]
func.func @high_product(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %0 = tt.mulhiui %x, %y : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// Without a rounding mode a conversion rounds to nearest; one width goes through fp32.
// CHECK-LABEL: func @floats
// CHECK: arith.extf %{{.*}} : tensor<8xf16> to tensor<8xf32>
// CHECK: arith.truncf %{{.*}} : tensor<8xf32> to tensor<8xf16>
// CHECK: arith.truncf %{{.*}} toward_zero : tensor<8xf32> to tensor<8xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<8xf16> to tensor<8xf32>
// CHECK: arith.truncf %[[WIDE]] : tensor<8xf32> to tensor<8xbf16>
func.func @floats(%x: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xbf16>) {
  %0 = tt.fp_to_fp %x : tensor<8xf16> -> tensor<8xf32>
  %1 = tt.fp_to_fp %0, rounding = rtne : tensor<8xf32> -> tensor<8xf16>
  %2 = tt.fp_to_fp %0, rounding = rtz : tensor<8xf32> -> tensor<8xf16>
  %3 = tt.fp_to_fp %x, rounding = rtne : tensor<8xf16> -> tensor<8xbf16>
  return %1, %2, %3 : tensor<8xf16>, tensor<8xf16>, tensor<8xbf16>
}

// -----

// CHECK-LABEL: func @bits
// CHECK: arith.bitcast %{{.*}} : tensor<8xf32> to tensor<8xi32>
// CHECK: llvm.ptrtoint
// CHECK: llvm.inttoptr
func.func @bits(%x: tensor<8xf32>, %p: !tt.ptr<f32>) -> (tensor<8xi32>, i64, !tt.ptr<i8>) {
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<8xi32>
  %1 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %2 = tt.int_to_ptr %1 : i64 -> !tt.ptr<i8>
  return %0, %1, %2 : tensor<8xi32>, i64, !tt.ptr<i8>
}

// -----

// A program is one thread: a barrier orders nothing.
// CHECK-LABEL: func @barrier
// CHECK-NEXT: return
func.func @barrier() {
  gpu.barrier
  return
}

// CHECK-LABEL: func @eight_bit_floats
// CHECK: arith.extf %{{.*}} : tensor<8xf8E4M3FN> to tensor<8xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<8xf16> to tensor<8xf32>
// CHECK: arith.truncf %[[WIDE]] : tensor<8xf32> to tensor<8xf8E5M2>
// CHECK: arith.truncf %{{.*}} : tensor<8xf32> to tensor<8xf8E4M3FN>
func.func @eight_bit_floats(%x: tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN> {
  %0 = tt.fp_to_fp %x : tensor<8xf8E4M3FN> -> tensor<8xf16>
  %1 = tt.fp_to_fp %0, rounding = rtne : tensor<8xf16> -> tensor<8xf8E5M2>
  %2 = tt.fp_to_fp %1, rounding = rtne : tensor<8xf8E5M2> -> tensor<8xf8E4M3FN>
  return %2 : tensor<8xf8E4M3FN>
}
