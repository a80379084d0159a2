// SPDX-License-Identifier: MIT
#include "MemoryAccess.h"
#include "flagtree-cpu/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Support/Hardware.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUSTAGEOPERANDS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;
using namespace flagtree;

namespace {

/// The reads whose blocks become `value`, an operand of a product.
void collectReads(Value value, SmallVectorImpl<flir::LoadOp> &reads) {
  if (!value.hasOneUse())
    return;
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast_or_null<flir::LoadOp>(op))
    reads.push_back(load);
  else if (auto part = dyn_cast_or_null<tensor::ExtractSliceOp>(op))
    collectReads(part.getSource(), reads);
  else if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    collectReads(branch.thenYield().getOperand(number), reads);
    collectReads(branch.elseYield().getOperand(number), reads);
  } else if (op && OpTrait::hasElementwiseMappableTraits(op) && op->getNumOperands() == 1) {
    collectReads(op->getOperand(0), reads);
  }
}

/// A block that no extent cuts is copied without masks: one comparison for the
/// block instead of one for each row. Where nothing outside of the extents is
/// used, whole rows need none.
flir::LoadOp makeVersions(IRRewriter &rewriter, flir::LoadOp load) {
  Location loc = load.getLoc();
  rewriter.setInsertionPoint(load);
  SmallVector<OpFoldResult> whole;
  Value full;
  for (auto [dim, extent] : llvm::enumerate(load.getMixedExtents())) {
    OpFoldResult size = rewriter.getIndexAttr(load.getBlockShape()[dim]);
    whole.push_back(size);
    bool needsMask =
        !load->hasAttr(flagtree::cpu::insideAttr) || isConstantIntValue(load.getMixedStrides()[dim], 1);
    if (load.isFull(dim) || !needsMask) {
      whole.back() = extent;
      continue;
    }
    Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                                         getValueOrCreateConstantIndexOp(rewriter, loc, extent),
                                         getValueOrCreateConstantIndexOp(rewriter, loc, size));
    full = full ? arith::AndIOp::create(rewriter, loc, full, inside).getResult() : inside;
  }
  if (!full)
    return load;
  auto branch = scf::IfOp::create(rewriter, loc, load.getType(), full, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto fast = cast<flir::LoadOp>(rewriter.clone(*load));
  fast.setMixedExtents(whole);
  scf::YieldOp::create(rewriter, loc, fast.getResult());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, rewriter.clone(*load)->getResults());
  rewriter.replaceOp(load, branch);
  return fast;
}

/// True when an operation between `read` and `dot` may write to memory.
bool mayChangeBetween(Operation *read, Operation *dot) {
  Operation *first = dot->getBlock()->findAncestorOpInBlock(*read);
  for (Operation *op = first; op && op != dot; op = op->getNextNode())
    if (!cpu::hasOnlyReads(op))
      return true;
  return !first;
}

/// The left operand is read one element at a time, in whatever order it lies:
/// it needs no copy.
void readInPlace(IRRewriter &rewriter, flir::LoadOp load) {
  Location loc = load.getLoc();
  rewriter.setInsertionPoint(load);
  auto tensor = cast<RankedTensorType>(load.getType());
  MLIRContext *context = rewriter.getContext();
  Type pointer = load.getBase().getType(), i64 = rewriter.getI64Type();
  Type numbers = LLVM::LLVMArrayType::get(i64, tensor.getRank());
  Type descriptor = LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64, numbers, numbers});
  Value view = LLVM::PoisonOp::create(rewriter, loc, descriptor);
  auto set = [&](Value value, ArrayRef<int64_t> position) {
    view = LLVM::InsertValueOp::create(rewriter, loc, view, value, position);
  };
  auto number = [&](OpFoldResult value) -> Value {
    Value index = getValueOrCreateConstantIndexOp(rewriter, loc, value);
    return arith::IndexCastOp::create(rewriter, loc, i64, index);
  };
  set(load.getBase(), {0});
  set(load.getBase(), {1});
  set(number(load.getOffset()), {2});
  SmallVector<int64_t> strides;
  for (auto [dim, stride] : llvm::enumerate(load.getMixedStrides())) {
    set(number(rewriter.getIndexAttr(tensor.getDimSize(dim))), {3, static_cast<int64_t>(dim)});
    set(number(stride), {4, static_cast<int64_t>(dim)});
    strides.push_back(getConstantIntValue(stride).value_or(ShapedType::kDynamic));
  }
  auto layout = StridedLayoutAttr::get(context, ShapedType::kDynamic, strides);
  auto type = MemRefType::get(tensor.getShape(), tensor.getElementType(), layout);
  Value memory = UnrealizedConversionCastOp::create(rewriter, loc, type, view).getResult(0);
  rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(load, tensor, memory, /*restrict=*/true,
                                                         /*writable=*/false);
}

bool isReadAsItIs(flir::LoadOp load, linalg::ContractionOpInterface dot) {
  Type element = getElementTypeOrSelf(load.getType());
  bool isWhole = !load.getMask() && load.getIndices().empty();
  for (int64_t dim = 0; dim < load.getRank(); ++dim)
    isWhole &= load.isFull(dim) || load->hasAttr(flagtree::cpu::insideAttr);
  return isWhole && isa<linalg::MatmulOp>(dot.getOperation()) && (element.isF32() || element.isF64()) &&
         getElementTypeOrSelf(dot->getOperand(0).getType()) == element && !mayChangeBetween(load, dot);
}

/// What a number will be in the next iteration of a loop.
class NextIteration {
public:
  NextIteration(OpBuilder &b, scf::ForOp loop) : b(b), loop(loop) {}

  /// Null when it is not known before that iteration.
  Value of(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (Value known = map.lookupOrNull(value))
      return known;
    Value next = compute(value);
    if (next)
      map.map(value, next);
    return next;
  }

private:
  Value compute(Value value) {
    Location loc = value.getLoc();
    if (value == loop.getInductionVar())
      return arith::AddIOp::create(b, loc, value, loop.getStep());
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody())
        return {};
      return atThisPoint(loop.getTiedLoopYieldedValue(argument)->get());
    }
    return copied(value, [&](Value operand) { return of(operand); });
  }

  /// The number at the end of this iteration, computed now.
  Value atThisPoint(Value value) {
    if (loop.isDefinedOutsideOfLoop(value) || isa<BlockArgument>(value))
      return value;
    return copied(value, [&](Value operand) { return atThisPoint(operand); });
  }

  Value copied(Value value, llvm::function_ref<Value(Value)> operandOf) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op))
      return {};
    IRMapping operands;
    for (Value operand : op->getOperands()) {
      Value mapped = operandOf(operand);
      if (!mapped)
        return {};
      operands.map(operand, mapped);
    }
    return b.clone(*op, operands)->getResult(cast<OpResult>(value).getResultNumber());
  }

  OpBuilder &b;
  scf::ForOp loop;
  IRMapping map;
};

/// While `dot` is computed, memory fetches what `load` will read in the next
/// iteration: a loop over cache lines before it, which cpu-tile-dots spreads
/// over the product's tiles.
bool prefetchNext(flir::LoadOp load, linalg::ContractionOpInterface dot) {
  auto loop = dot->getParentOfType<scf::ForOp>();
  SmallVector<OpFoldResult> strides = load.getMixedStrides();
  auto unit = llvm::find_if(strides, [](OpFoldResult stride) { return isConstantIntValue(stride, 1); });
  if (!loop || unit == strides.end() || !load.getIndices().empty() ||
      loop.isDefinedOutsideOfLoop(load.getOffset()))
    return false;
  OpBuilder b(dot);
  Location loc = load.getLoc();
  NextIteration next(b, loop);
  Value offset = next.of(load.getOffset()), base = next.of(load.getBase());
  if (!offset || !base)
    return false;
  ArrayRef<int64_t> shape = load.getBlockShape();
  int64_t bytes = getElementTypeOrSelf(load.getType()).getIntOrFloatBitWidth() / 8;
  int64_t cacheLine = Hardware(dot).cacheLineBytes(), inLine = cacheLine / bytes;
  int64_t lines = llvm::divideCeil(shape[unit - strides.begin()], inLine);
  int64_t count = lines * (cast<ShapedType>(load.getType()).getNumElements() / shape[unit - strides.begin()]);
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  auto each = scf::ForOp::create(b, loc, number(0), number(count), number(1));
  each->setAttr(flagtree::cpu::prefetchAttr, b.getUnitAttr());
  b.setInsertionPointToStart(each.getBody());
  // The line within a row varies fastest, then the other dimensions.
  Value left = each.getInductionVar();
  auto take = [&](int64_t size, OpFoldResult step) {
    Value position = b.createOrFold<arith::RemUIOp>(loc, left, number(size));
    left = b.createOrFold<arith::DivUIOp>(loc, left, number(size));
    Value distance = arith::MulIOp::create(b, loc, position, getValueOrCreateConstantIndexOp(b, loc, step));
    offset = arith::AddIOp::create(b, loc, offset, distance);
  };
  take(lines, b.getIndexAttr(inLine));
  for (int64_t dim = load.getRank() - 1; dim >= 0; --dim) {
    if (dim == unit - strides.begin())
      continue;
    Value stride = strides[dim].dyn_cast<Value>();
    stride = stride ? next.of(stride) : number(*getConstantIntValue(strides[dim]));
    if (!stride) {
      each->erase();
      return false;
    }
    take(shape[dim], stride);
  }
  // The last byte of each line's worth: where blocks follow each other in
  // memory, the line that holds the first ones is there already.
  Value start = arith::MulIOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), offset),
                                      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(bytes)));
  start = arith::AddIOp::create(b, loc, start,
                                arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(cacheLine - 1)));
  cpu::prefetchLine(b, loc, base, start);
  return true;
}

struct CpuStageOperands : flagtree::cpu::impl::CpuStageOperandsBase<CpuStageOperands> {
  void runOnOperation() override {
    SmallVector<linalg::ContractionOpInterface> dots;
    getOperation().walk([&](linalg::ContractionOpInterface dot) { dots.push_back(dot); });
    IRRewriter rewriter(&getContext());
    for (linalg::ContractionOpInterface dot : dots)
      for (OpOperand *input : cast<linalg::LinalgOp>(dot.getOperation()).getDpsInputOperands()) {
        SmallVector<flir::LoadOp> reads;
        collectReads(input->get(), reads);
        bool fetched = false;
        for (flir::LoadOp load : reads) {
          if (load.getRank() < 2 || load.getIsVolatile())
            continue;
          bool inPlace = input->getOperandNumber() == 0 && isReadAsItIs(load, dot);
          // Where indices may wrap and did not is a version of its own already.
          bool isRare = load->hasAttr(flagtree::cpu::insideAttr) && !load.getIndices().empty();
          if (!inPlace && !isRare) {
            load = makeVersions(rewriter, load);
            inPlace = input->getOperandNumber() == 0 && isReadAsItIs(load, dot);
          }
          fetched = fetched || prefetchNext(load, dot);
          if (inPlace)
            readInPlace(rewriter, load);
        }
      }
  }
};

} // namespace
