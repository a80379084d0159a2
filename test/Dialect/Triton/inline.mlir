// RUN: flagtree-opt %s -inline | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK-NOT:     tt.call @small
// CHECK:         "tt.reduce"
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:      tt.reduce.return %[[S]]
// CHECK:         tt.call @kept
// CHECK:         cf.cond_br
tt.func public @kernel(%x: tensor<4xf32>, %p: !tt.ptr<f32>, %n: i32) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = tt.call @small(%a, %b) : (f32, f32) -> f32
    tt.reduce.return %s : f32
  }) : (tensor<4xf32>) -> f32
  tt.call @kept(%p, %0) : (!tt.ptr<f32>, f32) -> ()
  %1 = tt.call @branching(%n) : (i32) -> f32
  tt.store %p, %1 : !tt.ptr<f32>
  tt.return
}

// As the front end prints it: a block that nothing reaches comes last.
// CHECK-NOT: @small
tt.func private @small(%a: f32, %b: f32) -> f32 attributes {noinline = false} {
  %0 = arith.addf %a, %b : f32
  tt.return %0 : f32
^bb1:
  %1 = ub.poison : f32
  tt.return %1 : f32
}

// CHECK: tt.func private @kept
tt.func private @kept(%p: !tt.ptr<f32>, %v: f32) attributes {noinline = true} {
  tt.store %p, %v : !tt.ptr<f32>
  tt.return
}

// CHECK-NOT: @branching
tt.func private @branching(%n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.cmpi slt, %n, %c0 : i32
  cf.cond_br %0, ^bb1, ^bb2
^bb1:
  %1 = arith.constant 1.0 : f32
  tt.return %1 : f32
^bb2:
  %2 = arith.sitofp %n : i32 to f32
  tt.return %2 : f32
}
