// SPDX-License-Identifier: MIT
// What each kind of operation is on the rows of its vectors.
#include "Rows.h"

#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace flagtree;

namespace {

class OperationUnroller {
public:
  OperationUnroller(OpBuilder &b, Operation *op, RowSource &source)
      : b(b), op(op), loc(op->getLoc()), source(source) {}

  std::optional<RowList> run() {
    if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1)
      return elementwise();
    return TypeSwitch<Operation *, std::optional<RowList>>(op)
        .Case<arith::ConstantOp, ub::PoisonOp, vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp,
              vector::ExtractOp, vector::InsertOp, vector::OuterProductOp, vector::FMAOp,
              vector::TransferReadOp, vector::TransferWriteOp, flir::LoadOp, flir::StoreOp, flir::GatherOp,
              flir::ScatterOp>([&](auto known) { return unroll(known); })
        .Default(std::nullopt);
  }

private:
  RowList rows(Value vector) { return source.rows(b, vector); }
  RowLayout layoutOf(Value vector) { return RowLayout(cast<VectorType>(vector.getType())); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  //===--- computation -------------------------------------------------------===//

  /// A copy of the operation for each row.
  RowList elementwise() {
    SmallVector<RowList> operands;
    for (Value operand : op->getOperands())
      operands.push_back(hasRows(operand.getType()) ? rows(operand) : RowList());
    RowLayout layout = layoutOf(op->getResult(0));
    RowList result;
    for (int64_t row = 0; row < layout.count(); ++row) {
      SmallVector<Value> rowOperands;
      for (auto [operand, operandRows] : llvm::zip_equal(op->getOperands(), operands))
        rowOperands.push_back(operandRows.empty() ? operand : operandRows[row]);
      OperationState state(loc, op->getName(), rowOperands, layout.rowType,
                           op->getDiscardableAttrDictionary().getValue());
      state.propertiesAttr = op->getPropertiesAsAttribute();
      result.push_back(b.create(state)->getResult(0));
    }
    return result;
  }

  std::optional<RowList> unroll(vector::FMAOp) { return elementwise(); }

  std::optional<RowList> unroll(arith::ConstantOp constant) {
    RowLayout layout = layoutOf(constant);
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements)
      return std::nullopt;
    if (elements.isSplat()) {
      auto row = DenseElementsAttr::get(layout.rowType, elements.getSplatValue<Attribute>());
      return RowList(layout.count(), arith::ConstantOp::create(b, loc, row));
    }
    RowList result;
    auto values = llvm::to_vector(elements.getValues<Attribute>());
    int64_t size = layout.rowType.getNumElements();
    for (int64_t row = 0; row < layout.count(); ++row)
      result.push_back(arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(layout.rowType, ArrayRef(values).slice(row * size, size))));
    return result;
  }

  std::optional<RowList> unroll(ub::PoisonOp poison) {
    RowLayout layout = layoutOf(poison);
    return RowList(layout.count(), ub::PoisonOp::create(b, loc, layout.rowType));
  }

  std::optional<RowList> unroll(vector::OuterProductOp product) {
    if (product.getKind() != vector::CombiningKind::ADD || !hasRows(product.getResultVectorType()))
      return std::nullopt;
    RowLayout layout = layoutOf(product);
    if (layout.rowDim != 1)
      return std::nullopt;
    RowList accumulators = product.getAcc() ? rows(product.getAcc()) : RowList(), result;
    bool isFloat = isa<FloatType>(layout.rowType.getElementType());
    for (int64_t row = 0; row < layout.count(); ++row) {
      Value scalar = vector::ExtractOp::create(b, loc, product.getLhs(), row);
      Value factor = vector::BroadcastOp::create(b, loc, layout.rowType, scalar), sum;
      if (isFloat && !accumulators.empty()) {
        sum = vector::FMAOp::create(b, loc, factor, product.getRhs(), accumulators[row]);
      } else if (isFloat) {
        sum = arith::MulFOp::create(b, loc, factor, product.getRhs());
      } else {
        sum = arith::MulIOp::create(b, loc, factor, product.getRhs());
        if (!accumulators.empty())
          sum = arith::AddIOp::create(b, loc, sum, accumulators[row]);
      }
      result.push_back(sum);
    }
    return result;
  }

  //===--- places ------------------------------------------------------------===//

  /// Elements of the source repeat along dimensions that it lacks.
  std::optional<RowList> unroll(vector::BroadcastOp broadcast) {
    RowLayout layout = layoutOf(broadcast);
    Value from = broadcast.getSource();
    auto type = dyn_cast<VectorType>(from.getType());
    if (!type)
      return RowList(layout.count(), vector::BroadcastOp::create(b, loc, layout.rowType, from));
    int64_t missing = broadcast.getResultVectorType().getRank() - type.getRank();
    int64_t rowDim = layout.rowDim - missing;
    bool wholeRows = rowDim >= 0 && type.getDimSize(rowDim) == layout.rowType.getNumElements();
    RowList result;
    DenseMap<Value, Value> spread;
    for (ArrayRef<int64_t> position : layout.positions) {
      SmallVector<int64_t> at(position.drop_front(missing));
      for (auto [dim, place] : llvm::enumerate(at))
        if (type.getDimSize(dim) == 1)
          place = 0;
      auto [row, column] = find(from, at);
      if (wholeRows) {
        result.push_back(row);
        continue;
      }
      Value element = elementOf(row, column);
      Value &vector = spread[element];
      if (!vector)
        vector = vector::BroadcastOp::create(b, loc, layout.rowType, element);
      result.push_back(vector);
    }
    return result;
  }

  /// The row with the element at `at`, and the element's place in it.
  std::pair<Value, int64_t> find(Value vector, ArrayRef<int64_t> at) {
    auto type = cast<VectorType>(vector.getType());
    if (!hasRows(type))
      return {vector, type.getRank() == 0 ? 0 : at.back()};
    int64_t rowDim = RowLayout(type).rowDim;
    ArrayRef<int64_t> leading = type.getShape().take_front(rowDim);
    return {rows(vector)[linearize(at.take_front(rowDim), computeStrides(leading))], at[rowDim]};
  }

  Value elementOf(Value row, int64_t column) {
    if (cast<VectorType>(row.getType()).getRank() == 0)
      return vector::ExtractOp::create(b, loc, row, ArrayRef<int64_t>());
    return vector::ExtractOp::create(b, loc, row, column);
  }

  std::optional<RowList> unroll(vector::TransposeOp transpose) {
    VectorType from = transpose.getSourceVectorType();
    RowLayout layout(from), target = layoutOf(transpose);
    ArrayRef<int64_t> order = transpose.getPermutation();
    RowList source = rows(transpose.getVector());
    if (order[target.rowDim] == layout.rowDim) {
      RowList result;
      for (ArrayRef<int64_t> position : target.positions) {
        SmallVector<int64_t> at(position.size());
        for (auto [dim, fromDim] : llvm::enumerate(order))
          at[fromDim] = position[dim];
        result.push_back(find(transpose.getVector(), at).first);
      }
      return result;
    }
    // What is left when dimensions of size 1 are not counted has to be a matrix.
    int64_t columns = layout.rowType.getNumElements();
    if (target.count() != columns || target.rowType.getNumElements() != layout.count() ||
        llvm::count_if(from.getShape(), [](int64_t size) { return size > 1; }) != 2 ||
        !llvm::isPowerOf2_64(columns) || !llvm::isPowerOf2_64(layout.count()))
      return std::nullopt;
    return transposeRows(b, loc, std::move(source));
  }

  std::optional<RowList> unroll(vector::ShapeCastOp cast) {
    VectorType from = cast.getSourceVectorType(), to = cast.getResultVectorType();
    if (from.getRank() == 0 || to.getRank() == 0)
      return std::nullopt;
    RowLayout target(to);
    int64_t size = target.rowType.getNumElements();
    RowList source = hasRows(from) ? rows(cast.getSource()) : RowList{cast.getSource()}, result;
    int64_t sourceSize = hasRows(from) ? RowLayout(from).rowType.getNumElements() : from.getNumElements();
    if (sourceSize == size)
      return source;
    if (sourceSize % size == 0) {
      for (Value row : source)
        for (int64_t start = 0; start < sourceSize; start += size)
          result.push_back(vector::ExtractStridedSliceOp::create(b, loc, row, start, size, 1));
      return result;
    }
    if (size % sourceSize != 0 || !llvm::isPowerOf2_64(size / sourceSize))
      return std::nullopt;
    while (sourceSize < size) {
      sourceSize *= 2;
      SmallVector<int64_t> picks = llvm::to_vector(llvm::seq<int64_t>(0, sourceSize));
      for (size_t pair = 0; pair < source.size(); pair += 2)
        result.push_back(vector::ShuffleOp::create(b, loc, source[pair], source[pair + 1], picks));
      source = std::exchange(result, {});
    }
    return source;
  }

  std::optional<RowList> unroll(vector::ExtractOp extract) {
    if (extract.hasDynamicPosition())
      return std::nullopt;
    VectorType from = extract.getSourceVectorType();
    SmallVector<int64_t> at(extract.getStaticPosition());
    int64_t taken = at.size();
    at.resize(from.getRank(), 0);
    auto part = dyn_cast<VectorType>(extract.getType());
    int64_t rowDim = RowLayout(from).rowDim;
    if (!part) {
      auto [row, column] = find(extract.getSource(), at);
      return RowList{elementOf(row, column)};
    }
    if (taken > rowDim || part.getRank() == 0) // less than a row
      return std::nullopt;
    RowList all = rows(extract.getSource());
    int64_t count = RowLayout(part).count();
    ArrayRef<int64_t> leading = from.getShape().take_front(rowDim);
    int64_t first = linearize(ArrayRef(at).take_front(rowDim), computeStrides(leading));
    RowList result(ArrayRef(all).slice(first, count));
    return result;
  }

  std::optional<RowList> unroll(vector::InsertOp insert) {
    if (insert.hasDynamicPosition())
      return std::nullopt;
    VectorType to = insert.getDestVectorType();
    SmallVector<int64_t> at(insert.getStaticPosition());
    int64_t taken = at.size();
    at.resize(to.getRank(), 0);
    RowLayout layout(to);
    RowList result = rows(insert.getDest());
    ArrayRef<int64_t> leading = to.getShape().take_front(layout.rowDim);
    int64_t first = linearize(ArrayRef(at).take_front(layout.rowDim), computeStrides(leading));
    Value value = insert.getValueToStore();
    auto part = dyn_cast<VectorType>(value.getType());
    if (!part) {
      result[first] = vector::InsertOp::create(b, loc, value, result[first], at[layout.rowDim]);
      return result;
    }
    if (taken > layout.rowDim || part.getRank() == 0)
      return std::nullopt;
    RowList parts = hasRows(part) ? rows(value) : RowList{value};
    llvm::copy(parts, result.begin() + first);
    return result;
  }

  //===--- memory ------------------------------------------------------------===//

  /// Reads and writes of whole tiles in buffers, row by row.
  template <typename Op> bool isPlainTransfer(Op transfer) {
    return !transfer.getMask() && !transfer.hasOutOfBoundsDim() &&
           isa<MemRefType>(transfer.getBase().getType());
  }

  template <typename Op> SmallVector<Value> rowIndices(Op transfer, ArrayRef<int64_t> position) {
    SmallVector<Value> result(transfer.getIndices());
    for (auto [expr, place] : llvm::zip_equal(transfer.getPermutationMap().getResults(), position))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && place != 0)
        result[dim.getPosition()] =
            b.createOrFold<arith::AddIOp>(loc, result[dim.getPosition()], index(place));
    return result;
  }

  /// Along which dimension of the buffer rows lie.
  template <typename Op> AffineMap rowMap(Op transfer, int64_t rowDim) {
    AffineMap map = transfer.getPermutationMap();
    return AffineMap::get(map.getNumDims(), 0, map.getResult(rowDim));
  }

  std::optional<RowList> unroll(vector::TransferReadOp read) {
    if (!isPlainTransfer(read))
      return std::nullopt;
    RowLayout layout = layoutOf(read);
    RowList result;
    for (ArrayRef<int64_t> position : layout.positions)
      result.push_back(vector::TransferReadOp::create(b, loc, layout.rowType, read.getBase(),
                                                      rowIndices(read, position), read.getPadding(),
                                                      rowMap(read, layout.rowDim), ArrayRef<bool>{true}));
    return result;
  }

  std::optional<RowList> unroll(vector::TransferWriteOp write) {
    if (!isPlainTransfer(write))
      return std::nullopt;
    RowLayout layout = layoutOf(write.getVector());
    for (auto [position, row] : llvm::zip_equal(layout.positions, rows(write.getVector())))
      vector::TransferWriteOp::create(b, loc, row, write.getBase(), rowIndices(write, position),
                                      rowMap(write, layout.rowDim), ArrayRef<bool>{true});
    return RowList();
  }

  /// Offset and extent of a row: empty where another dimension ends before it.
  template <typename Op>
  std::pair<Value, OpFoldResult> rowOf(Op access, ArrayRef<int64_t> position, int64_t rowDim) {
    Value offset = access.getOffset();
    SmallVector<OpFoldResult> strides = access.getMixedStrides(), extents = access.getMixedExtents();
    OpFoldResult extent = extents[rowDim];
    SmallVector<Value> indices = access.getIndexOfDims();
    for (auto [dim, place] : llvm::enumerate(position)) {
      if (static_cast<int64_t>(dim) == rowDim)
        continue;
      if (indices[dim]) {
        Value number = vector::ExtractOp::create(b, loc, indices[dim], place);
        number = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), number);
        offset = b.createOrFold<arith::AddIOp>(loc, offset, number);
      }
      if (place != 0) {
        Value step = b.createOrFold<arith::MulIOp>(loc, getValueOrCreateConstantIndexOp(b, loc, strides[dim]),
                                                   index(place));
        offset = b.createOrFold<arith::AddIOp>(loc, offset, step);
      }
      if (access.isFull(dim))
        continue;
      Value inside =
          b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt,
                                        getValueOrCreateConstantIndexOp(b, loc, extents[dim]), index(place));
      extent = getAsOpFoldResult(b.createOrFold<arith::SelectOp>(
          loc, inside, getValueOrCreateConstantIndexOp(b, loc, extent), index(0)));
    }
    return {offset, extent};
  }

  RowList maskRows(Value mask, int64_t count) { return mask ? rows(mask) : RowList(count); }

  std::optional<RowList> unroll(flir::LoadOp load) {
    RowLayout layout = layoutOf(load);
    OpFoldResult stride = load.getMixedStrides()[layout.rowDim];
    RowList result;
    for (auto [position, mask] :
         llvm::zip_equal(layout.positions, maskRows(load.getMask(), layout.count()))) {
      auto [offset, extent] = rowOf(load, position, layout.rowDim);
      auto row = flir::LoadOp::create(b, loc, layout.rowType, load.getBase(), offset, stride, extent, mask,
                                      load.getPad(), load.getIndexOfDims()[layout.rowDim]);
      row.setIsVolatile(load.getIsVolatile());
      row->setDiscardableAttrs(load->getDiscardableAttrDictionary());
      result.push_back(row);
    }
    return result;
  }

  std::optional<RowList> unroll(flir::StoreOp store) {
    RowLayout layout = layoutOf(store.getValue());
    OpFoldResult stride = store.getMixedStrides()[layout.rowDim];
    for (auto [position, value, mask] : llvm::zip_equal(layout.positions, rows(store.getValue()),
                                                        maskRows(store.getMask(), layout.count()))) {
      auto [offset, extent] = rowOf(store, position, layout.rowDim);
      auto row = flir::StoreOp::create(b, loc, value, store.getBase(), offset, stride, extent, mask,
                                       store.getIndexOfDims()[layout.rowDim]);
      row->setDiscardableAttrs(store->getDiscardableAttrDictionary());
    }
    return RowList();
  }

  std::optional<RowList> unroll(flir::GatherOp gather) {
    RowLayout layout = layoutOf(gather);
    RowList result;
    for (auto [addresses, mask] :
         llvm::zip_equal(rows(gather.getAddresses()), maskRows(gather.getMask(), layout.count())))
      result.push_back(flir::GatherOp::create(b, loc, layout.rowType, addresses, mask, gather.getPad(),
                                              gather.getIsVolatile()));
    return result;
  }

  std::optional<RowList> unroll(flir::ScatterOp scatter) {
    RowLayout layout = layoutOf(scatter.getValue());
    for (auto [value, addresses, mask] :
         llvm::zip_equal(rows(scatter.getValue()), rows(scatter.getAddresses()),
                         maskRows(scatter.getMask(), layout.count())))
      flir::ScatterOp::create(b, loc, value, addresses, mask);
    return RowList();
  }

  OpBuilder &b;
  Operation *op;
  Location loc;
  RowSource &source;
};

} // namespace

std::optional<RowList> flagtree::unrollOperation(OpBuilder &b, Operation *op, RowSource &source) {
  return OperationUnroller(b, op, source).run();
}
