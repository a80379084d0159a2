// RUN: flagtree-opt %s -pass-pipeline='builtin.module(func.func(cpu-store-booleans))' | FileCheck %s

// A vector of booleans in memory would be packed bits, in groups that depend on its length.
// CHECK-LABEL: func @write
// CHECK: %[[BYTES:.*]] = arith.extui %arg0 : vector<16xi1> to vector<16xi8>
// CHECK: llvm.store %[[BYTES]], %{{.*}} {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
func.func @write(%v: vector<16xi1>, %m: memref<32xi1>, %i: index) {
  vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<16xi1>, memref<32xi1>
  return
}

// CHECK-LABEL: func @read
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK: arith.trunci %[[BYTES]] : vector<8xi8> to vector<8xi1>
func.func @read(%m: memref<4x32xi1>, %i: index) -> vector<8xi1> {
  %f = arith.constant false
  %v = vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<4x32xi1>, vector<8xi1>
  return %v : vector<8xi1>
}

// CHECK-LABEL: func @others_stay
// CHECK: vector.transfer_read
// CHECK: memref.load %arg1
func.func @others_stay(%m: memref<32xi8>, %n: memref<32xi1>, %i: index) -> (vector<8xi8>, i1) {
  %z = arith.constant 0 : i8
  %v = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<32xi8>, vector<8xi8>
  %s = memref.load %n[%i] : memref<32xi1>
  return %v, %s : vector<8xi8>, i1
}
