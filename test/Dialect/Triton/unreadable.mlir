// RUN: flagtree-opt %s -split-input-file -verify-diagnostics
// Text that cannot be read: the message names the op, or the word, at its place.

tt.func @unknown_op(%x: f32) {
  // expected-error @+1 {{custom op 'tt.future_op' is unknown}}
  %0 = tt.future_op %x : f32
  tt.return
}

// -----

tt.func @unknown_axis() {
  // expected-error @+1 {{custom op 'tt.get_program_id' expected string or keyword containing one of the following enum values for attribute 'axis' [x, y, z]}}
  %0 = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func @unknown_cache_modifier(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{cacheModifier is 'cx'; it must be one of none, ca, cg, wb, cs, wt, cv}}
  %0 = tt.load %p cacheModifier = cx : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @unknown_eviction_policy(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{evictionPolicy is 'never'; it must be one of evict_normal, evict_first, evict_last}}
  tt.store %p, %v evictionPolicy = never : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_operands(%p: !tt.ptr<f32>, %m: i1, %v: f32) {
  // expected-error @+1 {{has 4 operands; it takes 1 to 3}}
  %0 = tt.load %p, %m, %v, %v : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @store_operands(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{has 1 operand; it takes 2 to 3}}
  tt.store %p : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @load_through_value(%p: f32) {
  // expected-error @+1 {{accesses memory through 'f32', which is no pointer}}
  %0 = tt.load %p : f32
  tt.return
}

// -----

tt.func @atomic_store_through_value(%p: f32) {
  // expected-error @+1 {{custom op 'tt.atomic_store' 'ptr' must be pointer to an element or ranked tensor of pointer to an element values, but got 'f32'}}
  tt.atomic_store release, gpu, %p, %p : f32
  tt.return
}

// -----

tt.func @load_through_blocks(%p: tensor<4x!tt.ptr<tensor<4xf32>>>) {
  // expected-error @+1 {{accesses memory through 'tensor<4x!tt.ptr<tensor<4xf32>>>', which is no pointer}}
  %0 = tt.load %p : tensor<4x!tt.ptr<tensor<4xf32>>>
  tt.return
}

// -----

// expected-note @+1 {{prior use here}}
tt.func @load_mask_type(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<8xi1>) {
  // expected-error @+1 {{use of value '%m' expects different type than prior uses: 'tensor<4xi1>' vs 'tensor<8xi1>'}}
  %0 = tt.load %p, %m : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @wrong_attribute_kind(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{attribute 'isVolatile' failed to satisfy constraint: bool attribute}}
  %0 = tt.load %p {isVolatile = 3 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

// expected-error @+1 {{pointer has address space "shared"; it must be "global", "constant" or a number}}
tt.func @address_space(%p: !tt.ptr<f32, "shared">) {
  tt.return
}

// -----

// expected-error @+1 {{pointer to 'tensor<?xf32>'}}
tt.func private @block_of_unknown_size(!tt.ptr<tensor<?xf32>>)

// -----

// expected-error @+1 {{pointer to 'index'}}
tt.func private @pointer_to_index(!tt.ptr<index>)

// -----

// expected-error @+1 {{tensor descriptor of 'f32'; it describes a block of static shape, as in !tt.tensordesc<16x64xf32>}}
tt.func private @descriptor_of_scalar(!tt.tensordesc<f32>)

// -----

// expected-error @+1 {{tensor descriptor has element type 'tensor<4xf32>'; write !tt.tensordesc<16x64xf32>}}
tt.func private @descriptor_of_tensors(!tt.tensordesc<4xtensor<4xf32>>)

// -----

tt.func @descriptor_sizes(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{has 2 sizes and 1 strides; each dimension needs one of each}}
  %0 = tt.make_tensor_descriptor %p, [%n, %n], [%s] : <f16>, <8x16xf16>
  tt.return
}

// -----

tt.func @block_pointer_sizes(%p: !tt.ptr<f16>, %n: i64, %o: i32) {
  // expected-error @+1 {{has 2 sizes, 1 strides and 2 offsets}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n], [%o, %o] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  tt.return
}

// -----

tt.func @barrier() {
  // expected-error @+1 {{barrier orders 'shared'; it must be all, none, local, global_read, global_write, tensor_read or tensor_write}}
  ttg.barrier local|shared
  tt.return
}

// -----

// Text from after upstream's GPU stage.
// expected-error @+1 {{#ttg.blocked belongs to upstream's GPU stage; give the Triton IR from before it}}
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
