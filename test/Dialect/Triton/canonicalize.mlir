// RUN: flagtree-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @splat_of_constant
tt.func @splat_of_constant() -> (tensor<4xf32>, tensor<2x2xi1>) {
  // CHECK-DAG: %[[F:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<true> : tensor<2x2xi1>
  // CHECK: tt.return %[[F]], %[[T]]
  %f = arith.constant 2.0 : f32
  %t = arith.constant true
  %0 = tt.splat %f : f32 -> tensor<4xf32>
  %1 = tt.splat %t : i1 -> tensor<2x2xi1>
  tt.return %0, %1 : tensor<4xf32>, tensor<2x2xi1>
}

// -----

// CHECK-LABEL: @shapes_of_constants
tt.func @shapes_of_constants() -> (tensor<4x1xi32>, tensor<4x8xi32>, tensor<2x2xi32>, tensor<8x4xi32>) {
  // CHECK-DAG: %[[E:.*]] = arith.constant dense<7> : tensor<4x1xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<7> : tensor<4x8xi32>
  // CHECK-DAG: %[[R:.*]] = arith.constant dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<7> : tensor<8x4xi32>
  // CHECK: tt.return %[[E]], %[[B]], %[[R]], %[[T]]
  %c = arith.constant dense<7> : tensor<4xi32>
  %d = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = tt.expand_dims %c {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %1 = tt.broadcast %0 : tensor<4x1xi32> -> tensor<4x8xi32>
  %2 = tt.reshape %d : tensor<4xi32> -> tensor<2x2xi32>
  %3 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi32>
  tt.return %0, %1, %2, %3 : tensor<4x1xi32>, tensor<4x8xi32>, tensor<2x2xi32>, tensor<8x4xi32>
}

// -----

// CHECK-LABEL: @shapes_of_splats
// CHECK-SAME: (%[[X:.*]]: f32)
tt.func @shapes_of_splats(%x: f32) -> (tensor<8x4xf32>, tensor<32xf32>, f32) {
  // CHECK-DAG: %[[A:.*]] = tt.splat %[[X]] : f32 -> tensor<8x4xf32>
  // CHECK-DAG: %[[B:.*]] = tt.splat %[[X]] : f32 -> tensor<32xf32>
  // CHECK: tt.return %[[A]], %[[B]], %[[X]]
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = tt.broadcast %1 : tensor<4x1xf32> -> tensor<4x8xf32>
  %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %4 = tt.reshape %2 : tensor<4x8xf32> -> tensor<32xf32>
  %5 = tt.splat %x : f32 -> tensor<1xf32>
  %6 = tt.unsplat %5 : tensor<1xf32>
  tt.return %3, %4, %6 : tensor<8x4xf32>, tensor<32xf32>, f32
}

// -----

// CHECK-LABEL: @identities
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[P:.*]]: tensor<4x!tt.ptr<f32>>, %[[B:.*]]: !tt.ptr<tensor<4x8xf32>>)
tt.func @identities(%x: tensor<4x8xf32>, %p: tensor<4x!tt.ptr<f32>>, %b: !tt.ptr<tensor<4x8xf32>>) ->
    (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x!tt.ptr<f32>>, !tt.ptr<tensor<4x8xf32>>) {
  // CHECK-NEXT: tt.return %[[X]], %[[X]], %[[X]], %[[X]], %[[P]], %[[B]]
  %z = arith.constant dense<0> : tensor<4xi32>
  %c0 = arith.constant 0 : i32
  %0 = tt.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.reshape %x allow_reorder : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tt.trans %x {order = array<i32: 0, 1>} : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = tt.bitcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = tt.addptr %p, %z : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %5 = tt.advance %b, [%c0, %c0] : <tensor<4x8xf32>>
  tt.return %0, %1, %2, %3, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x!tt.ptr<f32>>, !tt.ptr<tensor<4x8xf32>>
}

// -----

// CHECK-LABEL: @pairs
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[I:.*]]: i64)
tt.func @pairs(%x: tensor<2x4x8xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: i64) ->
    (tensor<8x2x4xf32>, tensor<64xf32>, tensor<4xf32>, tensor<4xf32>, i64, tensor<4xi32>) {
  // CHECK-DAG: %[[T:.*]] = tt.trans %[[X]] {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  // CHECK-DAG: %[[R:.*]] = tt.reshape %[[X]] : tensor<2x4x8xf32> -> tensor<64xf32>
  // CHECK-DAG: %[[C:.*]] = tt.bitcast %[[A]] : tensor<4xf32> -> tensor<4xi32>
  // CHECK: tt.return %[[T]], %[[R]], %[[B]], %[[A]], %[[I]], %[[C]]
  %0 = tt.trans %x {order = array<i32: 0, 2, 1>} : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
  %1 = tt.trans %0 {order = array<i32: 1, 0, 2>} : tensor<2x8x4xf32> -> tensor<8x2x4xf32>
  %2 = tt.reshape %x : tensor<2x4x8xf32> -> tensor<8x8xf32>
  %3 = tt.reshape %2 : tensor<8x8xf32> -> tensor<64xf32>
  %4 = tt.join %b, %a : tensor<4xf32> -> tensor<4x2xf32>
  %outLHS, %outRHS = tt.split %4 : tensor<4x2xf32> -> tensor<4xf32>
  %5 = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>
  %6 = tt.ptr_to_int %5 : !tt.ptr<f32> -> i64
  %7 = tt.bitcast %a : tensor<4xf32> -> tensor<4xi32>
  %8 = tt.bitcast %7 : tensor<4xi32> -> tensor<4xf32>
  %9 = tt.bitcast %8 : tensor<4xf32> -> tensor<4xi32>
  tt.return %1, %3, %outLHS, %outRHS, %6, %9 : tensor<8x2x4xf32>, tensor<64xf32>, tensor<4xf32>, tensor<4xf32>, i64, tensor<4xi32>
}

// -----

// A reshape that may reorder makes the merged one so.
// CHECK-LABEL: @reorder_is_kept
tt.func @reorder_is_kept(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  // CHECK: tt.reshape %arg0 allow_reorder : tensor<4x8xf32> -> tensor<2x16xf32>
  %0 = tt.reshape %x allow_reorder : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tt.reshape %0 : tensor<32xf32> -> tensor<2x16xf32>
  tt.return %1 : tensor<2x16xf32>
}

// -----

// CHECK-LABEL: @join_of_split
tt.func @join_of_split(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  // CHECK: %[[L:.*]], %[[R:.*]] = tt.split
  // CHECK: %[[SWAPPED:.*]] = tt.join %[[R]], %[[L]]
  // CHECK: tt.return %arg0, %[[SWAPPED]]
  %l, %r = tt.split %x : tensor<4x2xf32> -> tensor<4xf32>
  %0 = tt.join %l, %r : tensor<4xf32> -> tensor<4x2xf32>
  %1 = tt.join %r, %l : tensor<4xf32> -> tensor<4x2xf32>
  tt.return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: @range_of_one
tt.func @range_of_one() -> tensor<1xi32> {
  // CHECK: arith.constant dense<5> : tensor<1xi32>
  %0 = tt.make_range {end = 6 : i32, start = 5 : i32} : tensor<1xi32>
  tt.return %0 : tensor<1xi32>
}

// -----

// Hints and the cache policy stay when a mask goes.
// CHECK-LABEL: @masks_always_true
tt.func @masks_always_true(%p: tensor<4x!tt.ptr<f32>>, %o: tensor<4xf32>) {
  // CHECK: %[[V:.*]] = tt.load %arg0 {flagtree_hints = "dma"} : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.store %arg0, %[[V]] {cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_first>}
  %t = arith.constant dense<true> : tensor<4xi1>
  %0 = tt.load %p, %t, %o {flagtree_hints = "dma"} : tensor<4x!tt.ptr<f32>>
  tt.store %p, %0, %t cacheModifier = wb evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: @masks_always_false
tt.func @masks_always_false(%p: tensor<4x!tt.ptr<f32>>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[M:.*]] = arith.constant dense<false>
  // CHECK-NEXT: %[[V:.*]] = tt.load %arg0, %[[M]], %arg1 {isVolatile = true}
  // CHECK-NEXT: tt.return %arg1, %[[V]]
  %f = arith.constant dense<false> : tensor<4xi1>
  %0 = tt.load %p, %f, %o : tensor<4x!tt.ptr<f32>>
  %1 = tt.load %p, %f, %o {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  tt.store %p, %o, %f : tensor<4x!tt.ptr<f32>>
  tt.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What has no effect and no use goes, what has an effect stays.
// CHECK-LABEL: @unused_results
tt.func @unused_results(%p: !tt.ptr<f32>, %x: f32, %t: tensor<4xf32>) {
  // CHECK-NEXT: tt.load %arg0 {isVolatile = true}
  // CHECK-NEXT: tt.extern_elementwise %arg1 {{.*}} symbol = "impure"
  // CHECK-NEXT: tt.atomic_rmw fadd
  // CHECK-NEXT: tt.return
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  %2 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "pure"} : (f32) -> f32
  %3 = tt.extern_elementwise %x {libname = "", libpath = "", pure = false, symbol = "impure"} : (f32) -> f32
  %4 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  %5 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

// CHECK-LABEL: @assertions
tt.func @assertions(%c: tensor<4xi1>) {
  // CHECK-NEXT: tt.assert %arg0, "unknown"
  // CHECK-NEXT: tt.return
  %t = arith.constant dense<true> : tensor<4xi1>
  tt.assert %t, "holds" : tensor<4xi1>
  tt.assert %c, "unknown" : tensor<4xi1>
  tt.return
}
