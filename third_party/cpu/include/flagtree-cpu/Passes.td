// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CPU_PASSES_TD
#define FLAGTREE_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CpuExpandCasts : Pass<"cpu-expand-casts", "::mlir::func::FuncOp"> {
  let summary = "Expand narrowing conversions of floats that the code generator has no instructions for";
  let description = [{
    From fp64 to fp16 or bf16 LLVM calls a function of the compiler's own
    runtime, which no process exports, and so it does wherever it takes single
    bf16 out of a vector; towards zero it has no code for vectors. All become
    conversions to nearest and work on the bits: fp64 goes through fp32 rounded
    to odd, so that the second rounding is the only one, arithmetic on bf16 is
    done in fp32, and what only moves bf16 moves 16-bit integers. Integers
    become bf16 through a type that holds them. 8-bit floats are converted in
    their bits, from and to fp32; what is too large becomes the largest number.

    ```mlir
    %r = arith.truncf %x : f64 to f16
    // becomes
    %t = arith.truncf %x : f64 to f32   // then, where inexact, towards zero with the last bit set
    …
    %r = arith.truncf %odd : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def CpuCallLibm : Pass<"cpu-call-libm", "::mlir::ModuleOp"> {
  let summary = "Call libm for functions of math that LLVM has no operation for";
  let description = [{
    What neither a polynomial nor an intrinsic of LLVM computes, such as `erf`
    of fp64, becomes a call for each element; of vectors, in a loop over buffers
    on the stack.

    ```mlir
    %r = math.erf %x : f64
    %s = flir.extern "tgammaf"(%y) : (f32) -> f32
    // becomes
    %r = call @erf(%x) : (f64) -> f64
    %s = call @tgammaf(%y) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def CpuMakeEntry : Pass<"cpu-make-entry", "::mlir::ModuleOp"> {
  let summary = "Give the kernel an entry that runs a range of the grid's programs";
  let description = [{
    The kernel's body moves into a loop over programs, in a function with its
    name and the signature that the launcher calls. Ids advance by counting, x
    fastest, so that no division is made for each program. All programs of a
    range use the same buffers on the stack. Programs that call the host use the
    context of the launch, which the grid's sizes open.

    ```mlir
    func.func @k(%x: !llvm.ptr, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) { body }
    // becomes
    func.func @k(%args: !llvm.ptr, %grid: !llvm.ptr, %begin: i64, %end: i64) {
      %x = llvm.load %args …
      scf.for %each = %begin to %end step %c1 iter_args(%px, %py, %pz) { body … scf.yield … }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def CpuPlaceBuffers : Pass<"cpu-place-buffers", "::mlir::ModuleOp"> {
  let summary = "Make buffers of static size once a program, on the stack while they fit";
  let description = [{
    Allocations move to the start of the function, out of all loops. They become
    `memref.alloca` while they take no more than `stack-bytes` together; the
    others lie in memory that the host keeps for the thread, and whose lack ends
    the launch with an error.

    A buffer that a loop carries into its next iteration gets one place more
    than there are carried values that may lie in it; an iteration takes one
    that is free.

    ```mlir
    scf.for … iter_args(%old = %b) { %a = memref.alloc() … scf.yield %a }
    // becomes
    %p = memref.alloca()
    %q = memref.alloca()
    scf.for … iter_args(%old = %b) { %a = arith.select %p_is_old, %q, %p … scf.yield %a }
    ```
  }];
  let options = [Option<"stackBytes", "stack-bytes", "int64_t", "262144", "Bytes of stack that a program may use">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CpuGuardDivision : Pass<"cpu-guard-division", "::mlir::func::FuncOp"> {
  let summary = "Keep integer divisions from trapping";
  let description = [{
    A GPU gives some number for a division by zero, and lanes behind a mask
    divide by whatever the pad value is; a CPU ends the process. Divisors that
    would trap become 1, which is right for the smallest number over -1.

    ```mlir
    %q = arith.divui %a, %b : i32
    // becomes
    %zero = arith.cmpi eq, %b, %c0 : i32
    %safe = arith.select %zero, %c1, %b : i32
    %q = arith.divui %a, %safe : i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuPrepareDots : Pass<"cpu-prepare-dots", "::mlir::func::FuncOp"> {
  let summary = "Bring the operands of matrix products into the type that they are computed in";
  let description = [{
    Batches become loops over single products. Operands of 8 and 16 bits are
    widened to fp32 where they are packed, so that each element is converted
    once and not once for each use; 8-bit integers too, whose sums of up to
    1,024 products are exact in fp32. A product that is added to zero
    overwrites what it is written to.

    ```mlir
    %c = linalg.matmul ins(%a, %b : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%zero : tensor<64x64xf32>)
    // becomes
    %x = arith.extf %a : tensor<64x32xbf16> to tensor<64x32xf32>
    %y = arith.extf %b : tensor<32x64xbf16> to tensor<32x64xf32>
    %c = linalg.matmul {cpu.overwrites} ins(%x, %y) outs(%empty)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CpuPrefetchAhead : Pass<"cpu-prefetch-ahead", "::mlir::func::FuncOp"> {
  let summary = "Fetch what comes next while a loop leaves memory idle";
  let description = [{
    A loop over tiles that computes functions of math fetches the lines that a
    later loop writes, and what lies behind the block that it reads; one that
    goes over a row again, which an earlier loop has read, fetches what lies
    behind the row: as a rule the next program's. Fetching never faults.

    ```mlir
    scf.for %s = 0 to %n step 256 { scf.for %t = 0 to 256 step 16 { flir.load %x[%row + %s + %t] … } }
    scf.for %s = 0 to %n step 256 { scf.for %t = 0 to 256 step 16 { flir.load %x[%row + %s + %t] … } }
    // becomes, in the second one
    llvm.intr.prefetch %x + (%row + %s + %n + %t) * 4
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def CpuPrefetchHinted : Pass<"cpu-prefetch-hinted", "::mlir::func::FuncOp"> {
  let summary = "Fetch early what loads with the hint `prefetch` will read";
  let description = [{
    Beside each tile that such a load reads, the same tile of the block that it
    reads some iterations of the program's loop later is asked for. Numbers that
    tell where that is are read early too, if that iteration reads them in any
    case. Where it cannot be known that early nothing is done; `flir.hint_notes`
    of the function says what became of each hint.

    ```mlir
    scf.for %k = %c0 to %n step %c1 : i32 { scf.for %t = 0 to 1024 step 16 {
      %v = flir.load %x[%k * %ld + %t] … {flir.hints = [#flir.hint<prefetch, 2>]}
    }}
    // becomes
    scf.for %k = %c0 to %n step %c1 : i32 { scf.for %t = 0 to 1024 step 16 {
      llvm.intr.prefetch %x + ((%k + 2) * %ld + %t) * 4
      %v = flir.load %x[%k * %ld + %t] …
    }}
    ```
  }];
  let options = [Option<"injectFailure", "inject-failure", "std::string", "\"\"",
                        "For tests: `error` or `invalid`, how each attempt goes wrong">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def CpuMergeProductSteps : Pass<"cpu-merge-product-steps", "::mlir::func::FuncOp"> {
  let summary = "Multiply blocks that are deeper than the kernel's";
  let description = [{
    A loop that adds up products of blocks next to each other along K takes
    several of them at once, up to a depth of 64 and as far as what is packed
    stays in the first level of cache: the result is read and written less often,
    and fewer pages are walked at a time. The last iteration may go past the
    loop's end, where nothing is read.

    ```mlir
    scf.for %i = 0 to %n step 1 iter_args(%o = %c0, %sum = %zero) {
      %a = flir.load %x[%o] strides [%ld, 1] extents [64, %k] pad %z : f32 -> tensor<64x32xf32>
      %b = flir.load …
      %s = linalg.matmul ins(%a, %b) outs(%sum)
    // becomes
    scf.for %i = 0 to %n step 2 iter_args(%o = %c0, %sum = %zero) {
      %left = (%n - %i) * 32
      %both = arith.minsi %k, %left
      %a = flir.load %x[%o] strides [%ld, 1] extents [64, %both] pad %z : f32 -> tensor<64x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def CpuBoundProducts : Pass<"cpu-bound-products", "::mlir::func::FuncOp"> {
  let summary = "Compute only what is stored of matrix products, from what is not padding";
  let description = [{
    Rows and columns of a result that every store leaves out are not computed,
    and positions along K where both operands are padded with zero are skipped:
    the product is one of parts of the blocks. Reads need no masks within the
    parts, and indices that wrap around (`% M`) do not within the rows that are
    stored, where the extent is what is left to M.

    ```mlir
    %a = flir.load %x[%o] strides [%ld, 1] extents [64, %k] pad %z : f32 -> tensor<64x32xf32>
    %b = flir.load %y[%p] strides [%ldb, 1] extents [%k, 64] pad %z : f32 -> tensor<32x64xf32>
    %c = linalg.matmul ins(%a, %b) outs(%sum)
    // becomes
    %a = flir.load %x[%o] strides [%ld, 1] extents [64, %k] {cpu.inside} -> tensor<64x32xf32>
    %b = flir.load %y[%p] strides [%ldb, 1] extents [%k, 64] {cpu.inside} -> tensor<32x64xf32>
    %pa = tensor.extract_slice %a[0, 0] [64, %kk] [1, 1]
    …
    %pc = linalg.matmul {cpu.block = array<i64: 64, 64, 32>} ins(%pa, %pb) outs(%psum)
    %c = tensor.insert_slice %pc into %sum[0, 0] [64, 64] [1, 1]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CpuStageOperands : Pass<"cpu-stage-operands", "::mlir::func::FuncOp"> {
  let summary = "Copy whole operands of matrix products without masks and fetch the next ones ahead";
  let description = [{
    Operands of products are copied into buffers that stay in the cache. A block
    that lies inside its extents is copied by a version of its own without masks.
    In a loop, the lines of the next iteration's block are asked for, so that
    memory delivers them while this one's product is computed.

    ```mlir
    %a = flir.load %x[%off] strides [%ld, 1] extents [64, %k] pad %zero : f32 -> tensor<64x32xf32>
    // becomes
    %a = scf.if %k >= 32 {
      %full = flir.load %x[%off] strides [%ld, 1] extents [64, 32] pad %zero : f32 -> tensor<64x32xf32>
      scf.yield %full
    } else { … as before … }
    scf.for %line = 0 to 128 { llvm.intr.prefetch … } {cpu.prefetch}
    %c = linalg.matmul ins(%a, …)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def CpuStoreBooleans : Pass<"cpu-store-booleans", "::mlir::func::FuncOp"> {
  let summary = "Keep blocks of booleans in memory as bytes";
  let description = [{
    LLVM packs a vector of booleans into bits when it is stored, so that a buffer
    that is written in tiles of 16 cannot be read in tiles of 32.

    ```mlir
    vector.transfer_write %v, %m[%i] : vector<16xi1>, memref<32xi1>
    // becomes
    %bytes = arith.extui %v : vector<16xi1> to vector<16xi8>
    llvm.store %bytes, %address : vector<16xi8>, !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def CpuTileDots : Pass<"cpu-tile-dots", "::mlir::func::FuncOp"> {
  let summary = "Turn matrix products on buffers into loops over tiles that registers hold";
  let description = [{
    Each tile of the result stays in registers over the whole of K: one row of
    the right operand is multiplied by one element of each row of the left one.

    ```mlir
    linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    // becomes
    scf.for %n = 0 to 64 step 64 { scf.for %m = 0 to 64 step 4 {
      %sums = scf.for %k = 0 to 32 iter_args(16 vectors) { vector.fma … }
      vector.store …
    }}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // FLAGTREE_CPU_PASSES_TD
