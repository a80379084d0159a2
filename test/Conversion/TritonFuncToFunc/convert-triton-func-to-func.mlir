// RUN: flagtree-opt %s -convert-triton-func-to-func | FileCheck %s

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[X:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[PX:.*]]: i32, %[[PY:.*]]: i32, %[[PZ:.*]]: i32, %[[NX:.*]]: i32, %[[NY:.*]]: i32, %[[NZ:.*]]: i32) {
// CHECK-NOT: tt.get
// CHECK: %[[A:.*]] = arith.addi %[[PX]], %[[PY]]
// CHECK: %[[B:.*]] = arith.addi %[[A]], %[[PZ]]
// CHECK: %[[C:.*]] = arith.addi %[[NX]], %[[NY]]
// CHECK: %[[D:.*]] = arith.addi %[[C]], %[[NZ]]
// CHECK: %[[E:.*]] = arith.addi %[[B]], %[[D]]
// CHECK: call @device(%[[X]], %[[E]], %[[PX]], %[[PY]], %[[PZ]], %[[NX]], %[[NY]], %[[NZ]])
// CHECK: return
tt.func public @kernel(%x: !tt.ptr<f32>, %n: i32) {
  %px = tt.get_program_id x : i32
  %py = tt.get_program_id y : i32
  %pz = tt.get_program_id z : i32
  %nx = tt.get_num_programs x : i32
  %ny = tt.get_num_programs y : i32
  %nz = tt.get_num_programs z : i32
  %a = arith.addi %px, %py : i32
  %b = arith.addi %a, %pz : i32
  %c = arith.addi %nx, %ny : i32
  %d = arith.addi %c, %nz : i32
  %e = arith.addi %b, %d : i32
  %r = tt.call @device(%x, %e) : (!tt.ptr<f32>, i32) -> i32
  tt.return
}

// A function that the kernel calls knows the grid as well.
// CHECK-LABEL: func.func private @device
// CHECK-SAME: (%{{.*}}: !tt.ptr<f32>, %[[E:.*]]: i32, %{{.*}}: i32, %[[PY:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) -> i32
// CHECK: %[[R:.*]] = arith.muli %[[E]], %[[PY]]
// CHECK: return %[[R]] : i32
tt.func private @device(%x: !tt.ptr<f32>, %e: i32) -> i32 {
  %py = tt.get_program_id y : i32
  %r = arith.muli %e, %py : i32
  tt.return %r : i32
}

// Early returns stay branches until control flow is lifted.
// CHECK-LABEL: func.func @early
// CHECK: cf.cond_br
// CHECK-COUNT-2: return
tt.func public @early(%c: i1) {
  cf.cond_br %c, ^leave, ^stay
^leave:
  tt.return
^stay:
  tt.return
}

// A descriptor that the host made: base, shape, strides, whether it pads with NaN.
// CHECK-LABEL: func.func @descriptor
// CHECK-SAME: (%[[X:.*]]: !tt.ptr<f16>, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[S:.*]]: i64, %[[T:.*]]: i64, %[[NAN:.*]]: i1, %{{.*}}: i32,
// CHECK-DAG: %[[MI:.*]] = arith.trunci %[[M]] : i64 to i32
// CHECK-DAG: %[[NI:.*]] = arith.trunci %[[N]] : i64 to i32
// CHECK-DAG: %[[Z:.*]] = tt.make_tensor_descriptor %[[X]], [%[[MI]], %[[NI]]], [%[[S]], %[[T]]] : <f16>, <8x16xf16>
// CHECK-DAG: %[[P:.*]] = tt.make_tensor_descriptor %[[X]], [%[[MI]], %[[NI]]], [%[[S]], %[[T]]] {{{.*}}padding = 2 : i32{{.*}}} : <f16>, <8x16xf16>
// CHECK: %[[D:.*]] = arith.select %[[NAN]], %[[P]], %[[Z]]
// CHECK: tt.descriptor_load %[[D]]
tt.func public @descriptor(%d: !tt.tensordesc<8x16xf16>, %k: i32) {
  %v = tt.descriptor_load %d[%k, %k] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  tt.return
}
