// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(flir-split-loops,canonicalize,cse))' | FileCheck %s

// The steady part has no masks; the tail has, and ends with the extent.
// CHECK-LABEL: func @copy
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: index, %[[E:.*]]: index, %{{.*}}: f32)
// CHECK: %[[MIN:.*]] = arith.minsi %[[E]], %c1024
// CHECK: %[[INSIDE:.*]] = arith.maxsi %[[MIN]], %c0
// CHECK: %[[REST:.*]] = arith.remui %[[INSIDE]], %c64
// CHECK: %[[FULL:.*]] = arith.subi %[[INSIDE]], %[[REST]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[FULL]] step %c64
// CHECK:   flir.load {{.*}} extents [64] -> vector<64xf32>
// CHECK:   flir.store {{.*}} extents [64] :
// CHECK: %[[CUT:.*]] = arith.cmpi slt, %[[FULL]], %[[INSIDE]]
// CHECK: scf.if %[[CUT]] {
// CHECK:   %[[LEFT:.*]] = arith.subi %[[E]], %[[FULL]]
// CHECK:   flir.load {{.*}} extents [%[[LEFT]]] pad
// CHECK:   flir.store {{.*}} extents [%[[LEFT]]] :
func.func @copy(%x: !llvm.ptr, %o: !llvm.ptr, %at: index, %e: index, %pad: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %t = %c0 to %c1024 step %c64 {
    %left = arith.subi %e, %t : index
    %p = arith.addi %at, %t : index
    %v = flir.load %x[%p] strides [1] extents [%left] pad %pad : f32 -> vector<64xf32>
    flir.store %v, %o[%p] strides [1] extents [%left] : vector<64xf32>
  }
  return
}

// Padding counts in a loop that gives a value: tiles outside of the extent have it, and read nothing.
// CHECK-LABEL: func @sum
// CHECK: %[[A:.*]] = scf.for %{{.*}} = %c0{{.*}} to %[[FULL:[^ ]*]] step %c64{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<64xf32>)
// CHECK:   extents [64] -> vector<64xf32>
// CHECK: %[[B:.*]] = scf.if %[[CUT:.*]] -> (vector<64xf32>)
// CHECK:   extents [%{{.*}}] pad
// CHECK:   scf.yield %[[A]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[FULL]], %c64
// CHECK: %[[END:.*]] = arith.select %[[CUT]], %[[NEXT]], %[[FULL]]
// CHECK: %[[C:.*]] = scf.for %{{.*}} = %[[END]] to %c1024{{.*}} iter_args(%{{.*}} = %[[B]]) -> (vector<64xf32>)
// CHECK-NOT: flir.load
// CHECK: return %[[C]]
func.func @sum(%x: !llvm.ptr, %e: index, %pad: f32, %init: vector<64xf32>) -> vector<64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %r = scf.for %t = %c0 to %c1024 step %c64 iter_args(%a = %init) -> vector<64xf32> {
    %left = arith.subi %e, %t : index
    %v = flir.load %x[%t] strides [1] extents [%left] pad %pad : f32 -> vector<64xf32>
    %s = arith.addf %a, %v : vector<64xf32>
    scf.yield %s : vector<64xf32>
  }
  return %r : vector<64xf32>
}

// The steady part ends with the smaller of two extents; the tail still does all that is left.
// CHECK-LABEL: func @two_extents
// CHECK: arith.minsi
// CHECK: arith.minsi
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[FULL:.*]] step
// CHECK:   flir.load {{.*}} extents [64] -> vector<64xf32>
// CHECK:   flir.store {{.*}} extents [64] :
// CHECK: scf.for %{{.*}} = %[[FULL]] to %c1024{{.*}} step
func.func @two_extents(%x: !llvm.ptr, %o: !llvm.ptr, %e: index, %f: index, %pad: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %t = %c0 to %c1024 step %c64 {
    %left = arith.subi %e, %t : index
    %left2 = arith.subi %f, %t : index
    %v = flir.load %x[%t] strides [1] extents [%left] pad %pad : f32 -> vector<64xf32>
    flir.store %v, %o[%t] strides [1] extents [%left2] : vector<64xf32>
  }
  return
}

// CHECK-LABEL: func @nothing_to_split
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @nothing_to_split(%x: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %t = %c0 to %c1024 step %c64 {
    %v = flir.load %x[%t] strides [1] extents [64] -> vector<64xf32>
    flir.store %v, %o[%t] strides [1] extents [64] : vector<64xf32>
  }
  return
}

// A mask excludes elements anywhere: it stays in both parts.
// CHECK-LABEL: func @a_mask_stays_in_both_parts
// CHECK: scf.for
// CHECK: extents [64] mask
// CHECK: scf.if
// CHECK: extents [%{{.*}}] mask
func.func @a_mask_stays_in_both_parts(%o: !llvm.ptr, %e: index, %v: vector<64xf32>, %m: vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.for %t = %c0 to %c1024 step %c64 {
    %left = arith.subi %e, %t : index
    flir.store %v, %o[%t] strides [1] extents [%left] mask %m : vector<64xi1> : vector<64xf32>
  }
  return
}

// A comparison that says the same as the extent is true inside of it, and
// false outside.
// CHECK-LABEL: func @the_mask_as_a_value
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: scf.yield
// CHECK: scf.if
// CHECK: arith.cmpi slt
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @the_mask_as_a_value(%x: !llvm.ptr, %n: i32, %s: i32, %zero: f32) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %nn = arith.index_cast %n : i32 to index
  %ss = arith.index_cast %s : i32 to index
  %bound = arith.subi %nn, %ss : index
  %sum = scf.for %t = %c0 to %c256 step %c16 iter_args(%a = %zeros) -> (vector<16xf32>) {
    %left = arith.subi %bound, %t : index
    %v = flir.load %x[%t] strides [1] extents [%left] pad %zero : f32 -> vector<16xf32>
    %lanes = vector.step : vector<16xindex>
    %start = vector.broadcast %t : index to vector<16xindex>
    %i = arith.addi %start, %lanes : vector<16xindex>
    %i32 = arith.index_cast %i : vector<16xindex> to vector<16xi32>
    %from = vector.broadcast %s : i32 to vector<16xi32>
    %at = arith.addi %from, %i32 : vector<16xi32>
    %end = vector.broadcast %n : i32 to vector<16xi32>
    %inside = arith.cmpi slt, %at, %end : vector<16xi32>
    %e = math.exp %v : vector<16xf32>
    %w = arith.select %inside, %e, %zeros : vector<16xi1>, vector<16xf32>
    %b = arith.addf %a, %w : vector<16xf32>
    scf.yield %b : vector<16xf32>
  }
  return %sum : vector<16xf32>
}

// A loop that gives no value and stores whole tiles, some of them of nothing but padding.
// CHECK-LABEL: func @stores_padding
// CHECK: scf.for
// CHECK: flir.store {{.*}} extents [16]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: flir.store {{.*}} extents [16]
// CHECK-NOT: flir.load
// CHECK: return
func.func @stores_padding(%x: !llvm.ptr, %y: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c256 step %c16 {
    %e = arith.subi %n, %i : index
    %v = flir.load %x[%i] strides [1] extents [%e] pad %zero : f32 -> vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    flir.store %w, %y[%i] strides [1] extents [16] : vector<16xf32>
  }
  return
}

// The tail of the outer loop keeps one inner loop with both masks.
// CHECK-LABEL: func @tails_are_not_split
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     flir.load {{.*}} extents [4, 16]
// CHECK:   scf.if
// CHECK:     flir.load {{.*}} extents [4, %{{.*}}]
// CHECK: scf.if
// CHECK:   scf.for
// CHECK:     flir.load {{.*}} extents [%{{.*}}, %{{.*}}]
// CHECK-NOT: flir.load
// CHECK: return
func.func @tails_are_not_split(%x: !llvm.ptr, %o: !llvm.ptr, %m: index, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %r = %c0 to %c64 step %c4 {
    %rows = arith.subi %m, %r : index
    scf.for %c = %c0 to %c64 step %c16 {
      %columns = arith.subi %n, %c : index
      %at = affine.apply affine_map<(r, c)[s] -> (r * s + c)>(%r, %c)[%s]
      %v = flir.load %x[%at] strides [%s, 1] extents [%rows, %columns] -> vector<4x16xf32>
      flir.store %v, %o[%at] strides [%s, 1] extents [%rows, %columns] : vector<4x16xf32>
    }
  }
  return
}

// Much work for each element is not there twice; only the store is. The loop ends with the extent all the same.
// CHECK-LABEL: func @much_work
// CHECK: %[[LEAST:.*]] = arith.minsi %{{.*}}, %c1024
// CHECK: %[[END:.*]] = arith.maxsi %[[LEAST]], %c0
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step
// CHECK: flir.load {{.*}} extents [%{{.*}}] -> vector<16xi32>
// CHECK: scf.if
// CHECK-NEXT: flir.store {{.*}} extents [16]
// CHECK-NEXT: } else {
// CHECK-NEXT: flir.store {{.*}} extents [%{{.*}}]
// CHECK-NOT: scf.for
// CHECK: return
func.func @much_work(%x: !llvm.ptr, %o: !llvm.ptr, %e: index, %k: vector<16xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  scf.for %t = %c0 to %c1024 step %c16 {
    %left = arith.subi %e, %t : index
    %v = flir.load %x[%t] strides [1] extents [%left] -> vector<16xi32>
    %h0, %l0 = arith.mului_extended %v, %k : vector<16xi32>
    %h1, %l1 = arith.mului_extended %h0, %k : vector<16xi32>
    %h2, %l2 = arith.mului_extended %h1, %k : vector<16xi32>
    %h3, %l3 = arith.mului_extended %h2, %k : vector<16xi32>
    %h4, %l4 = arith.mului_extended %h3, %k : vector<16xi32>
    %h5, %l5 = arith.mului_extended %h4, %k : vector<16xi32>
    %h6, %l6 = arith.mului_extended %h5, %k : vector<16xi32>
    %h7, %l7 = arith.mului_extended %h6, %k : vector<16xi32>
    %h8, %l8 = arith.mului_extended %h7, %k : vector<16xi32>
    %h9, %l9 = arith.mului_extended %h8, %k : vector<16xi32>
    %h10, %l10 = arith.mului_extended %h9, %k : vector<16xi32>
    %h11, %l11 = arith.mului_extended %h10, %k : vector<16xi32>
    %h12, %l12 = arith.mului_extended %h11, %k : vector<16xi32>
    %h13, %l13 = arith.mului_extended %h12, %k : vector<16xi32>
    %h14, %l14 = arith.mului_extended %h13, %k : vector<16xi32>
    %h15, %l15 = arith.mului_extended %h14, %k : vector<16xi32>
    %h16, %l16 = arith.mului_extended %h15, %k : vector<16xi32>
    %h17, %l17 = arith.mului_extended %h16, %k : vector<16xi32>
    %h18, %l18 = arith.mului_extended %h17, %k : vector<16xi32>
    %h19, %l19 = arith.mului_extended %h18, %k : vector<16xi32>
    %h20, %l20 = arith.mului_extended %h19, %k : vector<16xi32>
    %h21, %l21 = arith.mului_extended %h20, %k : vector<16xi32>
    %h22, %l22 = arith.mului_extended %h21, %k : vector<16xi32>
    %h23, %l23 = arith.mului_extended %h22, %k : vector<16xi32>
    %h24, %l24 = arith.mului_extended %h23, %k : vector<16xi32>
    %h25, %l25 = arith.mului_extended %h24, %k : vector<16xi32>
    flir.store %h25, %o[%t] strides [1] extents [%left] : vector<16xi32>
  }
  return
}
