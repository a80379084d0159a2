// RUN: flagtree-opt %s | FileCheck %s
// The spellings of Triton 3.6 to 3.8 become those of 3.9.

// CHECK-LABEL: @descriptor_types(%arg0: !tt.tensordesc<8x16xf16>, %arg1: !tt.tensordesc<16xsi8>)
tt.func @descriptor_types(%a: !tt.tensordesc<tensor<8x16xf16>>, %b: !tt.tensordesc<tensor<16xsi8>>) {
  tt.return
}

// CHECK-LABEL: @make_descriptor
tt.func @make_descriptor(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // CHECK: tt.make_tensor_descriptor %arg0, [%arg1], [%arg2] : <f16>, <16xf16>
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <tensor<16xf16>>
  // CHECK: tt.make_tensor_descriptor %arg0, [%arg1], [%arg2] : <f16>, <16xf16>
  %1 = tt.make_tensor_descriptor %p, [%n], [%s] {padding = 1 : i32} : !tt.ptr<f16>, !tt.tensordesc<16xf16>
  // CHECK: tt.descriptor_load %{{.*}}[%arg1] {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : !tt.tensordesc<16xf16> -> tensor<16xf16>
  %2 = tt.descriptor_load %0[%n] cacheModifier = cg evictionPolicy = evict_last : !tt.tensordesc<tensor<16xf16>> -> tensor<16xf16>
  tt.return
}

// CHECK-LABEL: @rank_reduced_load
tt.func @rank_reduced_load(%d: !tt.tensordesc<1x1x16xf16>, %i: i32) {
  // CHECK: tt.descriptor_load %arg0[%arg1, %arg1, %arg1] : !tt.tensordesc<1x1x16xf16> -> tensor<16xf16>
  %0 = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<1x1x16xf16> -> tensor<16xf16>
  tt.return
}

// CHECK-LABEL: @cache_policies
tt.func @cache_policies(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>, %v: tensor<4xf32>) {
  // CHECK: tt.load %arg0, %arg1, %arg2 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : tensor<4x!tt.ptr<f32>>
  %0 = tt.load %p, %m, %v cacheModifier = cg evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>, flagtree_hints = "dma", isVolatile = true}
  %1 = tt.load %p evictionPolicy = evict_last {isVolatile = true, flagtree_hints = "dma"} : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.load %arg0 {cachePolicy = #tt.cache_policy<cache_modifier = cv, eviction_policy = evict_normal>}
  %2 = tt.load %p cacheModifier = cv : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.store %arg0, %arg2, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_first>}
  tt.store %p, %v, %m cacheModifier = wb evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @defaults_are_left_out
tt.func @defaults_are_left_out(%p: !tt.ptr<f32>, %a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // CHECK: tt.load %arg0 : !tt.ptr<f32>
  %0 = tt.load %p {boundaryCheck = array<i32>, isVolatile = false} : !tt.ptr<f32>
  // CHECK: tt.dot %arg1, %arg1, %arg2 : tensor
  %1 = tt.dot %a, %a, %c, inputPrecision = ieee {maxNumImpreciseAcc = 0 : i32} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// CHECK-LABEL: @default_address_space(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32, 0>)
tt.func @default_address_space(%p: !tt.ptr<f32, 1>, %q: !tt.ptr<f32, 0>) {
  tt.return
}
