// RUN: flagtree-opt %s -split-input-file -flir-tile-and-fuse -canonicalize | FileCheck %s

// A tile of a loop that streams through memory is a line of the cache.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"cache_line_bytes" = 128 : i64>>} {
  // CHECK-LABEL: func @line
  // CHECK: flir.load {{.*}} -> tensor<32xf32>
  func.func @line(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
    %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xf32>
    flir.store %v, %y[%o] strides [1] extents [1024] : tensor<1024xf32>
    return
  }
}

// -----

// One of a few narrow registers is less than that.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"vector_bytes" = 8 : i64>>} {
  // CHECK-LABEL: func @register
  // CHECK: flir.load {{.*}} -> tensor<8xf32>
  func.func @register(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
    %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xf32>
    flir.store %v, %y[%o] strides [1] extents [1024] : tensor<1024xf32>
    return
  }
}

// -----

// Without a spec, and with one that says something else, it is 64 bytes.
// CHECK-LABEL: func @neither
// CHECK: flir.load {{.*}} -> tensor<16xf32>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"cache_line_bytes" = "many">>} {
  func.func @neither(%x: !llvm.ptr, %y: !llvm.ptr, %o: index) {
    %v = flir.load %x[%o] strides [1] extents [1024] -> tensor<1024xf32>
    flir.store %v, %y[%o] strides [1] extents [1024] : tensor<1024xf32>
    return
  }
}
