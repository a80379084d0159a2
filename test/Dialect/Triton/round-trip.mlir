// RUN: flagtree-opt %s | FileCheck %s --strict-whitespace --match-full-lines
// RUN: flagtree-opt %s | flagtree-opt | FileCheck %s --strict-whitespace --match-full-lines
// RUN: flagtree-opt %s --mlir-print-op-generic | flagtree-opt | FileCheck %s --strict-whitespace --match-full-lines
// Every op, with an attribute that the dialect does not know, as hints are.

// CHECK-LABEL:  tt.func public @program(%arg0: tensor<4xi1>, %arg1: i32, %arg2: tensor<4xf32>) attributes {noinline = false} {
tt.func public @program(%arg0: tensor<4xi1>, %arg1: i32, %arg2: tensor<4xf32>) attributes {noinline = false} {
  // CHECK-NEXT:    %0 = tt.get_program_id x {h = "p"} : i32
  %0 = tt.get_program_id x {h = "p"} : i32
  // CHECK-NEXT:    %1 = tt.get_program_id y : i32
  %1 = tt.get_program_id y : i32
  // CHECK-NEXT:    %2 = tt.get_num_programs z {h = "p"} : i32
  %2 = tt.get_num_programs z {h = "p"} : i32
  // CHECK-NEXT:    tt.assert %arg0, "out of \22range\22" {h = "p"} : tensor<4xi1>
  tt.assert %arg0, "out of \22range\22" {h = "p"} : tensor<4xi1>
  // CHECK-NEXT:    tt.print " both: " {h = "p", hex = false, isSigned = array<i32: 1, 0>} : %arg1, %arg2 : i32, tensor<4xf32>
  tt.print " both: " {h = "p", hex = false, isSigned = array<i32: 1, 0>} : %arg1, %arg2 : i32, tensor<4xf32>
  // CHECK-NEXT:    tt.print " here" {hex = true, isSigned = array<i32>}
  tt.print " here" {hex = true, isSigned = array<i32>}
  // CHECK-NEXT:    ttg.barrier all {h = "p"}
  ttg.barrier all {h = "p"}
  // CHECK-NEXT:    ttg.barrier local|global_read
  ttg.barrier local|global_read
  // CHECK-NEXT:    gpu.barrier
  gpu.barrier
  // CHECK-NEXT:    tt.grid_dependency_wait {h = "p"}
  tt.grid_dependency_wait {h = "p"}
  // CHECK-NEXT:    tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK-NEXT:    tt.return {h = "p"}
  tt.return {h = "p"}
}

// CHECK:  tt.func private @"m.f__(1,)cconstexpr_2_"(%arg0: f32, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (f32, !tt.ptr<f32>) attributes {noinline = true} {
tt.func private @"m.f__(1,)cconstexpr_2_"(%arg0: f32, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (f32, !tt.ptr<f32>) attributes {noinline = true} {
  // CHECK-NEXT:    tt.return %arg0, %arg1 : f32, !tt.ptr<f32>
  tt.return %arg0, %arg1 : f32, !tt.ptr<f32>
}

// CHECK:  tt.func private @declared(!tt.ptr<i8, 3>) -> i32
tt.func private @declared(!tt.ptr<i8, 3>) -> i32

// CHECK-LABEL:  tt.func @calls(%arg0: f32, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i8, 3>) {
tt.func @calls(%arg0: f32, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i8, 3>) {
  // CHECK-NEXT:    %0:2 = tt.call @"m.f__(1,)cconstexpr_2_"(%arg0, %arg1) {h = "p"} : (f32, !tt.ptr<f32>) -> (f32, !tt.ptr<f32>)
  %0:2 = tt.call @"m.f__(1,)cconstexpr_2_"(%arg0, %arg1) {h = "p"} : (f32, !tt.ptr<f32>) -> (f32, !tt.ptr<f32>)
  // CHECK-NEXT:    %1 = tt.call @declared(%arg2) : (!tt.ptr<i8, 3>) -> i32
  %1 = tt.call @declared(%arg2) : (!tt.ptr<i8, 3>) -> i32
  tt.return
}

// CHECK-LABEL:  tt.func @shapes(%arg0: f32, %arg1: tensor<8x4xf32>) {
tt.func @shapes(%arg0: f32, %arg1: tensor<8x4xf32>) {
  // CHECK-NEXT:    %0 = tt.make_range {end = 12 : i32, h = "p", start = 8 : i32} : tensor<4xi32>
  %0 = tt.make_range {end = 12 : i32, h = "p", start = 8 : i32} : tensor<4xi32>
  // CHECK-NEXT:    %1 = tt.splat %arg0 {h = "p"} : f32 -> tensor<4xf32>
  %1 = tt.splat %arg0 {h = "p"} : f32 -> tensor<4xf32>
  // CHECK-NEXT:    %2 = tt.expand_dims %1 {axis = 1 : i32, h = "p"} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = tt.expand_dims %1 {axis = 1 : i32, h = "p"} : tensor<4xf32> -> tensor<4x1xf32>
  // CHECK-NEXT:    %3 = tt.broadcast %2 {h = "p"} : tensor<4x1xf32> -> tensor<4x8xf32>
  %3 = tt.broadcast %2 {h = "p"} : tensor<4x1xf32> -> tensor<4x8xf32>
  // CHECK-NEXT:    %4 = tt.reshape %3 allow_reorder efficient_layout {h = "p"} : tensor<4x8xf32> -> tensor<32xf32>
  %4 = tt.reshape %3 allow_reorder efficient_layout {h = "p"} : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK-NEXT:    %5 = tt.reshape %4 : tensor<32xf32> -> tensor<2x2x8xf32>
  %5 = tt.reshape %4 : tensor<32xf32> -> tensor<2x2x8xf32>
  // CHECK-NEXT:    %6 = tt.trans %5 {h = "p", order = array<i32: 2, 0, 1>} : tensor<2x2x8xf32> -> tensor<8x2x2xf32>
  %6 = tt.trans %5 {h = "p", order = array<i32: 2, 0, 1>} : tensor<2x2x8xf32> -> tensor<8x2x2xf32>
  // CHECK-NEXT:    %7 = tt.cat %1, %1 {h = "p"} : tensor<4xf32> -> tensor<8xf32>
  %7 = tt.cat %1, %1 {h = "p"} : tensor<4xf32> -> tensor<8xf32>
  // CHECK-NEXT:    %8 = tt.join %1, %1 {h = "p"} : tensor<4xf32> -> tensor<4x2xf32>
  %8 = tt.join %1, %1 {h = "p"} : tensor<4xf32> -> tensor<4x2xf32>
  // CHECK-NEXT:    %outLHS, %outRHS = tt.split %8 {h = "p"} : tensor<4x2xf32> -> tensor<4xf32>
  %outLHS, %outRHS = tt.split %8 {h = "p"} : tensor<4x2xf32> -> tensor<4xf32>
  // CHECK-NEXT:    %9 = tt.splat %arg0 : f32 -> tensor<1x1xf32>
  %9 = tt.splat %arg0 : f32 -> tensor<1x1xf32>
  // CHECK-NEXT:    %10 = tt.unsplat %9 {h = "p"} : tensor<1x1xf32>
  %10 = tt.unsplat %9 {h = "p"} : tensor<1x1xf32>
  tt.return
}

// CHECK-LABEL:  tt.func @casts(%arg0: i64, %arg1: tensor<4xf32>, %arg2: tensor<4xi64>) {
tt.func @casts(%arg0: i64, %arg1: tensor<4xf32>, %arg2: tensor<4xi64>) {
  // CHECK-NEXT:    %0 = tt.int_to_ptr %arg0 {h = "p"} : i64 -> !tt.ptr<f32>
  %0 = tt.int_to_ptr %arg0 {h = "p"} : i64 -> !tt.ptr<f32>
  // CHECK-NEXT:    %1 = tt.int_to_ptr %arg2 : tensor<4xi64> -> tensor<4x!tt.ptr<f16>>
  %1 = tt.int_to_ptr %arg2 : tensor<4xi64> -> tensor<4x!tt.ptr<f16>>
  // CHECK-NEXT:    %2 = tt.ptr_to_int %1 {h = "p"} : tensor<4x!tt.ptr<f16>> -> tensor<4xi64>
  %2 = tt.ptr_to_int %1 {h = "p"} : tensor<4x!tt.ptr<f16>> -> tensor<4xi64>
  // CHECK-NEXT:    %3 = tt.bitcast %1 {h = "p"} : tensor<4x!tt.ptr<f16>> -> tensor<4x!tt.ptr<i16>>
  %3 = tt.bitcast %1 {h = "p"} : tensor<4x!tt.ptr<f16>> -> tensor<4x!tt.ptr<i16>>
  // CHECK-NEXT:    %4 = tt.bitcast %arg1 : tensor<4xf32> -> tensor<4xi32>
  %4 = tt.bitcast %arg1 : tensor<4xf32> -> tensor<4xi32>
  // CHECK-NEXT:    %5 = tt.fp_to_fp %arg1 {h = "p"}, rounding = rtne : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %5 = tt.fp_to_fp %arg1 {h = "p"}, rounding = rtne : tensor<4xf32> -> tensor<4xf8E4M3FN>
  // CHECK-NEXT:    %6 = tt.fp_to_fp %5 {h = "p"} : tensor<4xf8E4M3FN> -> tensor<4xf32>
  %6 = tt.fp_to_fp %5 {h = "p"} : tensor<4xf8E4M3FN> -> tensor<4xf32>
  // CHECK-NEXT:    %7 = tt.addptr %1, %arg2 {h = "p"} : tensor<4x!tt.ptr<f16>>, tensor<4xi64>
  %7 = tt.addptr %1, %arg2 {h = "p"} : tensor<4x!tt.ptr<f16>>, tensor<4xi64>
  tt.return
}

// CHECK-LABEL:  tt.func @memory(%arg0: tensor<4x!tt.ptr<f32>>, %arg1: tensor<4xi1>, %arg2: tensor<4xf32>, %arg3: !tt.ptr<f32>, %arg4: i1, %arg5: f32) {
tt.func @memory(%arg0: tensor<4x!tt.ptr<f32>>, %arg1: tensor<4xi1>, %arg2: tensor<4xf32>, %arg3: !tt.ptr<f32>, %arg4: i1, %arg5: f32) {
  // CHECK-NEXT:    %0 = tt.load %arg0 {flagtree_hints = "shared_memory"} : tensor<4x!tt.ptr<f32>>
  %0 = tt.load %arg0 {flagtree_hints = "shared_memory"} : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT:    %1 = tt.load %arg0, %arg1 {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  %1 = tt.load %arg0, %arg1 {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT:    %2 = tt.load %arg0, %arg1, %arg2 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, h = "p"} : tensor<4x!tt.ptr<f32>>
  %2 = tt.load %arg0, %arg1, %arg2 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, h = "p"} : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT:    %3 = tt.load %arg3, %arg4, %arg5 : !tt.ptr<f32>
  %3 = tt.load %arg3, %arg4, %arg5 : !tt.ptr<f32>
  // CHECK-NEXT:    tt.store %arg0, %arg2, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_last>, h = "p"} : tensor<4x!tt.ptr<f32>>
  tt.store %arg0, %arg2, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_last>, h = "p"} : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT:    tt.store %arg3, %arg5 : !tt.ptr<f32>
  tt.store %arg3, %arg5 : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL:  tt.func @block_pointers(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i32) {
tt.func @block_pointers(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i32) {
  // CHECK-NEXT:    %0 = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2, %arg2] {h = "p", order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %0 = tt.make_tensor_ptr %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2, %arg2] {h = "p", order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // CHECK-NEXT:    %1 = tt.advance %0, [%arg2, %arg2] {h = "p"} : <tensor<8x16xf16>>
  %1 = tt.advance %0, [%arg2, %arg2] {h = "p"} : <tensor<8x16xf16>>
  // CHECK-NEXT:    %2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, h = "p", padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
  %2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, h = "p", padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
  // CHECK-NEXT:    tt.store %1, %2 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x16xf16>>
  tt.store %1, %2 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// CHECK-LABEL:  tt.func @descriptors(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: !tt.tensordesc<1x16xf16>, %arg4: tensor<8xi32>, %arg5: !tt.tensordesc<8x16xsi32>, %arg6: tensor<8x16xi32>) {
tt.func @descriptors(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: !tt.tensordesc<1x16xf16>, %arg4: tensor<8xi32>, %arg5: !tt.tensordesc<8x16xsi32>, %arg6: tensor<8x16xi32>) {
  // CHECK-NEXT:    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {h = "p", padding = 2 : i32} : <f16>, <8x16xf16>
  %0 = tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {h = "p", padding = 2 : i32} : <f16>, <8x16xf16>
  // CHECK-NEXT:    %1 = tt.descriptor_load %0[%arg1, %arg1] {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>, h = "p"} : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  %1 = tt.descriptor_load %0[%arg1, %arg1] {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>, h = "p"} : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  // CHECK-NEXT:    tt.descriptor_store %0[%arg1, %arg1], %1 {h = "p"} : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
  tt.descriptor_store %0[%arg1, %arg1], %1 {h = "p"} : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
  // CHECK-NEXT:    tt.descriptor_reduce min, %arg5[%arg1, %arg1], %arg6 {h = "p"} : !tt.tensordesc<8x16xsi32>, tensor<8x16xi32>
  tt.descriptor_reduce min, %arg5[%arg1, %arg1], %arg6 {h = "p"} : !tt.tensordesc<8x16xsi32>, tensor<8x16xi32>
  // CHECK-NEXT:    %2 = tt.descriptor_gather %arg3[%arg4, %arg1] {h = "p"} : (!tt.tensordesc<1x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  %2 = tt.descriptor_gather %arg3[%arg4, %arg1] {h = "p"} : (!tt.tensordesc<1x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  // CHECK-NEXT:    tt.descriptor_scatter %arg3[%arg4, %arg1], %2 {h = "p"} : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<8x16xf16>
  tt.descriptor_scatter %arg3[%arg4, %arg1], %2 {h = "p"} : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<8x16xf16>
  tt.return
}

// CHECK-LABEL:  tt.func @atomics(%arg0: tensor<4x!tt.ptr<i32>>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: !tt.ptr<f32>, %arg4: f32, %arg5: i64) {
tt.func @atomics(%arg0: tensor<4x!tt.ptr<i32>>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: !tt.ptr<f32>, %arg4: f32, %arg5: i64) {
  // CHECK-NEXT:    %0 = tt.atomic_rmw umax, acq_rel, gpu, %arg0, %arg1, %arg2 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
  %0 = tt.atomic_rmw umax, acq_rel, gpu, %arg0, %arg1, %arg2 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
  // CHECK-NEXT:    %1 = tt.atomic_rmw fadd, relaxed, cta, %arg3, %arg4 : (!tt.ptr<f32>, f32) -> f32
  %1 = tt.atomic_rmw fadd, relaxed, cta, %arg3, %arg4 : (!tt.ptr<f32>, f32) -> f32
  // CHECK-NEXT:    %2 = tt.atomic_cas acquire, sys, %arg0, %arg1, %arg1 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = tt.atomic_cas acquire, sys, %arg0, %arg1, %arg1 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK-NEXT:    %3 = tt.atomic_load acquire, gpu, %arg0, %arg2 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi1>) -> tensor<4xi32>
  %3 = tt.atomic_load acquire, gpu, %arg0, %arg2 {h = "p"} : (tensor<4x!tt.ptr<i32>>, tensor<4xi1>) -> tensor<4xi32>
  // CHECK-NEXT:    tt.atomic_store release, gpu, %arg0, %arg1, %arg2 {h = "p"} : tensor<4x!tt.ptr<i32>>
  tt.atomic_store release, gpu, %arg0, %arg1, %arg2 {h = "p"} : tensor<4x!tt.ptr<i32>>
  // CHECK-NEXT:    %4 = tt.atomic_poll acquire, gpu, %arg0, %arg1 timeout %arg5 {h = "p"} : tensor<4x!tt.ptr<i32>>, tensor<4xi32> -> tensor<4xi1>
  %4 = tt.atomic_poll acquire, gpu, %arg0, %arg1 timeout %arg5 {h = "p"} : tensor<4x!tt.ptr<i32>>, tensor<4xi32> -> tensor<4xi1>
  tt.return
}

// CHECK-LABEL:  tt.func @dots(%arg0: tensor<16x32xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x16xi8>, %arg4: tensor<16x1xi8>, %arg5: tensor<32x16xf8E5M2>) {
tt.func @dots(%arg0: tensor<16x32xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x16xi8>, %arg4: tensor<16x1xi8>, %arg5: tensor<32x16xf8E5M2>) {
  // CHECK-NEXT:    %0 = tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32x3 {h = "p", maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %0 = tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32x3 {h = "p", maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK-NEXT:    %1 = tt.dot %arg0, %arg1, %0 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  %1 = tt.dot %arg0, %arg1, %0 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
  // CHECK-NEXT:    %2 = tt.dot_scaled %arg3 scale %arg4, %arg5 scale %arg4, %arg2 lhs = e2m1 rhs = e5m2 {fastMath = false, h = "p"} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xf8E5M2>, tensor<16x1xi8> -> tensor<16x16xf32>
  %2 = tt.dot_scaled %arg3 scale %arg4, %arg5 scale %arg4, %arg2 lhs = e2m1 rhs = e5m2 {fastMath = false, h = "p"} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xf8E5M2>, tensor<16x1xi8> -> tensor<16x16xf32>
  // CHECK-NEXT:    %3 = tt.dot_scaled %arg3, %arg5, %arg2 lhs = e2m1 rhs = e5m2 {fastMath = true} : tensor<16x16xi8> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  %3 = tt.dot_scaled %arg3, %arg5, %arg2 lhs = e2m1 rhs = e5m2 {fastMath = true} : tensor<16x16xi8> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// CHECK-LABEL:  tt.func @elementwise(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: f32) {
tt.func @elementwise(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: f32) {
  // CHECK-NEXT:    %0 = tt.clampf %arg0, %arg0, %arg0, propagateNan = all {h = "p"} : tensor<4xf32>
  %0 = tt.clampf %arg0, %arg0, %arg0, propagateNan = all {h = "p"} : tensor<4xf32>
  // CHECK-NEXT:    %1 = tt.precise_sqrt %arg2 {h = "p"} : f32
  %1 = tt.precise_sqrt %arg2 {h = "p"} : f32
  // CHECK-NEXT:    %2 = tt.precise_divf %arg0, %arg0 {h = "p"} : tensor<4xf32>
  %2 = tt.precise_divf %arg0, %arg0 {h = "p"} : tensor<4xf32>
  // CHECK-NEXT:    %3 = tt.approx_divf %arg0, %arg0 {h = "p"} : tensor<4xf32>
  %3 = tt.approx_divf %arg0, %arg0 {h = "p"} : tensor<4xf32>
  // CHECK-NEXT:    %4 = tt.mulhiui %arg1, %arg1 {h = "p"} : tensor<4xi32>
  %4 = tt.mulhiui %arg1, %arg1 {h = "p"} : tensor<4xi32>
  // CHECK-NEXT:    %5 = tt.extern_elementwise %arg0, %arg0 {h = "p", libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = tt.extern_elementwise %arg0, %arg0 {h = "p", libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT:    %6:2 = tt.elementwise_inline_asm "mov $0, $2; mov $1, $3;" {constraints = "=r,=r,r,r", h = "p", packed_element = 1 : i32, pure = false} %arg0, %arg1 : tensor<4xf32>, tensor<4xi32> -> tensor<4xf32>, tensor<4xi32>
  %6:2 = tt.elementwise_inline_asm "mov $0, $2; mov $1, $3;" {constraints = "=r,=r,r,r", h = "p", packed_element = 1 : i32, pure = false} %arg0, %arg1 : tensor<4xf32>, tensor<4xi32> -> tensor<4xf32>, tensor<4xi32>
  // CHECK-NEXT:    %7 = tt.elementwise_inline_asm "mov.u32 $0, %clock;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  %7 = tt.elementwise_inline_asm "mov.u32 $0, %clock;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// CHECK-LABEL:  tt.func @reductions(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xi32>, %arg2: tensor<16xi32>, %arg3: tensor<16xi1>) {
tt.func @reductions(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xi32>, %arg2: tensor<16xi32>, %arg3: tensor<16xi1>) {
  // CHECK-NEXT:    %0:2 = "tt.reduce"(%arg0, %arg1) <{axis = 1 : i32}> ({
  // CHECK-NEXT:    ^bb0(%arg4: f32, %arg5: i32, %arg6: f32, %arg7: i32):
  // CHECK-NEXT:      tt.reduce.return %arg4, %arg7 : f32, i32
  // CHECK-NEXT:    }) {h = "p"} : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %0:2 = "tt.reduce"(%arg0, %arg1) <{axis = 1 : i32}> ({
  ^bb0(%arg4: f32, %arg5: i32, %arg6: f32, %arg7: i32):
    tt.reduce.return %arg4, %arg7 : f32, i32
  }) {h = "p"} : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK-NEXT:    %1 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
  // CHECK-NEXT:    ^bb0(%arg4: f32, %arg5: f32):
  // CHECK-NEXT:      tt.scan.return %arg4 : f32
  // CHECK-NEXT:    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = "tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%arg4: f32, %arg5: f32):
    tt.scan.return %arg4 : f32
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT:    %2:2 = "tt.map_elementwise"(%arg0) <{pack = 2 : i32}> ({
  // CHECK-NEXT:    ^bb0(%arg4: f32, %arg5: f32):
  // CHECK-NEXT:      tt.map_elementwise.return %arg5, %arg4, %arg4, %arg5 : f32, f32, f32, f32
  // CHECK-NEXT:    }) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %2:2 = "tt.map_elementwise"(%arg0) <{pack = 2 : i32}> ({
  ^bb0(%arg4: f32, %arg5: f32):
    tt.map_elementwise.return %arg5, %arg4, %arg4, %arg5 : f32, f32, f32, f32
  }) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  // CHECK-NEXT:    %3 = tt.gather %arg0[%arg1] {axis = 0 : i32, efficient_layout, h = "p"} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  %3 = tt.gather %arg0[%arg1] {axis = 0 : i32, efficient_layout, h = "p"} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
  // CHECK-NEXT:    %4 = tt.histogram %arg2, %arg3 {h = "p"} : tensor<16xi32> -> tensor<8xi32>
  %4 = tt.histogram %arg2, %arg3 {h = "p"} : tensor<16xi32> -> tensor<8xi32>
  // CHECK-NEXT:    %5 = tt.histogram %arg2 : tensor<16xi32> -> tensor<8xi32>
  %5 = tt.histogram %arg2 : tensor<16xi32> -> tensor<8xi32>
  tt.return
}
