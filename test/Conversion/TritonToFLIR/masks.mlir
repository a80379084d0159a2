// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// A conjunction of comparisons becomes extents; whatever else stays a mask.

// CHECK-LABEL: func @below
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: extents [%[[N]]] pad
func.func @below(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %b : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @not_above
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[E:.*]] = arith.addi %[[N]], %c1
// CHECK: extents [%[[E]]] pad
func.func @not_above(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi sle, %i, %b : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @the_bound_first
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: extents [%[[N]]] pad
// CHECK: %[[E:.*]] = arith.addi %[[N]], %c1
// CHECK: extents [%[[E]]] pad
func.func @the_bound_first(%p: !tt.ptr<f32>, %n: i32) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %m = arith.cmpi sgt, %b, %i : tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  %k = arith.cmpi sge, %b, %i : tensor<64xi32>
  %w = tt.load %q, %k : tensor<64x!tt.ptr<f32>>
  return %v, %w : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @the_smaller_of_two_bounds
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[E:.*]] = arith.minsi %[[N]], %c20
// CHECK: extents [%[[E]]] pad
func.func @the_smaller_of_two_bounds(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %twenty = arith.constant dense<20> : tensor<64xi32>
  %m1 = arith.cmpi slt, %i, %b : tensor<64xi32>
  %m2 = arith.cmpi slt, %i, %twenty : tensor<64xi32>
  %m = arith.andi %m1, %m2 : tensor<64xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// A condition of the whole block makes a dimension whole or empty.
// CHECK-LABEL: func @whole_or_nothing
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[C:.*]]: i1)
// CHECK: %[[E:.*]] = arith.select %[[C]], %c64{{.*}}, %c0{{.*}} : index
// CHECK: extents [%[[E]]] pad
func.func @whole_or_nothing(%p: !tt.ptr<f32>, %c: i1) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %m = tt.splat %c : i1 -> tensor<64xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @constant_masks
// CHECK: extents [64] -> tensor<64xf32>
// CHECK: extents [0] pad
func.func @constant_masks(%p: !tt.ptr<f32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %all = arith.constant dense<true> : tensor<64xi1>
  %none = arith.constant dense<false> : tensor<64xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %q, %all : tensor<64x!tt.ptr<f32>>
  %w = tt.load %q, %none : tensor<64x!tt.ptr<f32>>
  return %v, %w : tensor<64xf32>, tensor<64xf32>
}

// A lower bound stays a tensor beside the extents.
// CHECK-LABEL: func @a_lower_bound
// CHECK: %[[M:.*]] = arith.cmpi sge
// CHECK: extents [%{{.*}}] mask %[[M]] : tensor<64xi1> pad
func.func @a_lower_bound(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %m1 = arith.cmpi slt, %i, %b : tensor<64xi32>
  %m2 = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m = arith.andi %m1, %m2 : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// Unless all positions are above it.
// CHECK-LABEL: func @a_lower_bound_that_always_holds
// CHECK-NOT: mask
// CHECK: extents [64] -> tensor<64xf32>
func.func @a_lower_bound_that_always_holds(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %m = arith.cmpi sge, %i, %zero : tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// Positions have no sign.
// CHECK-LABEL: func @unsigned_below
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK-NOT: mask
// CHECK: extents [%{{.*}}] pad
func.func @unsigned_below(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %many = arith.constant dense<20> : tensor<64xi32>
  %m1 = arith.cmpi ult, %i, %many : tensor<64xi32>
  %m2 = arith.cmpi slt, %i, %b : tensor<64xi32>
  %m = arith.andi %m1, %m2 : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// Three times a position reaches a bound after a third of the steps.
// CHECK-LABEL: func @a_scaled_position
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: %[[P:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[S:.*]] = arith.addi %[[P]], %c2
// CHECK: %[[E:.*]] = arith.divui %[[S]], %c3
// CHECK: extents [%[[E]]] pad
func.func @a_scaled_position(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %three = arith.constant dense<3> : tensor<64xi32>
  %k = arith.muli %i, %three : tensor<64xi32>
  %m = arith.cmpi slt, %k, %b : tensor<64xi32>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @not_at_or_above
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: extents [%[[N]]] pad
func.func @not_at_or_above(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %true = arith.constant dense<true> : tensor<64xi1>
  %k = arith.cmpi sge, %i, %b : tensor<64xi32>
  %m = arith.xori %k, %true : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @neither_of_two
// CHECK: %[[E:.*]] = arith.minsi %{{.*}}, %c20
// CHECK: extents [%[[E]]] pad
func.func @neither_of_two(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %true = arith.constant dense<true> : tensor<64xi1>
  %many = arith.constant dense<20> : tensor<64xi32>
  %k = arith.cmpi sge, %i, %b : tensor<64xi32>
  %l = arith.cmpi sge, %i, %many : tensor<64xi32>
  %j = arith.ori %k, %l : tensor<64xi1>
  %m = arith.xori %j, %true : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @one_of_two_bounds
// CHECK: %[[E:.*]] = arith.maxsi %{{.*}}, %c20
// CHECK: extents [%[[E]]] pad
func.func @one_of_two_bounds(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %many = arith.constant dense<20> : tensor<64xi32>
  %k = arith.cmpi slt, %i, %b : tensor<64xi32>
  %l = arith.cmpi slt, %i, %many : tensor<64xi32>
  %m = arith.ori %k, %l : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @a_choice_of_masks
// CHECK: %[[C:.*]] = arith.cmpi
// CHECK: %[[E:.*]] = arith.select %[[C]], %{{.*}}, %c20
// CHECK: extents [%[[E]]] pad
func.func @a_choice_of_masks(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %many = arith.constant dense<20> : tensor<64xi32>
  %c7 = arith.constant 7 : i32
  %c = arith.cmpi sgt, %n, %c7 : i32
  %k = arith.cmpi slt, %i, %b : tensor<64xi32>
  %l = arith.cmpi slt, %i, %many : tensor<64xi32>
  %m = arith.select %c, %k, %l : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @a_conjunction_as_a_choice
// CHECK: %[[E:.*]] = arith.minsi %{{.*}}, %c20
// CHECK: extents [%[[E]]] pad
func.func @a_conjunction_as_a_choice(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %false = arith.constant dense<false> : tensor<64xi1>
  %many = arith.constant dense<20> : tensor<64xi32>
  %k = arith.cmpi slt, %i, %b : tensor<64xi32>
  %l = arith.cmpi slt, %i, %many : tensor<64xi32>
  %m = arith.select %k, %l, %false : tensor<64xi1>, tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @other_comparisons_stay_masks
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ne
// CHECK: extents [64] mask
func.func @other_comparisons_stay_masks(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %k = arith.cmpi ult, %i, %b : tensor<64xi32>
  %l = arith.cmpi ne, %i, %b : tensor<64xi32>
  %m = arith.andi %k, %l : tensor<64xi1>
  %v = tt.load %q, %m : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// A bound of a dimension of size one is, once broadcast, a condition.
// CHECK-LABEL: func @a_broadcast_bound_is_a_condition
// CHECK: %[[C:.*]] = arith.cmpi sgt
// CHECK: %[[E:.*]] = arith.select %[[C]], %c8{{.*}}, %c0{{.*}} : index
// CHECK: extents [%[[E]], 64] pad
func.func @a_broadcast_bound_is_a_condition(%p: !tt.ptr<f32>, %n: i32) -> tensor<8x64xf32> {
  %one = tt.make_range {start = 0 : i32, end = 1 : i32} : tensor<1xi32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %row = tt.expand_dims %one {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
  %b = tt.splat %n : i32 -> tensor<1x1xi32>
  %m1 = arith.cmpi slt, %row, %b : tensor<1x1xi32>
  %m = tt.broadcast %m1 : tensor<1x1xi1> -> tensor<8x64xi1>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %cb = tt.broadcast %c : tensor<1x64xi32> -> tensor<8x64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %cb : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
  %v = tt.load %q, %m : tensor<8x64x!tt.ptr<f32>>
  return %v : tensor<8x64xf32>
}

// CHECK-LABEL: func @a_mask_from_memory_of_one_dimension
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[KEEP:.*]]: tensor<8xi1>, %[[N:.*]]: i32)
// CHECK: %[[E:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: extents [8, %[[E]]] mask %{{.*}} : tensor<8x64xi1> pad
func.func @a_mask_from_memory_of_one_dimension(%p: !tt.ptr<f32>, %keep: tensor<8xi1>, %n: i32) -> tensor<8x64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %b = tt.splat %n : i32 -> tensor<1x64xi32>
  %m1 = arith.cmpi slt, %c, %b : tensor<1x64xi32>
  %m1b = tt.broadcast %m1 : tensor<1x64xi1> -> tensor<8x64xi1>
  %k = tt.expand_dims %keep {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
  %kb = tt.broadcast %k : tensor<8x1xi1> -> tensor<8x64xi1>
  %m = arith.andi %m1b, %kb : tensor<8x64xi1>
  %cb = tt.broadcast %c : tensor<1x64xi32> -> tensor<8x64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %cb : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
  %v = tt.load %q, %m : tensor<8x64x!tt.ptr<f32>>
  return %v : tensor<8x64xf32>
}

// What an excluded element reads as: one value is the pad, others are put in afterwards.
// CHECK-LABEL: func @other
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: i32, %[[O:.*]]: f32, %[[EACH:.*]]: tensor<64xf32>)
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7.000000e+00 : f32
// CHECK: pad %[[O]] : f32
// CHECK: pad %[[SEVEN]] : f32
// CHECK: %[[V:.*]] = flir.load {{.*}} extents [%{{[^]]*}}] -> tensor<64xf32>
// CHECK: arith.select %{{.*}}, %[[V]], %[[EACH]] : tensor<64xi1>, tensor<64xf32>
func.func @other(%p: !tt.ptr<f32>, %n: i32, %o: f32, %each: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %b : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %os = tt.splat %o : f32 -> tensor<64xf32>
  %u = tt.load %q, %m, %os : tensor<64x!tt.ptr<f32>>
  %sevens = arith.constant dense<7.0> : tensor<64xf32>
  %v = tt.load %q, %m, %sevens : tensor<64x!tt.ptr<f32>>
  %w = tt.load %q, %m, %each : tensor<64x!tt.ptr<f32>>
  return %u, %v, %w : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
