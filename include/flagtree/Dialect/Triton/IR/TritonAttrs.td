// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONATTRS_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONATTRS_TD

include "flagtree/Dialect/Triton/IR/TritonDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

// Numbers are those of upstream: they appear in the generic form.
class Triton_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::flagtree::tt";
}

def TT_Axis : Triton_Enum<"Axis", "axis of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def TT_CacheModifier : Triton_Enum<"CacheModifier", "which caches an access uses", [
  I32EnumAttrCase<"None", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">, I32EnumAttrCase<"CG", 3, "cg">,
  I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">]>;

def TT_EvictionPolicy : Triton_Enum<"EvictionPolicy", "when a cache line may go", [
  I32EnumAttrCase<"Normal", 1, "evict_normal">, I32EnumAttrCase<"First", 2, "evict_first">,
  I32EnumAttrCase<"Last", 3, "evict_last">]>;

def TT_PaddingOption : Triton_Enum<"PaddingOption", "value of elements outside the tensor", [
  I32EnumAttrCase<"Zero", 1, "pad_zero">, I32EnumAttrCase<"NaN", 2, "pad_nan">]>;

def TT_AtomicOp : Triton_Enum<"AtomicOp", "what an atomic update does", [
  I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">, I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"Add", 4, "add">, I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
  I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"UMin", 9, "umin">,
  I32EnumAttrCase<"Exchange", 10, "exch">]>;

def TT_DescriptorReduceKind : Triton_Enum<"DescriptorReduceKind", "what a reduction into memory does", [
  I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Inc", 4, "inc">, I32EnumAttrCase<"Dec", 5, "dec">, I32EnumAttrCase<"And", 6, "and">,
  I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">]>;

def TT_MemSemantic : Triton_Enum<"MemSemantic", "memory order", [
  I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
  I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcquireRelease", 4, "acq_rel">]>;

def TT_MemSyncScope : Triton_Enum<"MemSyncScope", "who takes part in the memory order", [
  I32EnumAttrCase<"GPU", 1, "gpu">, I32EnumAttrCase<"CTA", 2, "cta">, I32EnumAttrCase<"System", 3, "sys">]>;

def TT_InputPrecision : Triton_Enum<"InputPrecision", "precision of the operands of a dot", [
  I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">, I32EnumAttrCase<"IEEE", 2, "ieee">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">, I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def TT_RoundingMode : Triton_Enum<"RoundingMode", "rounding of a narrowing conversion", [
  I32EnumAttrCase<"RTZ", 0, "rtz">, I32EnumAttrCase<"RTNE", 1, "rtne">]>;

def TT_PropagateNan : Triton_Enum<"PropagateNan", "whether a NaN operand makes the result NaN", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 0xFFFF, "all">]>;

def TT_ScaleDotElemType : Triton_Enum<"ScaleDotElemType", "element format of a scaled dot operand", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">, I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">, I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">]>;

def Triton_CachePolicyAttr : AttrDef<Triton_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "Cache modifier and eviction policy of a load or store";
  let description = [{
    `#tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>`.
    An access without it uses the default, `none` and `evict_normal`.
  }];
  let parameters = (ins EnumParameter<TT_CacheModifier>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicy>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONATTRS_TD
