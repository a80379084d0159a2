// RUN: flagtree-opt %s -convert-triton-to-flir -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// Block pointers and descriptors: what lies outside of the shape is an extent.

// CHECK-LABEL: func @block_pointers_of_a_loop
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[M:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: i32)
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %c0{{[_0-9]*}}, %{{.*}} = %{{.*}}) -> (index, tensor<8x16xf32>)
// CHECK: %[[E:.*]] = arith.subi %{{.*}}, %[[AT]] : index
// CHECK: flir.load %[[X]][%{{.*}}] strides [%{{.*}}, 1] extents [8, %[[E]]] pad %{{.*}} : f32 -> tensor<8x16xf32>
// CHECK: arith.addi %[[AT]], %c16
func.func @block_pointers_of_a_loop(%x: !tt.ptr<f32>, %m: i64, %n: i64, %k: i32) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %p = tt.make_tensor_ptr %x, [%m, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%q = %p, %acc = %zero) -> (!tt.ptr<tensor<8x16xf32>>, tensor<8x16xf32>) : i32 {
    %v = tt.load %q {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<8x16xf32>>
    %s = arith.addf %acc, %v : tensor<8x16xf32>
    %next = tt.advance %q, [%c0, %c16] : <tensor<8x16xf32>>
    scf.yield %next, %s : !tt.ptr<tensor<8x16xf32>>, tensor<8x16xf32>
  }
  return %r#1 : tensor<8x16xf32>
}

// Positions that may be negative are masked, NaN is a pad like any other.
// CHECK-LABEL: func @before_the_shape
// CHECK: %[[NAN:.*]] = arith.constant 0x7E00 : f16
// CHECK: %[[M:.*]] = arith.cmpi sge, %{{.*}} : tensor<16xi64>
// CHECK: flir.load {{.*}} strides [1] extents [%{{.*}}] mask %[[M]] : tensor<16xi1> pad %[[NAN]] : f16 -> tensor<16xf16>
func.func @before_the_shape(%x: !tt.ptr<f16>, %n: i64, %at: i32) -> tensor<16xf16> {
  %one = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %x, [%n], [%one], [%at] {order = array<i32: 0>} : <tensor<16xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16xf16>>
  return %v : tensor<16xf16>
}

// CHECK-LABEL: func @unchecked
// CHECK: flir.store %{{.*}}, %{{.*}}[%c0{{.*}}] strides [1] extents [16] : tensor<16xf16>
func.func @unchecked(%x: !tt.ptr<f16>, %n: i64, %v: tensor<16xf16>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %p = tt.make_tensor_ptr %x, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<16xf16>>
  tt.store %p, %v : !tt.ptr<tensor<16xf16>>
  return
}

// CHECK-LABEL: func @descriptors
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr
// CHECK: %[[V:.*]] = flir.load %[[X]][%c0{{.*}}] strides [%{{.*}}, 1] extents [%{{.*}}, %{{.*}}] pad %{{.*}} : f32 -> tensor<8x16xf32>
// CHECK: flir.store %[[V]], %[[X]][%c0{{.*}}] strides [%{{.*}}, 1] extents [%{{.*}}, %{{.*}}] : tensor<8x16xf32>
func.func @descriptors(%x: !tt.ptr<f32>, %m: i32, %n: i32, %ld: i64) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %x, [%m, %n], [%ld, %one] : <f32>, <8x16xf32>
  %v = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
  tt.descriptor_store %d[%c0, %c0], %v : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  return
}

// A leading dimension that the value has not is a condition.
// CHECK-LABEL: func @fewer_dimensions
// CHECK: %[[C:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: arith.select %[[C]], %{{.*}}, %c0{{.*}} : index
// CHECK: flir.load {{.*}} strides [1] extents [%{{.*}}] pad %{{.*}} : f32 -> tensor<16xf32>
func.func @fewer_dimensions(%x: !tt.ptr<f32>, %m: i32, %n: i32, %ld: i64, %row: i32) -> tensor<16xf32> {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %x, [%m, %n], [%ld, %one] : <f32>, <1x16xf32>
  %v = tt.descriptor_load %d[%row, %c0] : !tt.tensordesc<1x16xf32> -> tensor<16xf32>
  return %v : tensor<16xf32>
}

// CHECK-LABEL: func @rows
// CHECK: %[[R:.*]] = arith.muli %{{.*}}, %{{.*}} : tensor<32xi64>
// CHECK: %[[V:.*]] = flir.load {{.*}} strides [0, 1] extents [32, %{{.*}}] indirect [0](%[[R]] : tensor<32xi64>) mask %{{.*}} : tensor<32x16xi1>
// CHECK: flir.store %[[V]], {{.*}} indirect [0](%[[R]] : tensor<32xi64>) mask
func.func @rows(%x: !tt.ptr<f32>, %m: i32, %n: i32, %ld: i64, %rows: tensor<32xi32>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %x, [%m, %n], [%ld, %one] : <f32>, <1x16xf32>
  %v = tt.descriptor_gather %d[%rows, %c0] : (!tt.tensordesc<1x16xf32>, tensor<32xi32>, i32) -> tensor<32x16xf32>
  tt.descriptor_scatter %d[%rows, %c0], %v : !tt.tensordesc<1x16xf32>, tensor<32xi32>, i32, tensor<32x16xf32>
  return
}

// -----

func.func @an_origin_that_cannot_be_followed(%d: !tt.tensordesc<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : i32
  // expected-error @+1 {{the origin of this access's tensor descriptor cannot be followed: make it in the kernel, near the access}}
  %v = tt.descriptor_load %d[%c0] : !tt.tensordesc<16xf32> -> tensor<16xf32>
  return %v : tensor<16xf32>
}
