// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse | FileCheck %s

// Pointers that a loop carries are an offset that it carries.

// CHECK-LABEL: func @pointers_of_a_loop
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[LD:.*]]: i32, %[[STEP:.*]]: i32, %[[N:.*]]: i32)
// CHECK-DAG: %[[STRIDE:.*]] = arith.index_cast %[[LD]] : i32 to index
// CHECK: scf.for {{.*}} iter_args(%[[OFFSET:.*]] = %c0{{[_0-9]*}}, %{{.*}} = %{{.*}}) -> (index, tensor<8x16xf32>)
// CHECK: flir.load %[[X]][%[[OFFSET]]] strides [%[[STRIDE]], 1] extents [8, 16] -> tensor<8x16xf32>
// CHECK: %[[MORE:.*]] = arith.index_cast %[[STEP]] : i32 to index
// CHECK: arith.addi %[[OFFSET]], %[[MORE]] : index
// CHECK-NOT: tensor<8x16xi64>
// CHECK: return
func.func @pointers_of_a_loop(%x: !tt.ptr<f32>, %ld: i32, %step: i32, %n: i32) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %lds = tt.splat %ld : i32 -> tensor<8x1xi32>
  %down = arith.muli %rows, %lds : tensor<8x1xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
  %ps = tt.addptr %xs, %down : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
  %pb = tt.broadcast %ps : tensor<8x1x!tt.ptr<f32>> -> tensor<8x16x!tt.ptr<f32>>
  %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %cb = tt.broadcast %columns : tensor<1x16xi32> -> tensor<8x16xi32>
  %start = tt.addptr %pb, %cb : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %start, %acc = %zero)
      -> (tensor<8x16x!tt.ptr<f32>>, tensor<8x16xf32>) : i32 {
    %v = tt.load %p : tensor<8x16x!tt.ptr<f32>>
    %sum = arith.addf %acc, %v : tensor<8x16xf32>
    %s = tt.splat %step : i32 -> tensor<8x16xi32>
    %q = tt.addptr %p, %s : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    scf.yield %q, %sum : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xf32>
  }
  return %r#1 : tensor<8x16xf32>
}

// Positions as well, and what is left of them after the loop.
// CHECK-LABEL: func @positions_of_a_loop
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: tensor<64xf32>)
// CHECK: %[[AFTER:.*]] = scf.for {{.*}} iter_args(%[[OFFSET:.*]] = %c0{{[_0-9]*}}) -> (index)
// CHECK: %[[E:.*]] = arith.subi %{{.*}}, %[[OFFSET]] : index
// CHECK: flir.store %{{.*}}, %[[X]][%[[OFFSET]]] strides [1] extents [%[[E]]]
// CHECK: arith.addi %[[OFFSET]], %c64
// CHECK: flir.store %{{.*}}, %[[X]][%[[AFTER]]] strides [1] extents [64]
func.func @positions_of_a_loop(%x: !tt.ptr<f32>, %n: i32, %v: tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<64> : tensor<64xi32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%at = %i) -> (tensor<64xi32>) : i32 {
    %p = tt.addptr %xs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %m = arith.cmpi slt, %at, %ns : tensor<64xi32>
    tt.store %p, %v, %m : tensor<64x!tt.ptr<f32>>
    %next = arith.addi %at, %step : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  }
  %p = tt.addptr %xs, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %p, %v : tensor<64x!tt.ptr<f32>>
  return
}

// Two buffers take turns: the base is carried too.
// CHECK-LABEL: func @pointers_that_take_turns
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %{{.*}}: i32)
// CHECK: scf.for {{.*}} -> (!llvm.ptr, !llvm.ptr)
// CHECK: flir.load %{{.*}}[%{{.*}}] strides [1] extents [64]
// CHECK: flir.store
func.func @pointers_that_take_turns(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %py = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %px, %q = %py)
      -> (tensor<64x!tt.ptr<f32>>, tensor<64x!tt.ptr<f32>>) : i32 {
    %v = tt.load %p : tensor<64x!tt.ptr<f32>>
    tt.store %q, %v : tensor<64x!tt.ptr<f32>>
    scf.yield %q, %p : tensor<64x!tt.ptr<f32>>, tensor<64x!tt.ptr<f32>>
  }
  return
}

// Pointers that grow by what was read stay a tensor, the others do not.
// CHECK-LABEL: func @pointers_without_structure
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[OFFSET:.*]] = %c0{{[_0-9]*}}) -> (tensor<8x8xi64>, index)
// CHECK: flir.gather
// CHECK: flir.store %{{.*}}, %{{.*}}[%[[OFFSET]]] strides [8, 1]
func.func @pointers_without_structure(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %eight = arith.constant dense<8> : tensor<8x1xi32>
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %down = arith.muli %rows, %eight : tensor<8x1xi32>
  %db = tt.broadcast %down : tensor<8x1xi32> -> tensor<8x8xi32>
  %cb = tt.broadcast %columns : tensor<1x8xi32> -> tensor<8x8xi32>
  %at = arith.addi %db, %cb : tensor<8x8xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x8x!tt.ptr<i32>>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<8x8x!tt.ptr<i32>>
  %px = tt.addptr %xs, %at : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
  %py = tt.addptr %ys, %at : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %px, %q = %py)
      -> (tensor<8x8x!tt.ptr<i32>>, tensor<8x8x!tt.ptr<i32>>) : i32 {
    %v = tt.load %p : tensor<8x8x!tt.ptr<i32>>
    tt.store %q, %v : tensor<8x8x!tt.ptr<i32>>
    %p1 = tt.addptr %p, %v : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
    %q1 = tt.addptr %q, %at : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
    %ns = tt.splat %n : i32 -> tensor<8x8xi32>
    %q2 = tt.addptr %q, %ns : tensor<8x8x!tt.ptr<i32>>, tensor<8x8xi32>
    scf.yield %p1, %q2 : tensor<8x8x!tt.ptr<i32>>, tensor<8x8x!tt.ptr<i32>>
  }
  return
}

// A loop in a loop moves the same pointers on.
// CHECK-LABEL: func @pointers_of_loops_in_loops
// CHECK: scf.for {{.*}} -> (index)
// CHECK: scf.for {{.*}} iter_args(%[[OFFSET:.*]] = %{{.*}}) -> (index)
// CHECK: flir.store %{{.*}}, %{{.*}}[%[[OFFSET]]] strides [1] extents [64]
func.func @pointers_of_loops_in_loops(%x: !tt.ptr<f32>, %n: i32, %v: tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<64> : tensor<64xi32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %start = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %r = scf.for %a = %c0 to %n step %c1 iter_args(%p = %start) -> (tensor<64x!tt.ptr<f32>>) : i32 {
    %s = scf.for %b = %c0 to %n step %c1 iter_args(%q = %p) -> (tensor<64x!tt.ptr<f32>>) : i32 {
      tt.store %q, %v : tensor<64x!tt.ptr<f32>>
      %next = tt.addptr %q, %step : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      scf.yield %next : tensor<64x!tt.ptr<f32>>
    }
    %skip = tt.addptr %s, %step : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.yield %skip : tensor<64x!tt.ptr<f32>>
  }
  return
}

// A branch gives an offset, and a base where the sides differ in it.
// CHECK-LABEL: func @pointers_of_a_branch
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[C:.*]]: i1, %{{.*}}: i32
// CHECK: %[[B:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : !llvm.ptr
// CHECK: %[[OFFSET:.*]] = scf.if %[[C]] -> (index)
// CHECK: flir.load %[[X]][%[[OFFSET]]] strides [1] extents [64]
// CHECK: flir.load %[[B]][%c0{{.*}}] strides [1] extents [64]
func.func @pointers_of_a_branch(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %c: i1, %n: i32) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %r:2 = scf.if %c -> (tensor<64x!tt.ptr<f32>>, tensor<64x!tt.ptr<f32>>) {
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %p = tt.addptr %px, %ns : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.yield %p, %px : tensor<64x!tt.ptr<f32>>, tensor<64x!tt.ptr<f32>>
  } else {
    %py = tt.addptr %ys, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.yield %px, %py : tensor<64x!tt.ptr<f32>>, tensor<64x!tt.ptr<f32>>
  }
  %v = tt.load %r#0 : tensor<64x!tt.ptr<f32>>
  %w = tt.load %r#1 : tensor<64x!tt.ptr<f32>>
  return %v, %w : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func @a_choice_of_pointers
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[C:.*]]: i1)
// CHECK: %[[B:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : !llvm.ptr
// CHECK: flir.load %[[B]][%c0{{.*}}] strides [1] extents [64]
func.func @a_choice_of_pointers(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %c: i1) -> tensor<64xf32> {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %s = arith.select %c, %xs, %ys : tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  return %v : tensor<64xf32>
}

// CHECK-LABEL: func @pointers_of_a_while_loop
// CHECK: %[[R:.*]]:2 = scf.while (%[[AT:.*]] = %c0{{[_0-9]*}}, %{{.*}} = %{{.*}}) : (index, i32) -> (index, i32)
// CHECK: scf.condition
// CHECK: ^bb0(%[[OFFSET:.*]]: index, %{{.*}}: i32):
// CHECK: flir.store %{{.*}}, %{{.*}}[%[[OFFSET]]] strides [1] extents [64]
// CHECK: arith.addi %[[OFFSET]], %c64
// CHECK: flir.store %{{.*}}, %{{.*}}[%[[R]]#0] strides [1] extents [64]
func.func @pointers_of_a_while_loop(%x: !tt.ptr<f32>, %n: i32, %v: tensor<64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<64> : tensor<64xi32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %start = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %r:2 = scf.while (%p = %start, %k = %n) : (tensor<64x!tt.ptr<f32>>, i32) -> (tensor<64x!tt.ptr<f32>>, i32) {
    %go = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%go) %p, %k : tensor<64x!tt.ptr<f32>>, i32
  } do {
  ^bb0(%p: tensor<64x!tt.ptr<f32>>, %k: i32):
    tt.store %p, %v : tensor<64x!tt.ptr<f32>>
    %next = tt.addptr %p, %step : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %less = arith.subi %k, %c1 : i32
    scf.yield %next, %less : tensor<64x!tt.ptr<f32>>, i32
  }
  tt.store %r#0, %v : tensor<64x!tt.ptr<f32>>
  return
}
