// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-expand-histogram,canonicalize))' | FileCheck %s

// What is outside adds 0 to the first bin.
// CHECK-LABEL: func @masked
// CHECK-SAME: (%[[X:.*]]: tensor<512xi32>, %[[M:.*]]: tensor<512xi8>)
// CHECK: %[[NONE:.*]] = linalg.fill
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c512 {{.*}} iter_args(%[[COUNTS:.*]] = %[[NONE]]) -> (tensor<64xi32>)
// CHECK:   %[[V:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK:   %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:   %[[BYTE:.*]] = tensor.extract %[[M]][%[[I]]]
// CHECK:   %[[SET:.*]] = arith.cmpi ne, %[[BYTE]]
// CHECK:   %[[COUNTED:.*]] = arith.andi %[[INSIDE]], %[[SET]]
// CHECK:   %[[BIN:.*]] = arith.select %[[COUNTED]], %{{.*}}, %c0
// CHECK:   %[[OLD:.*]] = tensor.extract %[[COUNTS]][%[[BIN]]]
// CHECK:   %[[ONE:.*]] = arith.extui %[[COUNTED]] : i1 to i32
// CHECK:   %[[NEW:.*]] = arith.addi %[[OLD]], %[[ONE]]
// CHECK:   tensor.insert %[[NEW]] into %[[COUNTS]][%[[BIN]]]
func.func @masked(%x: tensor<512xi32>, %m: tensor<512xi8>) -> tensor<64xi32> {
  %0 = flir.histogram %x mask %m : tensor<512xi8> : tensor<512xi32> -> tensor<64xi32>
  return %0 : tensor<64xi32>
}
