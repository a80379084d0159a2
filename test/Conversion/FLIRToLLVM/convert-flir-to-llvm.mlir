// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(convert-flir-to-llvm,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: func @whole_rows_need_no_mask
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[O:.*]]: index)
// CHECK: %[[I:.*]] = arith.index_cast %[[O]] : index to i64
// CHECK: %[[P:.*]] = llvm.getelementptr %[[X]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[V:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.store %[[V]], %[[P]] {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK-NOT: masked
func.func @whole_rows_need_no_mask(%x: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [16] -> vector<16xf32>
  flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
  return
}

// CHECK-LABEL: func @an_extent_masks
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: index, %[[E:.*]]: index, %[[PAD:.*]]: f32)
// CHECK-DAG: %[[STEPS:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-DAG: %[[PADS:.*]] = vector.broadcast %[[PAD]] : f32 to vector<8xf32>
// CHECK-DAG: arith.minsi %[[E]], %c8
// CHECK-DAG: arith.maxsi %{{.*}}, %c0
// CHECK-DAG: %[[M:.*]] = arith.cmpi sgt, %{{.*}}, %[[STEPS]] : vector<8xi32>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[M]], %{{.*}} {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[M]] {alignment = 4 : i32}
func.func @an_extent_masks(%x: !llvm.ptr, %o: index, %e: index, %pad: f32) {
  %v = flir.load %x[%o] strides [1] extents [%e] pad %pad : f32 -> vector<8xf32>
  flir.store %v, %x[%o] strides [1] extents [%e] : vector<8xf32>
  return
}

// CHECK-LABEL: func @a_mask_masks
// CHECK-SAME: (%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: index, %[[M:.*]]: vector<8xi1>)
// CHECK: llvm.intr.masked.load %{{.*}}, %[[M]], %{{.*}} {alignment = 2 : i32}
func.func @a_mask_masks(%x: !llvm.ptr, %o: index, %m: vector<8xi1>) -> vector<8xf16> {
  %v = flir.load %x[%o] strides [1] extents [8] mask %m : vector<8xi1> -> vector<8xf16>
  return %v : vector<8xf16>
}

// CHECK-LABEL: func @strides_gather
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: index, %[[S:.*]]: index)
// CHECK: %[[STRIDE:.*]] = arith.index_cast %[[S]] : index to i64
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.intr.masked.scatter
func.func @strides_gather(%x: !llvm.ptr, %o: index, %s: index) {
  %v = flir.load %x[%o] strides [%s] extents [8] -> vector<8xf32>
  flir.store %v, %x[%o] strides [3] extents [8] : vector<8xf32>
  return
}

// CHECK-LABEL: func @a_stride_of_zero_is_one_load
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: vector.broadcast %[[V]] : f32 to vector<8xf32>
// CHECK-NOT: gather
func.func @a_stride_of_zero_is_one_load(%x: !llvm.ptr, %o: index) -> vector<8xf32> {
  %v = flir.load %x[%o] strides [0] extents [8] -> vector<8xf32>
  return %v : vector<8xf32>
}

// Each row is an access; a row outside of its extent has an empty mask.
// CHECK-LABEL: func @rows
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK-NOT: llvm.load
// CHECK: %[[A:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// CHECK: arith.select %[[A]], %c8{{.*}}, %c0
// CHECK: llvm.intr.masked.store
// CHECK: %[[B:.*]] = arith.cmpi sgt, %{{.*}}, %c1
// CHECK: arith.select %[[B]], %c8{{.*}}, %c0
// CHECK: llvm.intr.masked.store
func.func @rows(%x: !llvm.ptr, %o: index, %ld: index, %e: index) {
  %v = flir.load %x[%o] strides [%ld, 1] extents [2, 8] -> vector<2x8xf32>
  flir.store %v, %x[%o] strides [%ld, 1] extents [%e, 8] : vector<2x8xf32>
  return
}

// CHECK-LABEL: func @scalars
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: index, %[[M:.*]]: i1, %[[PAD:.*]]: f32)
// CHECK: %[[V:.*]] = scf.if %[[M]] -> (f32) {
// CHECK:   %[[R:.*]] = llvm.load
// CHECK:   scf.yield %[[R]]
// CHECK: } else {
// CHECK:   scf.yield %[[PAD]]
// CHECK: llvm.store %[[V]]
func.func @scalars(%x: !llvm.ptr, %o: index, %m: i1, %pad: f32) {
  %v = flir.load %x[%o] strides [] extents [] mask %m : i1 pad %pad : f32 -> f32
  flir.store %v, %x[%o] strides [] extents [] : f32
  return
}

// CHECK-LABEL: func @a_scalar_store_with_a_mask
// CHECK-SAME: %[[M:[^ ,:]*]]: i1
// CHECK: scf.if %[[M]] {
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NEXT: }
func.func @a_scalar_store_with_a_mask(%x: !llvm.ptr, %o: index, %v: f32, %m: i1) {
  flir.store %v, %x[%o] strides [] extents [] mask %m : i1 : f32
  return
}

// CHECK-LABEL: func @indirect
// CHECK-SAME: (%[[A:.*]]: vector<2x4xi64>, %[[M:.*]]: vector<2x4xi1>, %[[PAD:.*]]: f32)
// CHECK-DAG: %[[FLAT:.*]] = vector.shape_cast %[[A]] : vector<2x4xi64> to vector<8xi64>
// CHECK-DAG: %[[P:.*]] = llvm.inttoptr %[[FLAT]] : vector<8xi64> to vector<8x!llvm.ptr>
// CHECK-DAG: %[[K:.*]] = vector.shape_cast %[[M]] : vector<2x4xi1> to vector<8xi1>
// CHECK-DAG: %[[PADS:.*]] = vector.broadcast %[[PAD]] : f32 to vector<8xf32>
// CHECK: llvm.intr.masked.gather %[[P]], %[[K]], %[[PADS]]
// CHECK: llvm.intr.masked.scatter %{{.*}}, %[[P]], %[[K]]
func.func @indirect(%a: vector<2x4xi64>, %m: vector<2x4xi1>, %pad: f32) {
  %v = flir.gather %a : vector<2x4xi64> mask %m : vector<2x4xi1> pad %pad : f32 -> vector<2x4xf32>
  flir.scatter %v, %a mask %m : vector<2x4xi1> : vector<2x4xf32>, vector<2x4xi64>
  return
}

// An index of rows moves each row, which stays one access.
// CHECK-LABEL: func @indices_of_rows
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %{{.*}}: index, %[[I:.*]]: vector<2xi64>)
// CHECK: vector.extract %[[I]][0] : i64 from vector<2xi64>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK: vector.extract %[[I]][1] : i64 from vector<2xi64>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK-NOT: gather
// CHECK: llvm.store
func.func @indices_of_rows(%x: !llvm.ptr, %o: index, %i: vector<2xi64>) {
  %v = flir.load %x[%o] strides [0, 1] extents [2, 8] indirect [0] (%i : vector<2xi64>) -> vector<2x8xf32>
  flir.store %v, %x[%o] strides [8, 1] extents [2, 8] : vector<2x8xf32>
  return
}

// An index along a row gathers, from where the row starts.
// CHECK-LABEL: func @an_index_along_a_row
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[O:.*]]: index, %[[I:.*]]: vector<8xi64>, %[[E:.*]]: index)
// CHECK: %[[P:.*]] = llvm.getelementptr %[[X]]
// CHECK: %[[PS:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr, vector<8xi64>) -> vector<8x!llvm.ptr>, f32
// CHECK: %[[V:.*]] = llvm.intr.masked.gather %[[PS]]
// CHECK: llvm.intr.masked.scatter %[[V]], %[[PS]]
func.func @an_index_along_a_row(%x: !llvm.ptr, %o: index, %i: vector<8xi64>, %e: index) {
  %v = flir.load %x[%o] strides [0] extents [8] indirect [0] (%i : vector<8xi64>) -> vector<8xf32>
  flir.store %v, %x[%o] strides [0] extents [%e] indirect [0] (%i : vector<8xi64>) : vector<8xf32>
  return
}

// CHECK-LABEL: func @volatile_loads
// CHECK: llvm.load volatile %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.load volatile %{{.*}} : !llvm.ptr -> f32
func.func @volatile_loads(%x: !llvm.ptr, %o: index) {
  %v = flir.load %x[%o] strides [1] extents [8] {isVolatile} -> vector<8xf32>
  %s = flir.load %x[%o] strides [] extents [] {isVolatile} -> f32
  return
}

// Memory holds 8-bit floats as bytes.
// CHECK-LABEL: func @floats_of_eight_bits
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xi8>
// CHECK: arith.bitcast %{{.*}} : vector<8xi8> to vector<8xf8E5M2>
func.func @floats_of_eight_bits(%x: !llvm.ptr, %o: index) -> vector<8xf8E5M2> {
  %v = flir.load %x[%o] strides [1] extents [8] -> vector<8xf8E5M2>
  return %v : vector<8xf8E5M2>
}
