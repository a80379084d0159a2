// RUN: not flagtree-opt %s 2>&1 | FileCheck %s
// A text that ends too early is refused at its last line.
// CHECK: truncated.mlir:[[#@LINE+3]]:{{.*}}: error: expected operation name
tt.func @cut_off(%x: !tt.ptr<f32>) {
  %0 = tt.load %x : !tt.ptr<f32>
  tt.store %x, %0 : !tt.ptr<f32>
