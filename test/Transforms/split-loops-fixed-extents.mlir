// SPDX-License-Identifier: MIT
// RUN: flagtree-opt %s -split-input-file -pass-pipeline="builtin.module(func.func(flir-split-loops))" | FileCheck %s

// The columns that lie inside are the same for all rows: asked once, in front of the loop of the rows that lie inside.

// CHECK-LABEL: func @columns
// CHECK-SAME: %[[BASE:.*]]: !llvm.ptr, %[[ROWS:.*]]: index, %[[COLUMNS:.*]]: index
// CHECK: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[WHOLE:.*]] = arith.cmpi sge, %[[COLUMNS]], %[[C64]] : index
// CHECK: scf.if %[[WHOLE]] -> (vector<64xf32>) {
// CHECK:   scf.for
// CHECK:     flir.load %{{.*}} extents [1, 64] pad
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     flir.load %{{.*}} extents [1, %[[COLUMNS]]] pad
func.func @columns(%base: !llvm.ptr, %rows: index, %columns: index, %start: vector<64xf32>) -> vector<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %row = %c0 to %c32 step %c1 iter_args(%acc = %start) -> (vector<64xf32>) {
    %left = arith.subi %rows, %row : index
    %offset = arith.muli %row, %c32 : index
    %block = flir.load %base[%offset] strides [32, 1] extents [%left, %columns] pad %zero : f32 -> vector<1x64xf32>
    %flat = vector.shape_cast %block : vector<1x64xf32> to vector<64xf32>
    %next = arith.addf %acc, %flat : vector<64xf32>
    scf.yield %next : vector<64xf32>
  }
  return %sum : vector<64xf32>
}

// -----

// Stores too; an extent that cuts nothing is none.

// CHECK-LABEL: func @stores
// CHECK: %[[WHOLE:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[WHOLE]] {
// CHECK:   flir.store %{{.*}} extents [1, 16]
// CHECK: } else {
// CHECK:   flir.store %{{.*}} extents [1, %{{.*}}]
func.func @stores(%base: !llvm.ptr, %rows: index, %columns: index, %value: vector<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %row = %c0 to %c8 step %c1 {
    %left = arith.subi %rows, %row : index
    %offset = arith.muli %row, %c8 : index
    flir.store %value, %base[%offset] strides [8, 1] extents [%left, %columns] : vector<1x16xf32>
  }
  return
}

// -----

// A loop around another one stays one loop, and so does one whose rows alone are cut.

// CHECK-LABEL: func @rows
// CHECK-NOT: scf.if
func.func @rows(%base: !llvm.ptr, %rows: index, %start: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %row = %c0 to %c8 step %c1 iter_args(%acc = %start) -> (vector<16xf32>) {
    %offset = arith.muli %row, %c8 : index
    %block = flir.load %base[%offset] strides [8, 1] extents [%rows, 16] pad %zero : f32 -> vector<1x16xf32>
    %flat = vector.shape_cast %block : vector<1x16xf32> to vector<16xf32>
    %next = arith.addf %acc, %flat : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %sum : vector<16xf32>
}
