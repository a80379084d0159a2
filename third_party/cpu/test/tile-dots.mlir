// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-tile-dots))' -split-input-file | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: flagtree-opt %s -pass-pipeline='builtin.module(flir-set-hardware{spec={#dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"vector_bytes" = 64 : i64, "vector_registers" = 32 : i64>>}},func.func(cpu-tile-dots))' -split-input-file | FileCheck %s --check-prefixes=CHECK,AVX512

// Half of the registers are accumulators: 4 x 16 elements, or 4 x 64.
// CHECK-LABEL: func @square
// AVX2: scf.for %[[M:.*]] = %{{.*}} to %c64{{.*}} step %c4
// AVX2: scf.for %[[N:.*]] = %{{.*}} to %c64{{.*}} step %c16
// AVX2-COUNT-8: vector.load %arg2{{.*}} vector<8xf32>
// AVX2: scf.for %[[K:.*]] = %{{.*}} to %c32{{.*}} step %c4
// AVX2-COUNT-2: vector.load %arg1{{.*}} vector<8xf32>
// AVX2: memref.load %arg0[%[[M]], %[[K]]]
// AVX2-COUNT-32: vector.fma {{.*}} vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: scf.yield
// AVX2-COUNT-8: vector.store {{.*}} %arg2
// AVX512: scf.for %[[M:.*]] = %{{.*}} to %c64{{.*}} step %c4
// AVX512: scf.for
// AVX512-COUNT-64: vector.fma {{.*}} vector<16xf32>
// AVX512: scf.yield
// CHECK-NOT: linalg.matmul
func.func @square(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// CHECK-LABEL: func @overwrites
// CHECK-NOT: vector.load %arg2
// CHECK: vector.store
func.func @overwrites(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {cpu.overwrites} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// More than 1,024 products of bytes are not exact in fp32.
// CHECK-LABEL: func @bytes
// CHECK: vector.fma
// CHECK: vector.store {{.*}} vector<2xi32>
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %c4096{{.*}} step %c1024
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %c1024
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// CHECK: vector.fma
// CHECK: arith.fptosi {{.*}} to vector<2xi32>
// CHECK: arith.addi {{.*}} : vector<2xi32>
// CHECK: vector.store {{.*}} vector<2xi32>
func.func @bytes(%a: memref<1x4096xf32>, %b: memref<4096x2xf32>, %c: memref<1x2xi32>) {
  linalg.matmul {cpu.overwrites} ins(%a, %b : memref<1x4096xf32>, memref<4096x2xf32>) outs(%c : memref<1x2xi32>)
  return
}

// -----

// CHECK-LABEL: func @half
// CHECK: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
func.func @half(%a: memref<2x4xf32>, %b: memref<4x8xf32>, %c: memref<2x8xf16>) {
  linalg.matmul ins(%a, %b : memref<2x4xf32>, memref<4x8xf32>) outs(%c : memref<2x8xf16>)
  return
}

// -----

// CHECK-LABEL: func @integers
// CHECK: arith.muli {{.*}} : vector<8xi32>
// CHECK: arith.addi {{.*}} : vector<8xi32>
func.func @integers(%a: memref<2x4xi32>, %b: memref<4x8xi32>, %c: memref<2x8xi32>) {
  linalg.matmul ins(%a, %b : memref<2x4xi32>, memref<4x8xi32>) outs(%c : memref<2x8xi32>)
  return
}

// -----

// Each of the 64 tiles asks for two of the 128 lines.
// CHECK-LABEL: func @fetches_ahead
// AVX2: scf.for %[[M:.*]] = %{{.*}} to %c64{{.*}} step %c4
// AVX2: scf.for %[[N:.*]] = %{{.*}} to %c64{{.*}} step %c16
// AVX2-COUNT-2: llvm.intr.prefetch
// AVX2-NOT: llvm.intr.prefetch
func.func @fetches_ahead(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c1 {
    %j = arith.index_cast %i : index to i64
    %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    "llvm.intr.prefetch"(%q) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  } {cpu.prefetch}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// CHECK-LABEL: func @layout_of_a_branch
// CHECK: %[[B:.*]] = memref.cast %arg1 : memref<32x64xf32, strided<[?, ?], offset: ?>> to memref<32x64xf32, strided<[?, 1], offset: ?>>
// CHECK: vector.load %[[B]]
func.func @layout_of_a_branch(%a: memref<64x32xf32>, %b: memref<32x64xf32, strided<[?, ?], offset: ?>>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32, strided<[?, ?], offset: ?>>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// Parts of blocks: loops end where the parts do, and what lies behind the last
// row of the left operand, which is no copy, is not read.
// CHECK-LABEL: func @parts
// CHECK: %[[ROWS:.*]] = memref.dim %arg2, %c0
// CHECK: %[[COLUMNS:.*]] = memref.dim %arg2, %c1
// CHECK: %[[DEPTH:.*]] = memref.dim %arg0, %c1
// CHECK: scf.for %[[M:.*]] = %{{.*}} to %[[ROWS]] step
// CHECK: %[[LAST:.*]] = arith.subi %[[ROWS]]
// CHECK: %[[ROW:.*]] = arith.minsi %[[M]], %[[LAST]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COLUMNS]] step
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[STEADY:.*]] = arith.subi %[[DEPTH]], %[[REST]]
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[STEADY]] step %c4
// CHECK: memref.load %arg0[%[[ROW]], %[[K]]]
// CHECK: scf.for %{{.*}} = %[[STEADY]] to %[[DEPTH]] step %c1
func.func @parts(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32, strided<[64, 1]>>, %c: memref<?x?xf32, strided<[64, 1]>>) {
  linalg.matmul {cpu.block = array<i64: 64, 64, 32>} ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[64, 1]>>) outs(%c : memref<?x?xf32, strided<[64, 1]>>)
  return
}
