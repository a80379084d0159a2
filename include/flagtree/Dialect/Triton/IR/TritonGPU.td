// SPDX-License-Identifier: MIT
// What TTIR text uses of upstream's GPU dialect: one barrier.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::flagtree::ttg";
  let summary = "The barrier that Triton 3.7 and later print for `tl.debug_barrier`";
  let extraClassDeclaration = [{
    /// There are none: says that text with layouts comes from a later stage.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
  }];
}

def TTG_SpaceNone : I32BitEnumAttrCaseNone<"None", "none">;
def TTG_SpaceLocal : I32BitEnumAttrCaseBit<"Local", 0, "local">;
def TTG_SpaceGlobalRead : I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">;
def TTG_SpaceGlobalWrite : I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">;
def TTG_SpaceTensorRead : I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">;
def TTG_SpaceTensorWrite : I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">;
def TTG_SpaceAll : I32BitEnumAttrCaseGroup<"All", [TTG_SpaceLocal, TTG_SpaceGlobalRead, TTG_SpaceGlobalWrite,
                                                   TTG_SpaceTensorRead, TTG_SpaceTensorWrite], "all">;
def TTG_BarrierSpaces : I32BitEnumAttr<"BarrierSpaces", "memory that a barrier orders", [
    TTG_SpaceNone, TTG_SpaceLocal, TTG_SpaceGlobalRead, TTG_SpaceGlobalWrite, TTG_SpaceTensorRead,
    TTG_SpaceTensorWrite, TTG_SpaceAll]> {
  let cppNamespace = "::flagtree::ttg";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

def TritonGPU_BarrierOp : Op<TritonGPU_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait for all threads of the program";
  let description = "`ttg.barrier all`, `ttg.barrier local|global_read`";
  let arguments = (ins TTG_BarrierSpaces:$addrSpace);
  let assemblyFormat = "custom<BarrierSpaces>($addrSpace) attr-dict";
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONGPU_TD
