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
func.func @assembly(%x: !tt.ptr<i32>) {
  %0 = tt.load %x : !tt.ptr<i32>
  // expected-error @+1 {{operation 'tt.elementwise_inline_asm' is not supported yet by this backend (kernel 'assembly')}}
  %1 = tt.elementwise_inline_asm "neg.s32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %0 : i32 -> i32
  return
}
