// RUN: flagtree-opt %s --flir-read-hints --split-input-file | FileCheck %s

// CHECK-LABEL: func @each_kind_of_argument
// CHECK-NOT: flir.hint_notes
// CHECK: flir.load {{.*}} {flir.hints = [#flir.hint<dma>, #flir.hint<unroll, 2>, #flir.hint<layout, row, col>,
// CHECK-SAME: #flir.hint<tile, 16, "2 x", "(a, b)">, #flir.hint<name, "\22q, r\22">, #flir.hint<empty>]}
func.func @each_kind_of_argument(%x: !llvm.ptr, %o: index) -> tensor<4xf32> {
  %0 = flir.load %x[%o] strides [1] extents [4]
    {flagtree_hints = "dma, unroll=2,layout(row, col),tile( 16 , 2 x, (a, b)),name=\22q, r\22,empty(),"} -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What cannot be read is left out and told; what can be stays.
// CHECK-LABEL: func @malformed
// CHECK-SAME: hint = "=2", line = [[#]] : i64, outcome = "failed", pass = "flir-read-hints", reason = "malformed: a hint starts with its name"
// CHECK-SAME: hint = "2x", {{[^}]*}}reason = "malformed: a hint starts with its name"
// CHECK-SAME: hint = "unroll=", {{[^}]*}}reason = "malformed: a value is empty"
// CHECK-SAME: hint = "f(1, , 2)", {{[^}]*}}reason = "malformed: a value is empty"
// CHECK-SAME: hint = "\C3\BCg", {{[^}]*}}reason = "malformed: a hint starts with its name"
// CHECK-SAME: hint = "dma dma", {{[^}]*}}reason = "malformed: write name, name=value or name(value, value)"
// CHECK-SAME: hint = "layout(row, prefetch", {{[^}]*}}reason = "malformed: ')' is missing"
// CHECK: flir.load {{.*}} {flir.hints = [#flir.hint<dma>]}
func.func @malformed(%x: !llvm.ptr, %o: index) -> tensor<4xf32> {
  %0 = flir.load %x[%o] strides [1] extents [4]
    {flagtree_hints = "=2,dma,2x,unroll=,f(1, , 2),\C3\BCg,dma dma,layout(row, prefetch"} -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A number that 64 bits cannot hold is a word; a text that is none at all is dropped.
// CHECK-LABEL: func @odd
// CHECK: flir.load {{.*}} {flir.hints = [#flir.hint<unroll, "99999999999999999999">]}
// CHECK: flir.load %{{[^{]*}} -> tensor<4xf32>
// CHECK: flir.load %{{[^{]*}} -> tensor<4xf32>
func.func @odd(%x: !llvm.ptr, %o: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = flir.load %x[%o] strides [1] extents [4] {flagtree_hints = "unroll=99999999999999999999"} -> tensor<4xf32>
  %1 = flir.load %x[%o] strides [1] extents [4] {flagtree_hints = " "} -> tensor<4xf32>
  %2 = flir.load %x[%o] strides [1] extents [4] {flagtree_hints = 2 : i32} -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
