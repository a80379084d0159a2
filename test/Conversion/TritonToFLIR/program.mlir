// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s

// Short floats and bits widen to what the host prints; pointers are integers.
// CHECK-LABEL: func.func @print
// CHECK-SAME: (%[[A:.*]]: tensor<4xbf16>, %[[B:.*]]: tensor<4xi1>, %[[C:.*]]: i64, %[[P:.*]]: !llvm.ptr)
// CHECK-DAG: %[[WIDE:.*]] = arith.extf %[[A]] : tensor<4xbf16> to tensor<4xf32>
// CHECK-DAG: %[[BYTES:.*]] = arith.extui %[[B]] : tensor<4xi1> to tensor<4xi8>
// CHECK-DAG: %[[ADDRESS:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i64
// CHECK: flir.print " v: " hex = false signed = [0, 0, 1, 0](%[[WIDE]], %[[BYTES]], %[[C]], %[[ADDRESS]]) : tensor<4xf32>, tensor<4xi8>, i64, i64
func.func @print(%a: tensor<4xbf16>, %b: tensor<4xi1>, %c: i64, %p: !tt.ptr<f32>) {
  tt.print " v: " {hex = false, isSigned = array<i32: 0, 0, 1, 0>} : %a, %b, %c, %p : tensor<4xbf16>, tensor<4xi1>, i64, !tt.ptr<f32>
  return
}

// CHECK-LABEL: func.func @assert
// CHECK-SAME: (%[[B:.*]]: tensor<4x8xi1>, %[[S:.*]]: i1)
// CHECK: %[[ALL:.*]] = linalg.reduce ins(%[[B]] : tensor<4x8xi1>) outs(%{{.*}} : tensor<i1>) dimensions = [0, 1]
// CHECK: arith.andi
// CHECK: %[[ONE:.*]] = tensor.extract %[[ALL]][] : tensor<i1>
// CHECK: flir.assert %[[ONE]], "block"
// CHECK: flir.assert %[[S]], "scalar"
func.func @assert(%b: tensor<4x8xi1>, %s: i1) {
  tt.assert %b, "block" : tensor<4x8xi1>
  tt.assert %s, "scalar" : i1
  return
}
