// SPDX-License-Identifier: MIT
// Atomic accesses.
#ifndef FLAGTREE_DIALECT_TRITON_IR_TRITONOPSATOMIC_TD
#define FLAGTREE_DIALECT_TRITON_IR_TRITONOPSATOMIC_TD

include "flagtree/Dialect/Triton/IR/TritonOpBase.td"

class Triton_AtomicOp<string mnemonic, list<Trait> traits = []>
    : Triton_Op<mnemonic, traits # [MemoryEffects<[MemRead, MemWrite]>]> {
  let hasVerifier = 1;
}

def Triton_AtomicRMWOp : Triton_AtomicOp<"atomic_rmw"> {
  let summary = "Update memory and give the old value";
  let description = [{
    `%0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %m : (!tt.ptr<i32>, i32, i1) -> i32`
  }];
  let arguments = (ins TT_AtomicOp:$atomic_rmw_op, TT_PtrLike:$ptr, TT_ScalarOrTensor:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
}

def Triton_AtomicCASOp : Triton_AtomicOp<"atomic_cas"> {
  let summary = "Write a value where memory holds the expected one, and give the old value";
  let description = "`%0 = tt.atomic_cas acq_rel, gpu, %p, %cmp, %v : (!tt.ptr<i32>, i32, i32) -> i32`";
  let arguments = (ins TT_PtrLike:$ptr, TT_ScalarOrTensor:$cmp, TT_ScalarOrTensor:$val, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def Triton_AtomicLoadOp : Triton_AtomicOp<"atomic_load"> {
  let summary = "Read with a memory order";
  let description = "`%0 = tt.atomic_load acquire, gpu, %p, %m : (!tt.ptr<i32>, i1) -> i32`";
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_ScalarOrTensor:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)";
}

def Triton_AtomicStoreOp : Triton_AtomicOp<"atomic_store", [
    TypesMatchWith<"'val' has the type that 'ptr' points to", "ptr", "val", "::flagtree::tt::getPointeeType($_self)">,
    TypesMatchWith<"'mask' is i1 with the shape of 'ptr'", "ptr", "mask", "::flagtree::tt::getMaskType($_self)",
                   "$_op.getNumOperands() < 3 || ::std::equal_to<>()">]> {
  let summary = "Write with a memory order";
  let description = "`tt.atomic_store release, gpu, %p, %v, %m : !tt.ptr<i32>`";
  let arguments = (ins TT_PtrLike:$ptr, TT_ScalarOrTensor:$val, Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` type($ptr)";
}

def Triton_AtomicPollOp : Triton_AtomicOp<"atomic_poll"> {
  let summary = "Wait until memory holds the expected value, or until a time in ns has passed";
  let description = [{
    The result says whether the value was seen.

    `%0 = tt.atomic_poll acquire, gpu, %p, %v timeout %t : !tt.ptr<i32>, i32 -> i1`
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$expected, Optional<I64>:$timeout_ns, TT_MemSemantic:$sem,
                       TT_MemSyncScope:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout_ns^)? attr-dict
    `:` type($ptr) `,` type($expected) `->` type($result)
  }];
}

#endif // FLAGTREE_DIALECT_TRITON_IR_TRITONOPSATOMIC_TD
