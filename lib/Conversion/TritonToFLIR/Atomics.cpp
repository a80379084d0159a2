// SPDX-License-Identifier: MIT
// Atomic accesses of Triton become FLIR's: updates of an affine block keep
// their structure, everything else is done at addresses. This runs beside the
// rewriting of loads and stores, on Triton's own IR.
#include "Patterns.h"
#include "PtrAnalysis.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace flagtree;

static flir::MemoryOrder orderOf(tt::MemSemantic order) {
  switch (order) {
  case tt::MemSemantic::Relaxed:
    return flir::MemoryOrder::Relaxed;
  case tt::MemSemantic::Acquire:
    return flir::MemoryOrder::Acquire;
  case tt::MemSemantic::Release:
    return flir::MemoryOrder::Release;
  case tt::MemSemantic::AcquireRelease:
    return flir::MemoryOrder::AcquireRelease;
  }
  llvm_unreachable("no other order");
}

static flir::MemoryScope scopeOf(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::GPU:
    return flir::MemoryScope::Device;
  case tt::MemSyncScope::CTA:
    return flir::MemoryScope::Program;
  case tt::MemSyncScope::System:
    return flir::MemoryScope::System;
  }
  llvm_unreachable("no other scope");
}

namespace {

class AtomicRewriter {
public:
  AtomicRewriter(Operation *op, const KnownBlocks &known)
      : op(op), b(op), analysis(b, known), loc(op->getLoc()) {}

  void update(tt::AtomicRMWOp rmw) {
    // Upstream's kinds have the numbers of FLIR's.
    auto kind = static_cast<flir::AtomicKind>(rmw.getAtomicRmwOp());
    update(kind, rmw.getPtr(), rmw.getVal(), rmw.getMask(), orderOf(rmw.getSem()), scopeOf(rmw.getScope()));
  }

  void store(tt::AtomicStoreOp store) {
    update(flir::AtomicKind::Exchange, store.getPtr(), store.getVal(), store.getMask(),
           orderOf(store.getSem()), scopeOf(store.getScope()));
  }

  void compareAndSwap(tt::AtomicCASOp cas) {
    Value expected = toBits(cas.getCmp()), value = toBits(cas.getVal());
    replace(flir::AtomicCASOp::create(b, loc, value.getType(), orderOf(cas.getSem()), scopeOf(cas.getScope()),
                                      expected, value, addressesOf(cas.getPtr())));
  }

  void load(tt::AtomicLoadOp load) {
    replace(flir::AtomicLoadOp::create(b, loc, bitsType(load.getType()), orderOf(load.getSem()),
                                       scopeOf(load.getScope()), addressesOf(load.getPtr()),
                                       maskOf(load.getMask())));
  }

  void poll(tt::AtomicPollOp poll) {
    Value deadline;
    if (Value timeout = poll.getTimeoutNs()) {
      Value now = flir::ClockOp::create(b, loc, b.getI64Type());
      // A time without a sign: what does not fit behind `now` is as good as no end.
      Value sum = arith::AddIOp::create(b, loc, now, timeout);
      Value wraps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, sum, now);
      Value last = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(INT64_MAX));
      deadline = arith::SelectOp::create(b, loc, wraps, last, sum);
    }
    replace(flir::AtomicPollOp::create(b, loc, poll.getType(), orderOf(poll.getSem()),
                                       scopeOf(poll.getScope()), poll.getExpected(),
                                       addressesOf(poll.getPtr()), deadline));
  }

private:
  static Type withElement(Type type, Type element) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? Type(shaped.clone(element)) : element;
  }

  /// Pointers in memory are updated as integers.
  Type bitsType(Type type) {
    return isa<tt::PointerType>(getElementTypeOrSelf(type)) ? withElement(type, b.getI64Type()) : type;
  }

  Value toBits(Value value) {
    Type type = bitsType(value.getType());
    return type == value.getType() ? value : tt::PtrToIntOp::create(b, loc, type, value);
  }

  Value addressesOf(Value pointers) {
    return tt::PtrToIntOp::create(b, loc, withElement(pointers.getType(), b.getI64Type()), pointers);
  }

  /// Null when the mask is true everywhere; the front end always gives one.
  Value maskOf(Value mask) { return mask && matchPattern(mask, m_One()) ? Value() : mask; }

  void update(flir::AtomicKind kind, Value pointer, Value value, Value mask, flir::MemoryOrder order,
              flir::MemoryScope scope) {
    value = toBits(value);
    Type old = op->getNumResults() == 1 && !op->use_empty() ? value.getType() : Type();
    std::optional<AffineBlock> block = analysis.analyze(pointer);
    if (!block || !block->isDirect()) {
      replace(flir::ScatterRMWOp::create(b, loc, old ? TypeRange{old} : TypeRange{}, kind, order, scope,
                                         value, addressesOf(pointer), maskOf(mask)));
      return;
    }
    SmallVector<OpFoldResult> extents;
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      BlockMask bounds = analysis.analyzeMask(mask, type.getShape());
      for (auto [dim, size] : llvm::enumerate(type.getShape()))
        extents.push_back(bounds.extents[dim].value_or(b.getIndexAttr(size)));
      mask = bounds.residual;
    }
    Value base =
        UnrealizedConversionCastOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()), block->base)
            .getResult(0);
    replace(flir::AtomicRMWOp::create(b, loc, old, kind, order, scope, value, base,
                                      getValueOrCreateConstantIndexOp(b, loc, block->offset), block->strides,
                                      extents, maskOf(mask)));
  }

  /// Hints and whatever else users attached stay with the access.
  void replace(Operation *access) {
    access->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (access->getNumResults() == 1) {
      Value result = access->getResult(0);
      if (result.getType() != op->getResult(0).getType())
        result = tt::IntToPtrOp::create(b, loc, op->getResult(0).getType(), result);
      op->replaceAllUsesWith(ValueRange{result});
    }
    op->erase();
  }

  Operation *op;
  OpBuilder b;
  PtrAnalysis analysis;
  Location loc;
};

} // namespace

void flagtree::rewriteAtomic(Operation *op, const KnownBlocks &known) {
  AtomicRewriter rewriter(op, known);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tt::AtomicRMWOp rmw) { rewriter.update(rmw); })
      .Case([&](tt::AtomicStoreOp store) { rewriter.store(store); })
      .Case([&](tt::AtomicCASOp cas) { rewriter.compareAndSwap(cas); })
      .Case([&](tt::AtomicLoadOp load) { rewriter.load(load); })
      .Case([&](tt::AtomicPollOp poll) { rewriter.poll(poll); });
}
