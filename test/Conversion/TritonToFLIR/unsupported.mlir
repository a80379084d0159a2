// RUN: flagtree-opt %s -convert-triton-to-flir -split-input-file -verify-diagnostics

func.func @combiner_with_a_loop(%x: tensor<64xf32>, %n: index) -> f32 {
  // expected-error @+1 {{operation 'tt.reduce' with this combine function is not supported yet by this backend (kernel 'combiner_with_a_loop')}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = scf.for %i = %n to %n step %n iter_args(%c = %a) -> (f32) {
      %d = arith.addf %c, %b : f32
      scf.yield %d : f32
    }
    tt.reduce.return %s : f32
  }) : (tensor<64xf32>) -> f32
  return %0 : f32
}

// -----

// Nothing of the function is changed before the error.
func.func @atomic(%x: !tt.ptr<f32>, %v: f32, %m: i1) {
  %0 = tt.load %x : !tt.ptr<f32>
  // expected-error @+1 {{operation 'tt.atomic_rmw' is not supported yet by this backend (kernel 'atomic')}}
  %1 = tt.atomic_rmw fadd, acq_rel, gpu, %x, %v, %m : (!tt.ptr<f32>, f32, i1) -> f32
  return
}
