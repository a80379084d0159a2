// RUN: flagtree-opt %s -convert-triton-to-flir=fp-fusion=true | FileCheck %s
// RUN: flagtree-opt %s -convert-triton-to-flir | FileCheck %s --check-prefix=OFF

// OFF-NOT: contract

// CHECK-LABEL: func.func @product_and_sum
// CHECK: %[[P:.*]] = arith.mulf %arg0, %arg1 fastmath<contract> : tensor<64xf32>
// CHECK: arith.addf %[[P]], %arg2 fastmath<contract> : tensor<64xf32>
// CHECK: arith.subf %[[P]], %arg2 fastmath<nnan,contract> : tensor<64xf32>
// CHECK: arith.divf %[[P]], %arg2 fastmath<arcp> : tensor<64xf32>
func.func @product_and_sum(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %p = arith.mulf %a, %b : tensor<64xf32>
  %s = arith.addf %p, %c : tensor<64xf32>
  %d = arith.subf %p, %c fastmath<nnan> : tensor<64xf32>
  %q = arith.divf %p, %c : tensor<64xf32>
  return %s, %d, %q : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Sums within a reduction are the program's as well.
// CHECK-LABEL: func.func @reduction
// CHECK: arith.addf {{.*}} fastmath<contract> : f32
func.func @reduction(%a: tensor<64xf32>) -> f32 {
  %r = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32>) -> f32
  return %r : f32
}
