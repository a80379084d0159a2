// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

// Tensors

tt.func @size_not_a_power_of_two(%x: tensor<3xf32>) {
  // expected-error @+1 {{'tt.precise_sqrt' op operand #0 has type 'tensor<3xf32>': dimension 0 is 3, which is not a power of two}}
  %0 = tt.precise_sqrt %x : tensor<3xf32>
  tt.return
}

// -----

tt.func @dynamic_size(%x: tensor<?xf32>) {
  // expected-error @+1 {{'tt.precise_sqrt' op operand #0 has type 'tensor<?xf32>': the shape must be static}}
  %0 = tt.precise_sqrt %x : tensor<?xf32>
  tt.return
}

// -----

tt.func @too_many_elements(%x: f32) {
  // expected-error @+1 {{'tt.splat' op result #0 has type 'tensor<2048x1024xf32>': it has 2097152 elements; at most 1048576 are allowed}}
  %0 = tt.splat %x : f32 -> tensor<2048x1024xf32>
  tt.return
}

// -----

tt.func @encoding(%x: tensor<4xf32, "blocked">) {
  // expected-error @+1 {{tensors of Triton IR carry no encoding; give the text from before upstream's GPU stage}}
  %0 = tt.precise_sqrt %x : tensor<4xf32, "blocked">
  tt.return
}

// -----

// Functions

tt.func @caller(%x: f32) {
  // expected-error @+1 {{'tt.call' op calls @nowhere, which is no tt.func of this module}}
  tt.call @nowhere(%x) : (f32) -> ()
  tt.return
}

// -----

// expected-note @+1 {{the function is defined here}}
tt.func private @callee(%x: f32) -> f32 {
  tt.return %x : f32
}
tt.func @caller(%x: i32) {
  // expected-error @+1 {{'tt.call' op calls @callee as '(i32) -> f32', but its type is '(f32) -> f32'}}
  %0 = tt.call @callee(%x) : (i32) -> f32
  tt.return
}

// -----

tt.func @result_missing(%x: f32) -> f32 {
  // expected-error @+1 {{'tt.return' op returns (), but @result_missing has the results ('f32')}}
  tt.return
}

// -----

func.func @wrong_parent() {
  // expected-error @+1 {{'tt.return' op expects parent op 'tt.func'}}
  tt.return
}

// -----

tt.func @print_signs(%x: i32) {
  // expected-error @+1 {{'tt.print' op has 1 arguments and 2 numbers in 'isSigned'; each argument needs one}}
  tt.print " x: " {hex = false, isSigned = array<i32: 1, 1>} : %x : i32
  tt.return
}

// -----

// Shapes

tt.func @range_backwards() {
  // expected-error @+1 {{'tt.make_range' op goes from 8 to 4; the end must be greater than the start}}
  %0 = tt.make_range {end = 4 : i32, start = 8 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @range_size() {
  // expected-error @+1 {{'tt.make_range' op goes from 0 to 8 and gives 'tensor<4xi32>'; it needs tensor<8xi32>}}
  %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @splat_type(%x: i32) {
  // expected-error @+1 {{'tt.splat' op fills 'tensor<4xf32>' with a value of type 'i32'}}
  %0 = tt.splat %x : i32 -> tensor<4xf32>
  tt.return
}

// -----

tt.func @unsplat_many(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.unsplat' op takes the element of 'tensor<4xf32>'; the tensor must have only one}}
  %0 = tt.unsplat %x : tensor<4xf32>
  tt.return
}

// -----

tt.func @expand_axis(%x: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'tt.expand_dims' op inserts dimension 2 into 'tensor<4xf32>'; dimensions are 0 to the rank}}
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}

// -----

tt.func @expand_result(%x: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<1x4xf32>' are incompatible with return type(s) of operation 'tensor<4x1xf32>'}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}

// -----

tt.func @broadcast_size(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'tt.broadcast' op repeats 'tensor<4x2xf32>' into 'tensor<4x8xf32>'; only dimensions of size 1 may grow, rank and elements stay}}
  %0 = tt.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.broadcast' op repeats 'tensor<4xf32>' into 'tensor<4x8xf32>'}}
  %0 = tt.broadcast %x : tensor<4xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @reshape_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.reshape' op makes 'tensor<8xf32>' of 'tensor<4xf32>'; number and type of the elements must stay}}
  %0 = tt.reshape %x : tensor<4xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @trans_order(%x: tensor<4x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'tt.trans' op has the order [0, 0] for 'tensor<4x2xf32>'; it must name each dimension once}}
  %0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<4x2xf32> -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @cat_size(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.cat' op concatenates two of 'tensor<4xf32>' into 'tensor<4xf32>'; the result must have twice the elements}}
  %0 = tt.cat %x, %x : tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @split_last(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'tt.split' op takes apart 'tensor<2x4xf32>'; the tensor must have two or more dimensions, the last of size 2}}
  %a, %b = tt.split %x : tensor<2x4xf32> -> tensor<2xf32>
  tt.return
}

// -----

// Casts

tt.func @bitcast_width(%x: f32) {
  // expected-error @+1 {{'tt.bitcast' op casts 'f32' to 'i16'; both must have the same number of bits}}
  %0 = tt.bitcast %x : f32 -> i16
  tt.return
}

// -----

tt.func @bitcast_pointer(%x: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.bitcast' op casts '!tt.ptr<f32>' to 'i64'; use tt.ptr_to_int or tt.int_to_ptr between pointers and integers}}
  %0 = tt.bitcast %x : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @bitcast_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.bitcast' op failed to verify that 'src' and 'result' have the same shape}}
  %0 = tt.bitcast %x : tensor<4xf32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @rounding_missing(%x: f32) {
  // expected-error @+1 {{'tt.fp_to_fp' op narrows 'f32' to 'f16' and needs 'rounding'; give rtne or rtz}}
  %0 = tt.fp_to_fp %x : f32 -> f16
  tt.return
}

// -----

tt.func @rounding_too_many(%x: f16) {
  // expected-error @+1 {{'tt.fp_to_fp' op converts 'f16' to 'f32', which is not narrower; leave 'rounding' out}}
  %0 = tt.fp_to_fp %x, rounding = rtz : f16 -> f32
  tt.return
}

// -----

tt.func @addptr_shape(%p: tensor<4x!tt.ptr<f32>>, %o: tensor<8xi32>) {
  // expected-error @+1 {{'tt.addptr' op failed to verify that 'ptr' and 'offset' have the same shape}}
  %0 = tt.addptr %p, %o : tensor<4x!tt.ptr<f32>>, tensor<8xi32>
  tt.return
}

// -----

// Memory

tt.func @mask_shape(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<8xi1>) {
  // expected-error @+1 {{'tt.load' op has a mask of type 'tensor<8xi1>', but an address of type 'tensor<4x!tt.ptr<f32>>' needs 'tensor<4xi1>'}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @other_type(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>, %o: tensor<4xf16>) {
  // expected-error @+1 {{'tt.load' op gives 'tensor<4xf32>', but its value for masked-off elements has type 'tensor<4xf16>'}}
  %0 = "tt.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4x!tt.ptr<f32>>, tensor<4xi1>, tensor<4xf16>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @other_without_mask(%p: tensor<4x!tt.ptr<f32>>, %o: tensor<4xf32>) {
  // expected-error @+1 {{'tt.load' op has a value for masked-off elements but no mask}}
  %0 = "tt.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @loaded_type(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf16>'}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @boundary_check_needs_block(%p: tensor<4x!tt.ptr<f32>>) {
  // expected-error @+1 {{'tt.load' op has 'boundaryCheck', but its address of type 'tensor<4x!tt.ptr<f32>>' is no block pointer; use a mask instead}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @boundary_check_dimension(%p: !tt.ptr<tensor<4x8xf32>>) {
  // expected-error @+1 {{'tt.load' op checks dimension 2 of a block of rank 2; dimensions are 0 to 1}}
  %0 = tt.load %p {boundaryCheck = array<i32: 2>} : !tt.ptr<tensor<4x8xf32>>
  tt.return
}

// -----

tt.func @boundary_check_twice(%p: !tt.ptr<tensor<4x8xf32>>) {
  // expected-error @+1 {{'tt.load' op names dimension 1 twice in 'boundaryCheck'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 1, 1>} : !tt.ptr<tensor<4x8xf32>>
  tt.return
}

// -----

tt.func @mask_on_block(%p: !tt.ptr<tensor<4xf32>>, %v: tensor<4xf32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{'tt.store' op has a mask, but its address is the block pointer '!tt.ptr<tensor<4xf32>>'; use 'boundaryCheck' instead}}
  "tt.store"(%p, %v, %m) : (!tt.ptr<tensor<4xf32>>, tensor<4xf32>, tensor<4xi1>) -> ()
  tt.return
}

// -----

tt.func @stored_type(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf16>) {
  // expected-error @+1 {{'tt.store' op stores a value of type 'tensor<4xf16>' through an address of type 'tensor<4x!tt.ptr<f32>>', which needs 'tensor<4xf32>'}}
  "tt.store"(%p, %v) : (tensor<4x!tt.ptr<f32>>, tensor<4xf16>) -> ()
  tt.return
}

// -----

tt.func @block_pointer_order(%p: !tt.ptr<f16>, %s: i64, %o: i32) {
  // expected-error @+1 {{'tt.make_tensor_ptr' op has the order [1, 1], which is no permutation of 0 to 1}}
  %0 = tt.make_tensor_ptr %p, [%s, %s], [%s, %s], [%o, %o] {order = array<i32: 1, 1>} : <tensor<4x8xf16>>
  tt.return
}

// -----

tt.func @block_pointer_rank(%p: !tt.ptr<f16>, %s: i64, %o: i32) {
  // expected-error @+1 {{'tt.make_tensor_ptr' op has 1 sizes, strides and offsets for a block of rank 2}}
  %0 = tt.make_tensor_ptr %p, [%s], [%s], [%o] {order = array<i32: 1, 0>} : <tensor<4x8xf16>>
  tt.return
}

// -----

tt.func @advance_rank(%p: !tt.ptr<tensor<4x8xf16>>, %o: i32) {
  // expected-error @+1 {{'tt.advance' op has 1 offsets for a block of rank 2}}
  %0 = tt.advance %p, [%o] : <tensor<4x8xf16>>
  tt.return
}

// -----

// Descriptors

tt.func @descriptor_base(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{'tt.make_tensor_descriptor' op has a base of type '!tt.ptr<f32>' for a block of 'f16'}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <16xf16>
  tt.return
}

// -----

tt.func @descriptor_rank(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{'tt.make_tensor_descriptor' op has 1 sizes and strides for a block of rank 2}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <8x16xf16>
  tt.return
}

// -----

tt.func @descriptor_indices(%d: !tt.tensordesc<8x16xf16>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_load' op has 1 indices for a block of rank 2}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  tt.return
}

// -----

tt.func @descriptor_block(%d: !tt.tensordesc<8x16xf16>, %i: i32, %v: tensor<8x8xf16>) {
  // expected-error @+1 {{'tt.descriptor_store' op moves 'tensor<8x8xf16>' through '!tt.tensordesc<8x16xf16>', whose block is 'tensor<8x16xf16>'}}
  tt.descriptor_store %d[%i, %i], %v : !tt.tensordesc<8x16xf16>, tensor<8x8xf16>
  tt.return
}

// -----

tt.func @gather_rows(%d: !tt.tensordesc<2x16xf16>, %r: tensor<8xi32>, %c: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op uses '!tt.tensordesc<2x16xf16>'; rows are moved through a block of shape 1xN}}
  %0 = tt.descriptor_gather %d[%r, %c] : (!tt.tensordesc<2x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  tt.return
}

// -----

tt.func @scatter_rows(%d: !tt.tensordesc<1x16xf16>, %r: tensor<8xi32>, %c: i32, %v: tensor<4x16xf16>) {
  // expected-error @+1 {{'tt.descriptor_scatter' op moves 'tensor<4x16xf16>'; 8 rows of '!tt.tensordesc<1x16xf16>' are 'tensor<8x16xf16>'}}
  tt.descriptor_scatter %d[%r, %c], %v : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<4x16xf16>
  tt.return
}

// -----

// Atomics

tt.func @atomic_float_max(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{'tt.atomic_rmw' op applies 'max' to 'f32'; it needs integer elements}}
  %0 = tt.atomic_rmw max, acq_rel, gpu, %p, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @atomic_value(%p: tensor<4x!tt.ptr<i32>>, %v: tensor<4xi64>) {
  // expected-error @+1 {{'tt.atomic_rmw' op has a value of type 'tensor<4xi64>', but an address of type 'tensor<4x!tt.ptr<i32>>' needs 'tensor<4xi32>'}}
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<4x!tt.ptr<i32>>, tensor<4xi64>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @atomic_cas_width(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{'tt.atomic_cas' op compares 'i8'; elements must have 16, 32 or 64 bits}}
  %0 = tt.atomic_cas acq_rel, gpu, %p, %v, %v : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func @atomic_load_order(%p: !tt.ptr<i32>, %m: i1) {
  // expected-error @+1 {{'tt.atomic_load' op has the memory order release; relaxed and acquire are allowed}}
  %0 = tt.atomic_load release, gpu, %p, %m : (!tt.ptr<i32>, i1) -> i32
  tt.return
}

// -----

// Products

tt.func @dot_inner(%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op multiplies 16x32 by 16x16; the columns of a must equal the rows of b}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_accumulator(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x32xf32>) {
  // expected-error @+1 {{'tt.dot' op accumulates the product of 16x32 and 32x16 into 16x32; it needs 16x16}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x32xf32>
  tt.return
}

// -----

tt.func @dot_rank(%a: tensor<2x16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op has operands of rank 3, 2 and 2; all must have rank 2, or all rank 3}}
  %0 = tt.dot %a, %b, %c : tensor<2x16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_elements(%a: tensor<16x16xf16>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op multiplies elements of type 'f16' by 'f32'; both must be integers or both floating-point, of the same width}}
  %0 = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_narrow(%a: tensor<16x16xf32>, %c: tensor<16x16xf16>) {
  // expected-error @+1 {{'tt.dot' op accumulates products of 'f32' in 'f16'; the accumulator must be of the same kind and not narrower}}
  %0 = tt.dot %a, %a, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @scaled_format(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op lhs = e2m1, but its elements are 'f8E5M2'}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<16x32xf8E5M2> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_scale(%a: tensor<16x32xf8E5M2>, %s: tensor<16x4xi8>, %b: tensor<32x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op has a lhs scale of type 'tensor<16x4xi8>'; for K = 32 it must be 16x1 or 16x2}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x32xf8E5M2>, tensor<16x4xi8> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

// Regions and axes

tt.func @reduce_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.reduce' op works along axis 1 of 'tensor<4xf32>'}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.reduce' op has a region with the arguments ('f32', 'i32'), but the sources and results need ('f32', 'f32')}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: i32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_result(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{'tt.reduce' op has a region that gives ('i32', 'f32'), but the sources and results need ('f32', 'i32')}}
  %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    tt.reduce.return %i, %a : i32, f32
  }) : (tensor<4xf32>, tensor<4xi32>) -> (f32, i32)
  tt.return
}

// -----

tt.func @reduce_shapes(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{'tt.reduce' op has sources of type 'tensor<4xf32>' and 'tensor<8xf32>'; all must have the same shape}}
  %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %i: f32, %b: f32, %j: f32):
    tt.reduce.return %i, %a : f32, f32
  }) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @scan_terminator(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.scan' op has a region that does not end with tt.scan.return}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_pack(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tt.map_elementwise' op takes 8 elements at a time of 4; 'pack' must divide the number of elements}}
  %0 = "tt.map_elementwise"(%x) <{pack = 8 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @gather_shape(%x: tensor<8x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error @+1 {{'tt.gather' op has indices of type 'tensor<8x2xi32>' for a source of type 'tensor<8x4xf32>'; dimension 1 must be the same}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<8x2xi32>) -> tensor<8x2xf32>
  tt.return
}

// -----

tt.func @histogram_rank(%x: tensor<8x4xi32>) {
  // expected-error @+1 {{'tt.histogram' op counts 'tensor<8x4xi32>' into 'tensor<8xi32>'; both must have one dimension}}
  %0 = tt.histogram %x : tensor<8x4xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @extern_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.extern_elementwise' op mixes 'tensor<4xf32>' and 'tensor<8xf32>'; all must have the same shape}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "f"} : (tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @asm_pack(%x: tensor<2xi8>) {
  // expected-error @+1 {{'tt.elementwise_inline_asm' op takes 4 elements at a time of 2; 'packed_element' must divide the number of elements}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %x : tensor<2xi8> -> tensor<2xi8>
  tt.return
}
