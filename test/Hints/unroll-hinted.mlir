// RUN: flagtree-opt %s --flir-unroll-hinted --split-input-file | FileCheck %s
// RUN: flagtree-opt %s --flir-unroll-hinted=inject-failure=error --split-input-file | FileCheck %s --check-prefixes=UNDONE,ERROR
// RUN: flagtree-opt %s --flir-unroll-hinted=inject-failure=invalid --split-input-file | FileCheck %s --check-prefixes=UNDONE,INVALID

#id = affine_map<(d0) -> (d0)>

// The blocks of both iterations are added at once, in order; what is left has its own loop.
// CHECK-LABEL: func @sum
// CHECK-SAME: hint = "unroll=2", line = [[#]] : i64, outcome = "applied", pass = "flir-unroll-hinted", reason = "the body is repeated 2 times"
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N:.*]], %[[ZERO]]
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %[[TWO]]
// CHECK: %[[WHOLE:.*]] = arith.subi %[[N]], %[[REST]]
// CHECK: %[[BETWEEN:.*]] = arith.select %[[ANY]], %[[WHOLE]], %[[ZERO]]
// CHECK: %[[GROUPS:.*]] = scf.for %{{.*}} = %[[ZERO]] to %[[BETWEEN]] step %[[TWO]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: scf.yield
// CHECK-NOT: flir.hints
// CHECK: scf.for %{{.*}} = %[[BETWEEN]] to %[[N]] step %{{.*}} iter_args(%{{.*}} = %[[GROUPS]])

// UNDONE-LABEL: func @sum
// ERROR-SAME: outcome = "failed", {{[^}]*}}reason = "the pass failed and was undone: injected"
// INVALID-SAME: outcome = "failed", {{[^}]*}}reason = "the pass failed and was undone: block with no terminator
// UNDONE: scf.for
// UNDONE: linalg.generic {{.*}} ins(%{{[^,]*}}, %{{[^,]*}} :
// UNDONE-NOT: flir.hints
// UNDONE-NOT: scf.for
// UNDONE: return
func.func @sum(%x: !llvm.ptr, %n: i32) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%a = %none) -> (tensor<64xf32>) : i32 {
    %i = arith.index_cast %k : i32 to index
    %l = flir.load %x[%i] strides [1] extents [64] -> tensor<64xf32>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %l : tensor<64xf32>, tensor<64xf32>) outs(%l : tensor<64xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %t = arith.addf %p, %q : f32
      linalg.yield %t : f32
    } -> tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  } {flir.hints = [#flir.hint<unroll, 2>]}
  return %sum : tensor<64xf32>
}

// -----

// A step that is not known is compared with the largest of which the counter can hold a group.
// CHECK-LABEL: func @any_step
// CHECK-DAG: %[[MOST:.*]] = arith.constant 715827882 : i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[STEP:.*]], %[[MOST]]
// CHECK: %[[GROUP:.*]] = arith.muli %[[STEP]], %[[THREE]]
// CHECK: %[[BY:.*]] = arith.select %[[FITS]], %[[GROUP]], %[[STEP]]
// CHECK: scf.for %{{.*}} step %[[BY]]
// CHECK-COUNT-3: call @use
// CHECK: scf.for %{{.*}} step %[[STEP]]
// CHECK: call @use
func.func @any_step(%lower: i32, %upper: i32, %step: i32) {
  scf.for %k = %lower to %upper step %step : i32 {
    func.call @use(%k) : (i32) -> ()
  } {flir.hints = [#flir.hint<unroll, 3>]}
  return
}
func.func private @use(i32)

// -----

// Of a known number of iterations no loop is left where none is needed.
// CHECK-LABEL: func @known
// CHECK-SAME: outcome = "applied"
// CHECK-NOT: scf.for
// CHECK-COUNT-4: call @use
// CHECK-NOT: call @use
func.func @known() {
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 1 : index
  scf.for %k = %lower to %upper step %step {
    func.call @use(%k) : (index) -> ()
  } {flir.hints = [#flir.hint<unroll, 4>]}
  return
}
func.func private @use(index)

// -----

// Each of two loops within each other has its note; other hints stay.
// CHECK-LABEL: func @nested
// CHECK-SAME: hint = "unroll=2", {{[^}]*}}outcome = "applied"
// CHECK-SAME: hint = "unroll=3", {{[^}]*}}outcome = "applied"
// CHECK-COUNT-6: call @use
// CHECK: {flir.hints = [#flir.hint<dma>]}
func.func @nested() {
  %lower = arith.constant 0 : index
  %many = arith.constant 36 : index
  %step = arith.constant 1 : index
  scf.for %j = %lower to %many step %step {
    scf.for %k = %lower to %many step %step {
      func.call @use(%j, %k) : (index, index) -> ()
    } {flir.hints = [#flir.hint<unroll, 2>]}
  } {flir.hints = [#flir.hint<unroll, 3>, #flir.hint<dma>]}
  return
}
func.func private @use(index, index)

// -----

// CHECK-LABEL: func @nothing_to_do
// CHECK-SAME: hint = "unroll=1", {{[^}]*}}outcome = "unchanged", {{[^}]*}}reason = "one copy of the body is what there is"
// CHECK-SAME: hint = "unroll", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "it wants one whole number from 1 to 64"
// CHECK-SAME: hint = "unroll=65", {{[^}]*}}outcome = "failed"
// CHECK-SAME: hint = "unroll=many", {{[^}]*}}outcome = "failed"
// CHECK-SAME: hint = "unroll=2", {{[^}]*}}outcome = "unchanged", {{[^}]*}}reason = "only loops over a range are unrolled"
// CHECK-NOT: flir.hints
func.func @nothing_to_do(%n: index) {
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  scf.for %k = %lower to %n step %step {
    func.call @use(%k) : (index) -> ()
  } {flir.hints = [#flir.hint<unroll, 1>]}
  scf.for %k = %lower to %n step %step {
    func.call @use(%k) : (index) -> ()
  } {flir.hints = [#flir.hint<unroll>]}
  scf.for %k = %lower to %n step %step {
    func.call @use(%k) : (index) -> ()
  } {flir.hints = [#flir.hint<unroll, 65>]}
  scf.for %k = %lower to %n step %step {
    func.call @use(%k) : (index) -> ()
  } {flir.hints = [#flir.hint<unroll, many>]}
  func.call @use(%n) {flir.hints = [#flir.hint<unroll, 2>]} : (index) -> ()
  return
}
func.func private @use(index)

// -----

// Functions of math take longest.
// CHECK-LABEL: func @dear
// CHECK-SAME: outcome = "unchanged", {{[^}]*}}reason = "its divisions or functions of math take longest, and copies of them gain nothing"
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: math.exp
#id = affine_map<(d0) -> (d0)>
func.func @dear(%x: !llvm.ptr, %n: i32, %start: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %k = %zero to %n step %one iter_args(%a = %start) -> (tensor<64xf32>) : i32 {
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<64xf32>) outs(%start : tensor<64xf32>) {
    ^bb0(%p: f32, %out: f32):
      %t = math.exp %p : f32
      linalg.yield %t : f32
    } -> tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  } {flir.hints = [#flir.hint<unroll, 2>]}
  return %last : tensor<64xf32>
}
