// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -mlir-print-op-generic | flagtree-opt | FileCheck %s
// RUN: flagtree-opt %s -canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func @exchange
// CHECK: flir.xor_shuffle %{{.*}}, 8 : tensor<64xf32>
// FOLD-LABEL: func @exchange
// FOLD-SAME: (%[[X:.*]]: tensor<64xf32>)
// FOLD: %[[Y:.*]] = flir.xor_shuffle %[[X]], 9 : tensor<64xf32>
// FOLD: return %[[Y]], %[[X]]
func.func @exchange(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = flir.xor_shuffle %x, 8 : tensor<64xf32>
  %1 = flir.xor_shuffle %0, 1 : tensor<64xf32>
  %2 = flir.xor_shuffle %1, 9 : tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @histogram
// CHECK: flir.histogram %{{.*}} : tensor<512xi32> -> tensor<64xi32>
// CHECK: flir.histogram %{{.*}} mask %{{.*}} : tensor<512xi8> : tensor<512xi32> -> tensor<64xi32>
func.func @histogram(%x: tensor<512xi32>, %m: tensor<512xi8>) -> (tensor<64xi32>, tensor<64xi32>) {
  %0 = flir.histogram %x : tensor<512xi32> -> tensor<64xi32>
  %1 = flir.histogram %x mask %m : tensor<512xi8> : tensor<512xi32> -> tensor<64xi32>
  return %0, %1 : tensor<64xi32>, tensor<64xi32>
}
