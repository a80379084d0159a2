// RUN: flagtree-opt %s --cpu-make-entry -verify-diagnostics -split-input-file

// expected-error @+1 {{kernel 'no_grid' does not take the grid's six i32 numbers last; kernels are written as tt.func}}
func.func @no_grid(%x: !llvm.ptr) {
  return
}

// -----

// expected-error @+1 {{kernel 'wide_grid' does not take the grid's six i32 numbers last}}
func.func @wide_grid(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64) {
  return
}

// -----

// expected-error @+1 {{kernel 'unstructured' has branches; they must be structured}}
func.func @unstructured(%px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) {
  cf.br ^end
^end:
  return
}
