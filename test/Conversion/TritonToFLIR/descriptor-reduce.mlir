// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file -verify-diagnostics | FileCheck %s

// Elements outside of the tensor are not updated; the element type says how numbers compare.
// CHECK-LABEL: func @reduce
// CHECK: flir.atomic_rmw umin relaxed device %{{.*}}, %{{.*}}[%{{.*}}] strides [%{{.*}}, 1] extents [%{{.*}}, %{{.*}}] : tensor<8x16xi32>
// CHECK: flir.atomic_rmw max relaxed device
func.func @reduce(%x: tensor<8x16xi32>, %o: !tt.ptr<i32>, %m: i32, %n: i32, %s: i64, %i: i32, %j: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %o, [%m, %n], [%s, %c1] : !tt.ptr<i32>, !tt.tensordesc<8x16xui32>
  tt.descriptor_reduce min, %d[%i, %j], %x : !tt.tensordesc<8x16xui32>, tensor<8x16xi32>
  %e = tt.make_tensor_descriptor %o, [%m, %n], [%s, %c1] : !tt.ptr<i32>, !tt.tensordesc<8x16xsi32>
  tt.descriptor_reduce max, %e[%i, %j], %x : !tt.tensordesc<8x16xsi32>, tensor<8x16xi32>
  return
}

// -----

func.func @no_such_kind(%x: tensor<8x16xi32>, %o: !tt.ptr<i32>, %m: i32, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %o, [%m, %m], [%s, %c1] : !tt.ptr<i32>, !tt.tensordesc<8x16xui32>
  // expected-error@+1 {{reduces into memory by 'inc', which this element type does not have: use add, min, max, and, or, xor}}
  tt.descriptor_reduce inc, %d[%c0, %c0], %x : !tt.tensordesc<8x16xui32>, tensor<8x16xi32>
  return
}
