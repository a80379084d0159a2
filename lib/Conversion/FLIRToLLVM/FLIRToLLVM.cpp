// SPDX-License-Identifier: MIT
// Accesses on vectors and scalars become loads and stores of LLVM, row by row.
#include "StreamedStores.h"

#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"
#include "flagtree/Support/Hardware.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace flagtree {
#define GEN_PASS_DEF_CONVERTFLIRTOLLVM
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

namespace {

/// Three ids and three sizes of the grid close a kernel's arguments.
constexpr unsigned gridSizes = 3;

/// Type that memory holds: LLVM has no 8-bit floats, and takes single bf16 out
/// of a vector, as for a masked store, by way of fp32.
Type memoryElement(Type element) {
  if ((isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8) || element.isBF16())
    return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  return element;
}

class AccessLowering {
public:
  AccessLowering(Operation *op, StreamedStores &streamed)
      : op(op), b(op), loc(op->getLoc()), streamed(streamed) {}

  void load(flir::LoadOp load) {
    auto type = dyn_cast<VectorType>(load.getType());
    Value result = type ? loadBlock(load, type) : loadScalar(load);
    replace(result);
  }

  void store(flir::StoreOp store) {
    auto type = dyn_cast<VectorType>(store.getValue().getType());
    if (!type) {
      storeScalar(store);
    } else {
      Value value = toMemory(store.getValue());
      forEachRow(type.getShape(), [&](ArrayRef<int64_t> row) {
        Value part = row.empty() ? value : vector::ExtractOp::create(b, loc, value, row).getResult();
        storeRow(store, row, part);
      });
    }
    op->erase();
  }

  void gather(flir::GatherOp gather) {
    auto type = cast<VectorType>(gather.getType());
    Type element = memoryElement(type.getElementType());
    auto flat = VectorType::get(type.getNumElements(), element);
    Value pass = gather.getPad() ? splat(toMemory(gather.getPad()), flat) : undefined(flat);
    Value read = LLVM::masked_gather::create(b, loc, flat, pointers(gather.getAddresses()),
                                             flatMask(gather.getMask(), type), pass, alignment(element));
    read = reshape(read, type.clone(element));
    replace(fromMemory(read, type));
  }

  void scatter(flir::ScatterOp scatter) {
    auto type = cast<VectorType>(scatter.getValue().getType());
    Value value = toMemory(scatter.getValue());
    auto flat = VectorType::get(type.getNumElements(), getElementTypeOrSelf(value.getType()));
    LLVM::masked_scatter::create(b, loc, reshape(value, flat), pointers(scatter.getAddresses()),
                                 flatMask(scatter.getMask(), type), alignment(flat.getElementType()));
    op->erase();
  }

private:
  //===--- values -----------------------------------------------------------===//

  void replace(Value result) {
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  Value toMemory(Value value) { return bitcast(value, memoryElement(getElementTypeOrSelf(value.getType()))); }
  Value fromMemory(Value value, Type type) { return bitcast(value, getElementTypeOrSelf(type)); }

  Value bitcast(Value value, Type element) {
    Type type = element;
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(element);
    return value.getType() == type ? value : arith::BitcastOp::create(b, loc, type, value);
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value undefined(Type type) { return LLVM::PoisonOp::create(b, loc, type); }
  Value splat(Value scalar, VectorType type) { return vector::BroadcastOp::create(b, loc, type, scalar); }
  Value reshape(Value value, VectorType type) {
    return value.getType() == type ? value : vector::ShapeCastOp::create(b, loc, type, value);
  }
  unsigned alignment(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

  Value padRow(Value pad, VectorType row) { return pad ? splat(toMemory(pad), row) : undefined(row); }

  //===--- addresses --------------------------------------------------------===//

  Value toI64(Value value) { return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), value); }

  Value pointer(Value base, Value offset, Type element) {
    return LLVM::GEPOp::create(b, loc, base.getType(), element, base, ArrayRef<LLVM::GEPArg>{toI64(offset)});
  }

  Value pointers(Value addresses) {
    auto type = cast<VectorType>(addresses.getType());
    Value flat = reshape(addresses, VectorType::get(type.getNumElements(), b.getI64Type()));
    auto ptrs = VectorType::get(type.getNumElements(), LLVM::LLVMPointerType::get(b.getContext()));
    return LLVM::IntToPtrOp::create(b, loc, ptrs, flat);
  }

  /// Offset of the first element of a row.
  template <typename Op> Value rowOffset(Op access, ArrayRef<int64_t> row) {
    Value offset = access.getOffset();
    for (auto [dim, index] : llvm::zip_equal(access.getIndexDims(), access.getIndices()))
      if (dim < static_cast<int64_t>(row.size()))
        offset = add(offset, vector::ExtractOp::create(b, loc, index, row[dim]));
    for (auto [position, stride] : llvm::zip(row, access.getMixedStrides())) {
      if (position == 0)
        continue;
      Value step = b.createOrFold<arith::MulIOp>(loc, getValueOrCreateConstantIndexOp(b, loc, stride),
                                                 index(position));
      offset = b.createOrFold<arith::AddIOp>(loc, offset, step);
    }
    return offset;
  }

  Value add(Value offset, Value number) {
    number = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), number);
    return b.createOrFold<arith::AddIOp>(loc, offset, number);
  }

  /// The index along a row; null where the row is direct.
  template <typename Op> static Value rowIndex(Op access) {
    ArrayRef<int64_t> dims = access.getIndexDims();
    return !dims.empty() && dims.back() == access.getRank() - 1 ? access.getIndices().back() : Value();
  }

  /// Pointers to the elements of a row that do not lie side by side.
  Value stridedPointers(Value start, OpFoldResult stride, Value index, int64_t size) {
    auto i64s = VectorType::get(size, b.getI64Type());
    Value offsets = index;
    if (!isConstantIntValue(stride, 0) || !index) {
      SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, size));
      Value steps =
          arith::ConstantOp::create(b, loc, DenseElementsAttr::get(i64s, ArrayRef<int64_t>(numbers)));
      Value factor = splat(toI64(getValueOrCreateConstantIndexOp(b, loc, stride)), i64s);
      offsets = arith::MulIOp::create(b, loc, steps, factor);
      if (index)
        offsets = arith::AddIOp::create(b, loc, offsets, index);
    }
    auto element = memoryElement(getElementTypeOrSelf(blockType()));
    auto ptrs = VectorType::get(size, start.getType());
    return LLVM::GEPOp::create(b, loc, ptrs, element, start, ArrayRef<LLVM::GEPArg>{offsets});
  }

  Type blockType() {
    if (auto load = dyn_cast<flir::LoadOp>(op))
      return load.getBlockType();
    return cast<flir::StoreOp>(op).getBlockType();
  }

  //===--- masks ------------------------------------------------------------===//

  Value flatMask(Value mask, VectorType type) {
    auto flat = VectorType::get(type.getNumElements(), b.getI1Type());
    if (mask)
      return reshape(mask, flat);
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(flat, true));
  }

  /// Which elements of a row take part; null when all do.
  template <typename Op> Value rowMask(Op access, ArrayRef<int64_t> row) {
    SmallVector<OpFoldResult> extents = access.getMixedExtents();
    int64_t last = access.getRank() - 1, size = access.getBlockShape()[last];
    Value count = access.isFull(last) ? Value() : getValueOrCreateConstantIndexOp(b, loc, extents[last]);
    for (auto [dim, position] : llvm::enumerate(row)) {
      if (access.isFull(dim))
        continue;
      Value bound = getValueOrCreateConstantIndexOp(b, loc, extents[dim]);
      Value inside = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, bound, index(position));
      count = b.createOrFold<arith::SelectOp>(loc, inside, count ? count : index(size), index(0));
    }
    Value mask = count ? firstElements(count, size) : Value();
    if (Value given = access.getMask()) {
      if (!row.empty())
        given = vector::ExtractOp::create(b, loc, given, row);
      mask = mask ? arith::AndIOp::create(b, loc, mask, given).getResult() : given;
    }
    return mask;
  }

  /// `i < count` for each element; in 32 bits, of which a register holds twice as many.
  Value firstElements(Value count, int64_t size) {
    count = b.createOrFold<arith::MinSIOp>(loc, count, index(size));
    count = b.createOrFold<arith::MaxSIOp>(loc, count, index(0));
    auto i32s = VectorType::get(size, b.getI32Type());
    SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(0, size));
    Value steps = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(i32s, ArrayRef<int32_t>(numbers)));
    Value bound = splat(b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), count), i32s);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, steps, bound);
  }

  //===--- blocks -----------------------------------------------------------===//

  /// Calls `fn` with the position of each row: all dimensions but the last.
  template <typename Fn> void forEachRow(ArrayRef<int64_t> shape, Fn fn) {
    ArrayRef<int64_t> leading = shape.drop_back();
    int64_t rows = computeProduct(leading);
    SmallVector<int64_t> strides = computeStrides(leading);
    for (int64_t row = 0; row < rows; ++row)
      fn(delinearize(row, strides));
  }

  Value loadBlock(flir::LoadOp load, VectorType type) {
    VectorType memory = type.clone(memoryElement(type.getElementType()));
    if (type.getRank() == 1)
      return fromMemory(loadRow(load, {}, memory), type);
    auto row = VectorType::get(memory.getShape().back(), memory.getElementType());
    Value block = undefinedBlock(memory);
    forEachRow(type.getShape(), [&](ArrayRef<int64_t> position) {
      block = vector::InsertOp::create(b, loc, loadRow(load, position, row), block, position);
    });
    return fromMemory(block, type);
  }

  Value undefinedBlock(VectorType type) { return ub::PoisonOp::create(b, loc, type); }

  Value loadRow(flir::LoadOp load, ArrayRef<int64_t> row, VectorType type) {
    Value start = pointer(load.getBase(), rowOffset(load, row), type.getElementType());
    OpFoldResult stride = load.getMixedStrides().back();
    Value mask = rowMask(load, row), index = rowIndex(load);
    unsigned align = alignment(type.getElementType());
    if (!index && (isConstantIntValue(stride, 1) || type.getNumElements() == 1)) {
      if (!mask)
        return LLVM::LoadOp::create(b, loc, type, start, align, load.getIsVolatile());
      return LLVM::MaskedLoadOp::create(b, loc, type, start, mask, padRow(load.getPad(), type), align);
    }
    if (!index && isConstantIntValue(stride, 0) && !mask)
      return splat(LLVM::LoadOp::create(b, loc, type.getElementType(), start, align, load.getIsVolatile()),
                   type);
    Value ptrs = stridedPointers(start, stride, index, type.getNumElements());
    return LLVM::masked_gather::create(b, loc, type, ptrs, mask ? mask : flatMask({}, type),
                                       padRow(load.getPad(), type), align);
  }

  void storeRow(flir::StoreOp store, ArrayRef<int64_t> row, Value value) {
    auto type = cast<VectorType>(value.getType());
    Value start = pointer(store.getBase(), rowOffset(store, row), type.getElementType());
    OpFoldResult stride = store.getMixedStrides().back();
    Value mask = rowMask(store, row), index = rowIndex(store);
    unsigned align = alignment(type.getElementType());
    if (!index && (isConstantIntValue(stride, 1) || type.getNumElements() == 1)) {
      if (!mask)
        return streamed.add(op, value, start, align);
      streamed.reach(op);
      LLVM::MaskedStoreOp::create(b, loc, value, start, mask, align);
      return;
    }
    streamed.reach(op);
    Value ptrs = stridedPointers(start, stride, index, type.getNumElements());
    LLVM::masked_scatter::create(b, loc, value, ptrs, mask ? mask : flatMask({}, type), align);
  }

  //===--- scalars ----------------------------------------------------------===//

  Value loadScalar(flir::LoadOp load) {
    Type element = memoryElement(load.getType());
    auto read = [&]() -> Value {
      Value start = pointer(load.getBase(), load.getOffset(), element);
      return LLVM::LoadOp::create(b, loc, element, start, alignment(element), load.getIsVolatile());
    };
    if (!load.getMask())
      return fromMemory(read(), load.getType());
    Value pad = load.getPad() ? toMemory(load.getPad()) : undefined(element);
    auto branch = scf::IfOp::create(b, loc, element, load.getMask(), /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc, read());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, pad);
    b.setInsertionPointAfter(branch);
    return fromMemory(branch.getResult(0), load.getType());
  }

  void storeScalar(flir::StoreOp store) {
    streamed.reach(store);
    if (store.getMask()) {
      auto branch = scf::IfOp::create(b, loc, store.getMask());
      b.setInsertionPointToStart(branch.thenBlock());
    }
    Value value = toMemory(store.getValue());
    Value start = pointer(store.getBase(), store.getOffset(), value.getType());
    LLVM::StoreOp::create(b, loc, value, start, alignment(value.getType()));
  }

  Operation *op;
  OpBuilder b;
  Location loc;
  StreamedStores &streamed;
};

struct ConvertFLIRToLLVM : flagtree::impl::ConvertFLIRToLLVMBase<ConvertFLIRToLLVM> {
  void runOnOperation() override {
    StreamedStores streamed(makeBypassCondition());
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (!isa<flir::StoreOp>(op)) // which may join those before it
        streamed.reach(op);
      if (!isa<flir::FLIRDialect>(op->getDialect()))
        return WalkResult::advance();
      if (flir::isOnTensors(op)) {
        op->emitOpError("on a tensor must be tiled and vectorised before it is lowered");
        return WalkResult::interrupt();
      }
      AccessLowering lowering(op, streamed);
      TypeSwitch<Operation *>(op)
          .Case([&](flir::LoadOp load) { lowering.load(load); })
          .Case([&](flir::StoreOp store) { lowering.store(store); })
          .Case([&](flir::GatherOp gather) { lowering.gather(gather); })
          .Case([&](flir::ScatterOp scatter) { lowering.scatter(scatter); });
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// True when all programs together store more than the cache keeps. To write
  /// there, the processor would first read what is overwritten.
  Value makeBypassCondition() {
    auto stored = getOperation()->getAttrOfType<IntegerAttr>("flir.stored_bytes");
    int64_t streamingBytes = Hardware(getOperation()).streamingBytes();
    if (!stored || stored.getInt() <= 0 || streamingBytes <= 0 ||
        getOperation().getNumArguments() < 2 * gridSizes)
      return {};
    OpBuilder b = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    Location loc = getOperation().getLoc();
    Value programs;
    for (Value size : getOperation().getArguments().take_back(gridSizes)) {
      Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), size);
      programs = programs ? arith::MulIOp::create(b, loc, programs, wide).getResult() : wide;
    }
    Value limit = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(streamingBytes / stored.getInt()));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, programs, limit);
  }
};

} // namespace
