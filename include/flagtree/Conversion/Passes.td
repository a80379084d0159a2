// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_CONVERSION_PASSES_TD
#define FLAGTREE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTritonFuncToFunc : Pass<"convert-triton-func-to-func", "::mlir::ModuleOp"> {
  let summary = "Turn Triton functions into func functions with the grid as arguments";
  let description = [{
    `tt.func`, `tt.return` and `tt.call` become their counterparts of the func
    dialect. Each function gets six more i32 arguments, the program's ids and
    the grid's sizes, which replace `tt.get_program_id` and
    `tt.get_num_programs`. Passes that know only func.func, such as inlining
    and the lifting of control flow, work from here on. A tensor descriptor
    among a kernel's arguments becomes its base, shape, strides and whether it
    pads with NaN.

    ```mlir
    tt.func public @k(%x: !tt.ptr<f32>) { %p = tt.get_program_id x : i32 … tt.return }
    // becomes
    func.func @k(%x: !tt.ptr<f32>, %px: i32, %py: i32, %pz: i32, %nx: i32, %ny: i32, %nz: i32) { … return }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def ConvertTritonToFLIR : Pass<"convert-triton-to-flir", "::mlir::ModuleOp"> {
  let summary = "Lower Triton's tensor programs to linalg on tensors and FLIR's accesses";
  let description = [{
    The pointers and masks of each load and store are analysed; what is affine
    becomes a `flir.load` or `flir.store` with offset, strides and extents,
    everything else a gather or scatter over addresses. Elementwise operations
    of arith and math stay as they are, on tensors; shape operations and
    reductions become linalg.

    ```mlir
    %m = arith.cmpi slt, %i, %n : tensor<64xi32>          // %i = splat(%o) + make_range
    %v = tt.load %p, %m : tensor<64x!tt.ptr<f32>>         // %p = splat(%x) + %i
    // becomes
    %e = arith.subi %n_index, %o_index : index
    %v = flir.load %x[%o_index] strides [1] extents [%e] pad %zero : f32 -> tensor<64xf32>
    ```

    With `fp-fusion` products, sums and differences that the program wrote are
    marked, so that the target may round a product and its sum once:

    ```mlir
    %p = arith.mulf %a, %b : tensor<64xf32>
    %s = arith.addf %p, %c : tensor<64xf32>
    // becomes
    %p = arith.mulf %a, %b fastmath<contract> : tensor<64xf32>
    %s = arith.addf %p, %c fastmath<contract> : tensor<64xf32>
    ```

    An operation that has no lowering yet is an error that names it.
  }];
  let options = [Option<"fpFusion", "fp-fusion", "bool", "false",
                        "A product and a sum may become one fused multiply-add">];
  let dependentDialects = ["::flagtree::flir::FLIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertFLIRToLLVM : Pass<"convert-flir-to-llvm", "::mlir::func::FuncOp"> {
  let summary = "Lower FLIR's accesses on vectors and scalars to loads and stores";
  let description = [{
    A row of a block whose elements lie side by side becomes one vector load or
    store, masked only where an extent or a mask can exclude an element; other
    strides become hardware gathers and scatters.

    ```mlir
    %v = flir.load %x[%o] strides [1] extents [16] -> vector<16xf32>
    // becomes
    %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    ```

    Where the function says with `flir.stored_bytes` how much a program stores,
    and the whole grid stores more than the device's `streaming_bytes`, aligned
    stores bypass the cache: it could not hold the result, and filling a line
    costs reading it. Rows that are stored one after the other share the branch:

    ```mlir
    flir.store %v, %x[%o] strides [1] extents [16] : vector<16xf32>
    flir.store %w, %x[%next] strides [1] extents [16] : vector<16xf32>
    // becomes
    %bits = arith.ori %p_address, %q_address : i64
    %low = arith.andi %bits, %c63 : i64
    %aligned = arith.cmpi eq, %low, %c0 : i64
    %both = arith.andi %much_is_stored, %aligned : i1
    scf.if %both {
      llvm.store %v, %p {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
      llvm.store %w, %q {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
    } else {
      llvm.store %v, %p {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
      llvm.store %w, %q {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def ConvertFLIRAtomicsToLLVM : Pass<"convert-flir-atomics-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower FLIR's atomic accesses on vectors and scalars to loops over atomic instructions";
  let description = [{
    Values of a block are put into a buffer on the stack, from which a loop
    takes them one by one. Extents are bounds of the loop and not masks. Sums
    and limits of 16-bit floats become loops around a compare and swap.

    ```mlir
    flir.atomic_rmw add relaxed device %v, %x[%o] strides [1] extents [%e] : vector<16xi32>
    // becomes
    vector.store %v, %buffer[%c0] : memref<16xi32>, vector<16xi32>
    scf.for %i = %c0 to %clamped {
      %each = memref.load %buffer[%i] : memref<16xi32>
      %p = llvm.getelementptr %x[%o + %i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.atomicrmw add %p, %each monotonic : !llvm.ptr, i32
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ConvertFLIRProgramToLLVM : Pass<"convert-flir-program-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower FLIR's prints and assertions to calls of the host";
  let description = [{
    Runs on tensors, before they are tiled: what is printed must exist as a
    whole. An assertion tells where it was written.

    ```mlir
    flir.assert %ok, "index past the end"
    // becomes
    scf.if %failed { llvm.call %fail(%context, %px, %py, %pz, %text) }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // FLAGTREE_CONVERSION_PASSES_TD
