// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_TRANSFORMS_PASSES_TD
#define FLAGTREE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FLIRReadHints : Pass<"flir-read-hints", "::mlir::func::FuncOp"> {
  let summary = "Turn the text of hints into attributes";
  let description = [{
    The front end writes the hints of a statement as text on its operations:
    `name`, `name=value` or `name(value, value)` between commas. A piece that
    cannot be read is left out, and `flir.hint_notes` of the function says why.

    ```mlir
    %v = flir.load %x[%o] strides [1] extents [64] {flagtree_hints = "dma,layout(row, col)"} -> tensor<64xf32>
    // becomes
    %v = flir.load %x[%o] strides [1] extents [64] {flir.hints = [#flir.hint<dma>, #flir.hint<layout, row, col>]}
      -> tensor<64xf32>
    ```
  }];
  let dependentDialects = ["::flagtree::flir::FLIRDialect"];
}

def FLIRSetHardware : Pass<"flir-set-hardware", "::mlir::ModuleOp"> {
  let summary = "Say on a module what device it is compiled for";
  let description = [{
    The device is MLIR's target spec; passes ask it (flagtree/Support/Hardware.h)
    and have no options of their own for it. The entries are those of the
    backend's hardware.toml: memories, vectors, the tags of what moves and
    shares blocks, and for the device at hand `vector_bytes`, `vector_registers`,
    `cache_line_bytes`, `streaming_bytes` and `cores`.

    ```mlir
    module { … }
    // becomes
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "cpu" = #dlti.target_device_spec<"vector_bytes" = 32 : i64, "memory" = #dlti.map<"l1" = …>>>} { … }
    ```
  }];
  let options = [Option<"spec", "spec", "std::string", "\"\"", "The attribute, as text">];
  let dependentDialects = ["::mlir::DLTIDialect"];
}

def FLIRUnrollHinted : Pass<"flir-unroll-hinted", "::mlir::func::FuncOp"> {
  let summary = "Repeat the bodies of loops for which the hint `unroll` asks";
  let description = [{
    While blocks are tensors: work on the blocks of several iterations then
    becomes one loop over register tiles, and a block that the loop carries is
    read and written once for all of them. Nothing is added up in another
    order. What is left of the iterations stays in a loop of its own.

    A loop that cannot be unrolled, that divides or computes functions of math,
    or of which unrolling left invalid IR, is as it was before; `flir.hint_notes` of the function says what became of
    each hint.

    ```mlir
    scf.for %i = %lo to %hi step %s { use(%i) } {flir.hints = [#flir.hint<unroll, 2>]}
    // becomes, with %between = %lo + (%hi - %lo) / (2 * %s) * (2 * %s)
    scf.for %i = %lo to %between step (2 * %s) { use(%i) use(%i + %s) }
    scf.for %i = %between to %hi step %s { use(%i) }
    ```
  }];
  let options = [Option<"injectFailure", "inject-failure", "std::string", "\"\"",
                        "For tests: `error` or `invalid`, how each attempt goes wrong">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

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

def FLIRNarrowAccumulators : Pass<"flir-narrow-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Carry one number instead of a block of which only the sum is used";
  let description = [{
    A loop that adds a block to a carried one in each iteration keeps that block
    in memory. Where only the sum of its elements is used afterwards, each
    iteration can sum up what it adds. Products, maxima and so on alike.

    ```mlir
    %acc = scf.for … iter_args(%a = %zeros) -> (tensor<256xf32>) { … %b = linalg.generic {arith.addf} (%a, %x) … }
    %sum = linalg.generic {arith.addf, "reduction"} (%acc)
    // becomes
    %sum = scf.for … iter_args(%s = %zero) -> (f32) {
      %p = linalg.generic {arith.addf, "reduction"} (%x)
      %t = arith.addf %s, %p : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FLIRTileAndFuse : Pass<"flir-tile-and-fuse", "::mlir::func::FuncOp"> {
  let summary = "Turn each store and reduction into a loop over register tiles with its producers fused";
  let description = [{
    The roots (stores, reductions and values that must exist as a whole) become
    loops over tiles of `unroll` vector registers along the innermost
    dimension. Producers are computed inside the loop, tile by tile, and loads
    are read there in place, unless a store that may alias lies between.
    Reductions keep a tile of partial results. A producer that is needed again
    later and is not cheap is kept in a buffer by the first loop that computes it.
    The hint `vectorize` on a root, on what is read in its loop or on the loop of
    the program around it says how many elements a tile has, unless the root adds
    up; `flir.hint_notes` of the function says what became of it.

    Two arguments of the kernel are taken for two buffers, or for the same
    elements at the same places. Where a read relies on it, `flir.distinct` says
    so: the argument read, the one written, and from how many bytes on and up to
    how many they must not be apart.

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
    Option<"unroll", "unroll", "int64_t", "4", "Registers that one tile fills for 4-byte elements">,
    Option<"distinctArguments", "distinct-arguments", "bool", "true",
           "Take two arguments for two buffers, and note where it matters">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FLIRExpandHistogram : Pass<"flir-expand-histogram", "::mlir::func::FuncOp"> {
  let summary = "Count the elements of a histogram one after the other";
  let description = [{
    For processors without an instruction that counts. What is outside of the
    bins or masked adds 0 to the first bin, so that no branch is mispredicted.

    ```mlir
    %h = flir.histogram %x : tensor<512xi32> -> tensor<64xi32>
    // becomes
    %h = scf.for %i = 0 to 512 iter_args(%c = zeros) {
      %v = tensor.extract %x[%i]
      …
      scf.yield tensor.insert %more into %c[%bin]
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FLIRVectorize : Pass<"flir-vectorize", "::mlir::func::FuncOp"> {
  let summary = "Turn register tiles from tensors into vectors";
  let description = [{
    linalg operations on tiles are vectorised by linalg's own vectoriser, FLIR's
    accesses change their block from a tensor to a vector, and values carried by
    a loop as tensors are carried as vectors. A loop that adds the sum of a
    vector's lanes to a number adds vectors, and sums up their lanes at its end.

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

def FLIRUnrollRows : Pass<"flir-unroll-rows", "::mlir::func::FuncOp"> {
  let summary = "Turn vectors of several dimensions into one vector for each row";
  let description = [{
    A register holds one row. Elementwise operations, accesses of memory and
    what loops carry are taken apart; dimensions of size 1 do not count, so a
    column is a row. A transposition of 2^a × 2^b elements becomes interleavings
    within the lanes of 128 bits that all targets do in one instruction, then
    exchanges of lanes: 24 instructions for 8 × 8 numbers of 32 bits.

    ```mlir
    %v = flir.load %x[%o] strides [%ld, 1] extents [2, 2] -> vector<2x2xf64>
    %t = vector.transpose %v, [1, 0] : vector<2x2xf64> to vector<2x2xf64>
    // becomes
    %a = flir.load %x[%o] strides [1] extents [2] -> vector<2xf64>
    %b = flir.load %x[%o + %ld] strides [1] extents [2] -> vector<2xf64>
    %0 = vector.shuffle %a, %b [0, 2] : vector<2xf64>, vector<2xf64>
    %1 = vector.shuffle %a, %b [1, 3] : vector<2xf64>, vector<2xf64>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def FLIRSplitLoops : Pass<"flir-split-loops", "::mlir::func::FuncOp"> {
  let summary = "Split tile loops into a steady part without masks and a masked tail";
  let description = [{
    Up to the last tile that lies wholly inside every extent no element can be
    excluded: those iterations run with full extents. The rest keeps its masks.
    Where a loop gives values, tiles outside of the extent read nothing but pad
    values and compute them once; where all that it does is store, it ends with
    the extent. Comparisons that say the same as the extent are settled too. Loops
    within a tail are not split, nor is a loop that computes much for each
    element: there only the stores come with and without a mask. Extents that an
    innermost loop does not change are asked once in front of it.

    ```mlir
    scf.for %t = 0 to 1024 step 64 { … extents [%e - %t] … }
    // becomes
    %full = min(%e, 1024) / 64 * 64
    scf.for %t = 0 to %full step 64 { … extents [64] … }
    if (%full < min(%e, 1024)) { … extents [%e - %full] … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
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
