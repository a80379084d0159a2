// RUN: flagtree-opt %s -cpu-prefetch-hinted -canonicalize -cse -split-input-file | FileCheck %s
// RUN: flagtree-opt %s -cpu-prefetch-hinted=inject-failure=error -split-input-file | FileCheck %s --check-prefix=UNDONE
// RUN: flagtree-opt %s -cpu-prefetch-hinted=inject-failure=invalid -split-input-file | FileCheck %s --check-prefix=UNDONE

// Rows whose numbers are read from memory: the number is read two iterations early, while there are any left, and
// each tile of that row is asked for beside the same tile of this one.
// CHECK-LABEL: func @rows
// CHECK-SAME: hint = "prefetch=2", {{[^}]*}}outcome = "applied", pass = "cpu-prefetch-hinted", reason = "its block is fetched 2 iterations ahead"
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[N:.*]] step
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[K]]
// CHECK: %[[STEPS:.*]] = arith.divui %[[LEFT]], %{{.*}}
// CHECK: %[[ANY:.*]] = arith.cmpi ugt, %[[STEPS]], %{{.*}}
// CHECK: %[[LATER:.*]] = arith.addi %[[K]], %{{.*}}
// CHECK: %[[AT:.*]] = arith.select %[[ANY]], %[[LATER]], %[[K]]
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[AT]]
// CHECK: %[[ROW:.*]] = flir.load %{{.*}}[%[[PLACE]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[ROW]]
// CHECK: %[[START:.*]] = arith.muli %[[INDEX]], %{{.*}}
// CHECK: scf.for %[[T:.*]] =
// CHECK: %[[OFFSET:.*]] = arith.addi %[[START]], %[[T]]
// CHECK: arith.muli %[[OFFSET]], %c4
// CHECK: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK: flir.load {{.*}} -> vector<16xf32>
// CHECK-NOT: flir.hints

// UNDONE-LABEL: func @rows
// UNDONE-SAME: outcome = "failed", {{[^}]*}}reason = "the pass failed and was undone:
// UNDONE-NOT: llvm.intr.prefetch
func.func @rows(%numbers: !llvm.ptr, %x: !llvm.ptr, %o: !llvm.ptr, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %tile = arith.constant 16 : index
  %length = arith.constant 64 : index
  scf.for %k = %zero to %n step %one : i32 {
    %place = arith.index_cast %k : i32 to index
    %row = flir.load %numbers[%place] strides [] extents [] -> i32
    %index = arith.index_cast %row : i32 to index
    %start = arith.muli %index, %length : index
    scf.for %t = %first to %length step %tile {
      %at = arith.addi %start, %t : index
      %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 2>]} -> vector<16xf32>
      flir.store %v, %o[%t] strides [1] extents [16] : vector<16xf32>
    }
  }
  return
}

// -----

// Offsets that the loop carries, rows of a block, a stride that is not known; four iterations where nothing is said.
// CHECK-LABEL: func @carried
// CHECK-SAME: hint = "prefetch", {{[^}]*}}reason = "its block is fetched 4 iterations ahead"
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}})
// CHECK: %[[LATER:.*]] = arith.addi %[[AT]], %c1024
// CHECK-COUNT-4: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// CHECK: flir.load
func.func @carried(%x: !llvm.ptr, %o: !llvm.ptr, %n: i32, %ld: index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %more = arith.constant 256 : index
  %end = scf.for %k = %zero to %n step %one iter_args(%at = %first) -> (index) : i32 {
    %v = flir.load %x[%at] strides [%ld, 1] extents [2, 32] {flir.hints = [#flir.hint<prefetch>]} -> vector<2x32xf32>
    flir.store %v, %o[%first] strides [%ld, 1] extents [2, 32] : vector<2x32xf32>
    %next = arith.addi %at, %more : index
    scf.yield %next : index
  }
  return
}

// -----

// A number at a place that is not that iteration's for certain must not be read early; nor one that not every
// iteration reads, or that an assertion before it may keep from being read.
// CHECK-LABEL: func @not_known
// CHECK-SAME: hint = "prefetch=1", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "where it reads is not known that early"
// CHECK-SAME: hint = "prefetch=2", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "where it reads is not known that early"
// CHECK-SAME: hint = "prefetch=3", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "where it reads is not known that early"
// CHECK-NOT: llvm.intr.prefetch
func.func @not_known(%numbers: !llvm.ptr, %x: !llvm.ptr, %o: !llvm.ptr, %n: i32, %b: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %more = arith.constant 1 : index
  %end = scf.for %k = %zero to %n step %one iter_args(%place = %first) -> (index) : i32 {
    %row = flir.load %numbers[%place] strides [] extents [] -> i32
    %at = arith.index_cast %row : i32 to index
    %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 1>]} -> vector<16xf32>
    flir.store %v, %o[%first] strides [1] extents [16] : vector<16xf32>
    %next = arith.addi %place, %more : index
    scf.yield %next : index
  }
  scf.for %k = %zero to %n step %one : i32 {
    scf.if %b {
      %place = arith.index_cast %k : i32 to index
      %row = flir.load %numbers[%place] strides [] extents [] -> i32
      %at = arith.index_cast %row : i32 to index
      %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 2>]} -> vector<16xf32>
      flir.store %v, %o[%first] strides [1] extents [16] : vector<16xf32>
    }
  }
  scf.for %k = %zero to %n step %one : i32 {
    func.call @check(%k) : (i32) -> ()
    %place = arith.index_cast %k : i32 to index
    %row = flir.load %numbers[%place] strides [] extents [] -> i32
    %at = arith.index_cast %row : i32 to index
    %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 3>]} -> vector<16xf32>
    flir.store %v, %o[%first] strides [1] extents [16] : vector<16xf32>
  }
  return
}
func.func private @check(i32)

// -----

// CHECK-LABEL: func @nothing_to_do
// CHECK-SAME: hint = "prefetch=1", {{[^}]*}}outcome = "unchanged", {{[^}]*}}reason = "each iteration reads the same block"
// CHECK-SAME: hint = "prefetch=2", {{[^}]*}}outcome = "failed", {{[^}]*}}reason = "its statement is in no loop over a range"
// CHECK-NOT: llvm.intr.prefetch
func.func @nothing_to_do(%x: !llvm.ptr, %o: !llvm.ptr, %n: i32, %at: index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %k = %zero to %n step %one : i32 {
    %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 1>]} -> vector<16xf32>
    flir.store %v, %o[%at] strides [1] extents [16] : vector<16xf32>
  }
  %v = flir.load %x[%at] strides [1] extents [16] {flir.hints = [#flir.hint<prefetch, 2>]} -> vector<16xf32>
  flir.store %v, %o[%at] strides [1] extents [16] : vector<16xf32>
  return
}
