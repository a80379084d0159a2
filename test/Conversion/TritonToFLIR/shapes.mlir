// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file | FileCheck %s

// CHECK-LABEL: func @range
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: arith.addi %[[N]], %c8
func.func @range() -> tensor<8xi32> {
  %0 = tt.make_range {start = 8 : i32, end = 16 : i32} : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// CHECK-LABEL: func @splat
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x8xf32>)
func.func @splat(%x: f32) -> tensor<4x8xf32> {
  %0 = tt.splat %x : f32 -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// The new dimension is left out of the map: no reshape stands between.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #{{.*}}]
// CHECK: linalg.generic {indexing_maps = [#[[COLUMN]], #{{.*}}]
// CHECK: linalg.generic {indexing_maps = [#[[ONE]], #{{.*}}]
func.func @broadcast(%x: tensor<4xf32>, %y: tensor<8xf32>, %z: tensor<4x1xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tt.expand_dims %x {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %1 = tt.broadcast %0 : tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = tt.expand_dims %y {axis = 0 : i32} : tensor<8xf32> -> tensor<1x8xf32>
  %3 = tt.broadcast %2 : tensor<1x8xf32> -> tensor<4x8xf32>
  %4 = tt.broadcast %z : tensor<4x1xf32> -> tensor<4x8xf32>
  return %1, %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @transpose
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x4x8xf32>) outs(%{{.*}} : tensor<8x2x4xf32>) permutation = [2, 0, 1]
func.func @transpose(%x: tensor<2x4x8xf32>) -> tensor<8x2x4xf32> {
  %0 = tt.trans %x {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  return %0 : tensor<8x2x4xf32>
}

// -----

// CHECK-LABEL: func @reshape
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
// CHECK: tensor.expand_shape %[[FLAT]] {{\[}}[0, 1, 2]] output_shape [2, 2, 8]
func.func @reshape(%x: tensor<4x8xf32>) -> tensor<2x2x8xf32> {
  %0 = tt.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  return %0 : tensor<2x2x8xf32>
}

// -----

// CHECK-LABEL: func @unsplat
// CHECK: tensor.extract %{{.*}}[%c0{{.*}}, %c0{{.*}}] : tensor<1x1xf32>
func.func @unsplat(%x: tensor<1x1xf32>) -> f32 {
  %0 = tt.unsplat %x : tensor<1x1xf32>
  return %0 : f32
}

// CHECK-LABEL: func @join
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<8x2xf32>)
// CHECK: linalg.index 1
// CHECK: arith.select
func.func @join(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8x2xf32> {
  %0 = tt.join %a, %b : tensor<8xf32> -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// CHECK-LABEL: func @split
// CHECK-SAME: (%[[X:.*]]: tensor<8x2xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: tensor.extract %[[X]][%[[I]], %c0
// CHECK: %[[J:.*]] = linalg.index 0
// CHECK: tensor.extract %[[X]][%[[J]], %c1
func.func @split(%a: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0, %1 = tt.split %a : tensor<8x2xf32> -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Booleans that are read in other tiles than they are written in are bytes.
// CHECK-LABEL: func @cat
// CHECK: arith.extui %{{.*}} : tensor<8xi1> to tensor<8xi8>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0] [8] [1] : tensor<8xi8> into tensor<16xi8>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[8] [8] [1] : tensor<8xi8> into tensor<16xi8>
// CHECK: arith.trunci %{{.*}} : tensor<16xi8> to tensor<16xi1>
func.func @cat(%a: tensor<8xi1>, %b: tensor<8xi1>) -> tensor<16xi1> {
  %0 = tt.cat %a, %b : tensor<8xi1> -> tensor<16xi1>
  return %0 : tensor<16xi1>
}

// CHECK-LABEL: func @gather
// CHECK-SAME: (%[[X:.*]]: tensor<32x16xf32>
// CHECK: linalg.generic
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: %[[ROW:.*]] = arith.minui
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[COLUMN]]]
func.func @gather(%x: tensor<32x16xf32>, %i: tensor<8x16xi32>) -> tensor<8x16xf32> {
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<32x16xf32>, tensor<8x16xi32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @histogram
// CHECK: flir.histogram %{{.*}} : tensor<512xi32> -> tensor<64xi32>
func.func @histogram(%x: tensor<512xi32>) -> tensor<64xi32> {
  %0 = tt.histogram %x : tensor<512xi32> -> tensor<64xi32>
  return %0 : tensor<64xi32>
}
