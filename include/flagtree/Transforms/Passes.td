// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_TRANSFORMS_PASSES_TD
#define FLAGTREE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FLIRFuseElementwise : Pass<"flir-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise linalg operations where recomputing costs nothing";
  let description = [{
    A producer with one user is fused into it. One with several users is fused
    into each only while it is cheap (no division, no function of math), since
    each user then computes it again.

    ```mlir
    %a = linalg.generic {arith.addf} (%x, %y)
    %b = linalg.generic {arith.mulf} (%a, %z)
    // becomes
    %b = linalg.generic {arith.addf, arith.mulf} (%x, %y, %z)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def FLIRTileAndFuse : Pass<"flir-tile-and-fuse", "::mlir::func::FuncOp"> {
  let summary = "Turn each store and reduction into a loop over register tiles with its producers fused";
  let description = [{
    The roots (stores, reductions and values that must exist as a whole) become
    loops over tiles of `vector-bytes` × `unroll` bytes along the innermost
    dimension. Producers are computed inside the loop, tile by tile, and loads
    are read there in place, unless a store that may alias lies between.
    Reductions keep a tile of partial results. A producer that is needed again
    later and is not cheap is kept in a buffer by the first loop that computes it.

    ```mlir
    flir.store %sum, %o[%i] strides [1] extents [%e] : tensor<1024xf32>
    // becomes
    scf.for %t = %c0 to %c1024 step %c64 {
      %a = flir.load %x[%i + %t] strides [1] extents [%e - %t] -> tensor<64xf32>
      …
      flir.store %s, %o[%i + %t] strides [1] extents [%e - %t] : tensor<64xf32>
    }
    ```
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "32", "Bytes of one vector register of the target">,
    Option<"unroll", "unroll", "int64_t", "4", "Registers that one tile fills for 4-byte elements">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FLIRVectorize : Pass<"flir-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Turn register tiles from tensors into vectors";
  let description = [{
    linalg operations on tiles are vectorised by linalg's own vectoriser, FLIR's
    accesses change their block from a tensor to a vector, and values carried by
    a loop as tensors are carried as vectors.

    ```mlir
    %v = flir.load %x[%o] strides [1] extents [64] -> tensor<64xf32>
    %w = linalg.generic {arith.addf} ins(%v, %v)
    // becomes
    %v = flir.load %x[%o] strides [1] extents [64] -> vector<64xf32>
    %w = arith.addf %v, %v : vector<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::vector::VectorDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def FLIRSplitLoops : Pass<"flir-split-loops", "::mlir::func::FuncOp"> {
  let summary = "Split tile loops into a steady part without masks and a masked tail";
  let description = [{
    Up to the last tile that lies wholly inside every extent no element can be
    excluded: those iterations run with full extents. The rest keeps its masks.
    Where a loop gives values, tiles outside of the extent read nothing but pad
    values and compute them once; where all that it does is store, it ends with
    the extent. A loop that
    computes functions of math also fetches what a later loop writes, and what
    lies behind the block that it reads.

    ```mlir
    scf.for %t = 0 to 1024 step 64 { … extents [%e - %t] … }
    // becomes
    %full = min(%e, 1024) / 64 * 64
    scf.for %t = 0 to %full step 64 { … extents [64] … }
    scf.for %t = %full to min(%e, 1024) step 64 { … extents [%e - %t] … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def FLIRApproximateMath : Pass<"flir-approximate-math", "::mlir::func::FuncOp"> {
  let summary = "Expand functions of math on vectors into polynomials";
  let description = [{
    A call into libm for each element costs more than all other work of a
    kernel. fp32 vectors are expanded inline, with an error of at most two units
    in the last place (docs/math.md); fp16 and bf16 are computed in fp32. fp64
    and what has no good polynomial are left to libm, and so are vectors in
    which an argument of sin, cos or tan is beyond 65,536. Divisions that allow
    it (`arcp`) multiply by a reciprocal computed outside of the loop.

    ```mlir
    scf.for … { %q = arith.divf %v, %s fastmath<arcp> : vector<16xf32> } // %s = broadcast of a scalar
    // becomes
    %r = arith.divf %one, %scalar : f32
    scf.for … { %q = scf.if %normal { arith.mulf %v, broadcast(%r) } else { arith.divf %v, %s } }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // FLAGTREE_TRANSFORMS_PASSES_TD
