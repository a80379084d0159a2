// RUN: flagtree-opt %s -flir-set-hardware='spec={#dlti.target_system_spec<"npu" = #dlti.target_device_spec<"cores" = 8 : i64, "memory" = #dlti.map<"shared" = #dlti.map<"bytes" = 196608 : i64>>>>}' | FileCheck %s
// RUN: not flagtree-opt %s -flir-set-hardware='spec={"npu"}' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not flagtree-opt %s -flir-set-hardware 2>&1 | FileCheck %s --check-prefix=WRONG

// What was said before is replaced.
// CHECK: module attributes {dlti.target_system_spec = #dlti.target_system_spec<"npu" = #dlti.target_device_spec<
// CHECK-SAME: "cores" = 8 : i64, "memory" = #dlti.map<"shared" = #dlti.map<"bytes" = 196608 : i64>>>>}
// WRONG: flir-set-hardware wants spec={#dlti.target_system_spec<
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"cores" = 1 : i64>>} {}
