// RUN: flagtree-opt %s -split-input-file -convert-flir-to-llvm | FileCheck %s

// A launch that stores more than the cache keeps goes past it: 2^20 bytes, 4,096 a program.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"streaming_bytes" = 1048576 : i64>>} {
  // CHECK-LABEL: func @much
  // CHECK: %[[LIMIT:.*]] = arith.constant 256 : i64
  // CHECK: %[[MORE:.*]] = arith.cmpi ugt, %{{.*}}, %[[LIMIT]]
  // CHECK: arith.andi %[[MORE]]
  // CHECK: llvm.store {{.*}} {alignment = 64 : i64, nontemporal}
  func.func @much(%x: !llvm.ptr, %v: vector<16xf32>, %o: index, %i: i32, %j: i32, %k: i32, %a: i32, %b: i32, %c: i32)
      attributes {flir.stored_bytes = 4096 : i64} {
    flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
    return
  }
}

// -----

// Nothing is said of the device: all stores go through the cache.
// CHECK-LABEL: func @unknown
// CHECK-NOT: nontemporal
// CHECK: return
func.func @unknown(%x: !llvm.ptr, %v: vector<16xf32>, %o: index, %i: i32, %j: i32, %k: i32, %a: i32, %b: i32, %c: i32)
    attributes {flir.stored_bytes = 4096 : i64} {
  flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
  return
}
