// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-prefetch-ahead))' | FileCheck %s

// The loop over exp fetches what the store after it writes, and the elements
// behind its row; the store's start is computed before it.
// CHECK-LABEL: func.func @fetch_ahead
// CHECK: arith.index_cast %arg3
// CHECK: scf.for
// CHECK: "llvm.intr.prefetch"{{.*}}rw = 1
// CHECK: "llvm.intr.prefetch"{{.*}}rw = 0
// CHECK: math.exp
// CHECK: flir.store
func.func @fetch_ahead(%x: !llvm.ptr, %o: !llvm.ptr, %e: index, %p: i32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %pad = arith.constant 0.0 : f32
  %sum = scf.for %t = %c0 to %c1024 step %c16 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %left = arith.subi %e, %t : index
    %at = arith.addi %e, %t : index
    %v = flir.load %x[%at] strides [1] extents [%left] pad %pad : f32 -> vector<16xf32>
    %y = math.exp %v : vector<16xf32>
    %s = arith.addf %y, %acc : vector<16xf32>
    scf.yield %s : vector<16xf32>
  }
  %start = arith.index_cast %p : i32 to index
  scf.for %t = %c0 to %c1024 step %c16 {
    %left = arith.subi %e, %t : index
    %at = arith.addi %start, %t : index
    flir.store %sum, %o[%at] strides [1] extents [%left] : vector<16xf32>
  }
  return
}

// The second loop along a row reads it from the cache: the row behind it is
// fetched. The first one waits for memory itself, the third one writes.
// CHECK-LABEL: func.func @next_row
// CHECK: scf.for
// CHECK-NOT: llvm.intr.prefetch
// CHECK: scf.for %[[S:[a-z0-9]*]] = %{{.*}} to %arg3
// CHECK: %[[START:[0-9]*]] = arith.addi %arg2, %[[S]]
// CHECK: scf.for %[[T:[a-z0-9]*]] =
// CHECK: %[[AT:.*]] = arith.addi %[[T]], %[[START]]
// CHECK: arith.addi %[[AT]], %arg3
// CHECK-COUNT-1: "llvm.intr.prefetch"{{.*}}rw = 0
// CHECK-NOT: llvm.intr.prefetch
func.func @next_row(%x: !llvm.ptr, %o: !llvm.ptr, %row: index, %n: index, %v: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %first = scf.for %s = %c0 to %n step %c256 iter_args(%a = %v) -> vector<16xf32> {
    %start = arith.addi %row, %s : index
    %sum = scf.for %t = %c0 to %c256 step %c16 iter_args(%b = %a) -> vector<16xf32> {
      %at = arith.addi %start, %t : index
      %y = flir.load %x[%at] strides [1] extents [16] -> vector<16xf32>
      %z = arith.addf %y, %b : vector<16xf32>
      scf.yield %z : vector<16xf32>
    }
    scf.yield %sum : vector<16xf32>
  }
  %second = scf.for %s = %c0 to %n step %c256 iter_args(%a = %v) -> vector<16xf32> {
    %start = arith.addi %row, %s : index
    %sum = scf.for %t = %c0 to %c256 step %c16 iter_args(%b = %a) -> vector<16xf32> {
      %at = arith.addi %start, %t : index
      %y = flir.load %x[%at] strides [1] extents [16] -> vector<16xf32>
      %z = math.fma %y, %y, %b : vector<16xf32>
      scf.yield %z : vector<16xf32>
    }
    scf.yield %sum : vector<16xf32>
  }
  scf.for %s = %c0 to %n step %c256 {
    %start = arith.addi %row, %s : index
    scf.for %t = %c0 to %c256 step %c16 {
      %at = arith.addi %start, %t : index
      %y = flir.load %x[%at] strides [1] extents [16] -> vector<16xf32>
      flir.store %y, %o[%at] strides [1] extents [16] : vector<16xf32>
    }
  }
  return %first, %second : vector<16xf32>, vector<16xf32>
}
