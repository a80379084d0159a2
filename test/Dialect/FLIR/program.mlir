// RUN: flagtree-opt %s -split-input-file -verify-diagnostics | flagtree-opt -split-input-file | FileCheck %s
// RUN: flagtree-opt %s -split-input-file -verify-diagnostics -canonicalize | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func @prints
// CHECK: flir.print " x: " hex = false signed = [1, 0](%{{.*}}, %{{.*}}) : tensor<4xi32>, f32
// CHECK: flir.print "here" hex = true signed = []()
func.func @prints(%x: tensor<4xi32>, %y: f32) {
  flir.print " x: " hex = false signed = [1, 0] (%x, %y) : tensor<4xi32>, f32
  flir.print "here" hex = true signed = [] ()
  return
}

// -----

// What is known to hold needs no look; what is not stays, even twice.
// CHECK-LABEL: func @asserts
// CHECK: flir.assert %{{.*}}, "always"
// CANON-LABEL: func @asserts
// CANON-NOT: "always"
// CANON-COUNT-2: flir.assert %{{.*}}, "maybe"
func.func @asserts(%c: i1) {
  %true = arith.constant true
  flir.assert %true, "always"
  flir.assert %c, "maybe"
  flir.assert %c, "maybe"
  return
}

// -----

func.func @signs(%x: tensor<4xi32>) {
  // expected-error @+1 {{'flir.print' op expects one sign for each of 1 values, got 2}}
  flir.print " x: " hex = false signed = [1, 0] (%x) : tensor<4xi32>
  return
}
