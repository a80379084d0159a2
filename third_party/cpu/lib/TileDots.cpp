// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"
#include "flagtree/Support/Hardware.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace flagtree::cpu {
#define GEN_PASS_DEF_CPUTILEDOTS
#include "flagtree-cpu/Passes.h.inc"
} // namespace flagtree::cpu

using namespace mlir;

namespace {

/// Whole numbers below 2^24 are exact in fp32; products of 8-bit integers are
/// at most 2^14.
constexpr int64_t exactProducts = 1024;

/// Positions along K that an iteration of the innermost loop takes.
constexpr int64_t unrolled = 4;

/// Rows and columns of the tile of the result that registers hold.
struct RegisterTile {
  int64_t rows, vectors, lanes;
};

class DotTiler {
public:
  DotTiler(linalg::MatmulOp dot, int64_t vectorBytes, int64_t registers)
      : dot(dot), b(dot), loc(dot.getLoc()), a(dot.getDpsInputs()[0]), bMatrix(dot.getDpsInputs()[1]),
        c(dot.getDpsInits()[0]), overwrites(dot->hasAttr(flagtree::cpu::overwritesAttr)) {
    auto left = cast<MemRefType>(a.getType()), result = cast<MemRefType>(c.getType());
    compute = left.getElementType();
    stored = result.getElementType();
    // Parts of blocks: their sizes show at run time, those of the blocks are known.
    auto block = dot->getAttrOfType<DenseI64ArrayAttr>(flagtree::cpu::blockAttr);
    m = block ? block[0] : result.getDimSize(0), n = block ? block[1] : result.getDimSize(1);
    k = block ? block[2] : left.getDimSize(1);
    rows = sizeOf(c, 0), columns = sizeOf(c, 1), depth = sizeOf(a, 1);
    tile = chooseTile(vectorBytes, registers);
    vector = VectorType::get({tile.lanes}, compute);
    bMatrix = withUnitRows(bMatrix);
    c = withUnitRows(c);
  }

  void run() {
    collectPrefetches();
    int64_t chunk = countsInFloat() ? std::min(k, exactProducts) : k;
    isWhole = !isa<Value>(depth) && chunk % unrolled == 0;
    auto tilesFrom = [&](Value first) {
      if (chunk == k)
        return tiles(first, depth);
      Value end = plus(first, chunk);
      // A chunk behind the depth is empty.
      if (auto count = dyn_cast<Value>(depth))
        end = arith::MaxSIOp::create(b, loc, first, arith::MinSIOp::create(b, loc, end, count));
      tiles(first, end);
    };
    int64_t done = 0;
    if (overwrites) {
      tilesFrom(index(0));
      overwrites = false; // what follows adds to that
      done = chunk;
    }
    if (done < k)
      loop(done, k, chunk, b.getIndexAttr(k), tilesFrom);
    for (scf::ForOp each : prefetches)
      each->erase();
  }

private:
  /// Two branches that give buffers of one layout may give it as one that only
  /// shows at run time; what is copied has its rows' elements side by side.
  Value withUnitRows(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    if (strides.back() == 1)
      return buffer;
    strides.back() = 1;
    auto layout = StridedLayoutAttr::get(type.getContext(), offset, strides);
    auto unit = MemRefType::get(type.getShape(), type.getElementType(), layout, type.getMemorySpace());
    return memref::CastOp::create(b, loc, unit, buffer);
  }

  /// Loops over cache lines just before the product become part of it.
  void collectPrefetches() {
    for (Operation *op = dot->getPrevNode(); op && !isa<linalg::MatmulOp>(op); op = op->getPrevNode())
      if (op->hasAttr(flagtree::cpu::prefetchAttr))
        prefetches.push_back(cast<scf::ForOp>(op));
  }

  /// Asks for the lines that are this tile's share.
  void prefetchAt(Value row, Value column) {
    if (prefetches.empty())
      return;
    int64_t width = tile.vectors * tile.lanes, perRow = llvm::divideCeil(n, width);
    int64_t tiles = perRow * llvm::divideCeil(m, tile.rows);
    Value number = b.createOrFold<arith::DivUIOp>(loc, row, index(tile.rows));
    number = b.createOrFold<arith::MulIOp>(loc, number, index(perRow));
    number =
        b.createOrFold<arith::AddIOp>(loc, number, b.createOrFold<arith::DivUIOp>(loc, column, index(width)));
    for (scf::ForOp each : prefetches) {
      int64_t count = *getConstantIntValue(each.getUpperBound());
      int64_t share = llvm::divideCeil(count, tiles);
      Value first = arith::MulIOp::create(b, loc, number, index(share));
      for (int64_t line = 0; line < share; ++line) {
        IRMapping map;
        map.map(each.getInductionVar(), plus(first, line));
        for (Operation &op : each.getBody()->without_terminator())
          b.clone(op, map);
      }
    }
  }

  bool countsInFloat() const { return isa<FloatType>(compute) && isa<IntegerType>(stored); }

  /// Half of the registers hold results; that covers the latency of a
  /// multiply-add, and leaves room for what is multiplied.
  RegisterTile chooseTile(int64_t vectorBytes, int64_t registers) const {
    int64_t results = registers / 2;
    int64_t lanes = std::min(n, vectorBytes * 8 / compute.getIntOrFloatBitWidth());
    int64_t vectors = std::min(n / lanes, registers >= 32 ? int64_t(4) : int64_t(2));
    return {std::min(m, results / vectors), vectors, lanes};
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  Value plus(Value value, int64_t more) {
    return more == 0 ? value : b.createOrFold<arith::AddIOp>(loc, value, index(more));
  }

  Value index(OpFoldResult value) { return getValueOrCreateConstantIndexOp(b, loc, value); }

  OpFoldResult sizeOf(Value buffer, int64_t dim) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.isDynamicDim(dim))
      return memref::DimOp::create(b, loc, buffer, dim).getResult();
    return b.getIndexAttr(type.getDimSize(dim));
  }

  /// A loop over `body` up to `end`, which is at most `to`, or the body alone where it runs once.
  void loop(int64_t from, int64_t to, int64_t step, OpFoldResult end, llvm::function_ref<void(Value)> body) {
    if (to - from <= step && !isa<Value>(end))
      return body(index(from));
    auto loop = scf::ForOp::create(b, loc, index(from), index(end), index(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  Value &at(SmallVectorImpl<Value> &values, int64_t row, int64_t column) {
    return values[row * tile.vectors + column];
  }

  void tiles(Value first, OpFoldResult end) {
    loop(0, m, tile.rows, rows, [&](Value row) {
      rowOf.clear();
      for (int64_t i = 0; i < tile.rows; ++i)
        rowOf.push_back(leftRow(plus(row, i)));
      loop(0, n, tile.vectors * tile.lanes, columns, [&](Value column) { tileAt(row, column, first, end); });
    });
  }

  /// Rows behind the part are computed from its last one: the left operand may
  /// be read where it lies, with nothing behind it.
  Value leftRow(Value row) {
    auto count = dyn_cast<Value>(rows);
    if (!count)
      return row;
    Value last = arith::SubIOp::create(b, loc, count, index(1));
    return arith::MinSIOp::create(b, loc, row, last);
  }

  void tileAt(Value row, Value column, Value first, OpFoldResult end) {
    prefetchAt(row, column);
    SmallVector<Value> sums;
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    for (int64_t i = 0; i < tile.rows; ++i)
      for (int64_t j = 0; j < tile.vectors; ++j)
        sums.push_back(!overwrites && !countsInFloat() ? widened(read(row, column, i, j)) : zero);
    Value last = index(end);
    Value steady = last;
    if (!isWhole) {
      Value count = arith::SubIOp::create(b, loc, last, first);
      Value rest = arith::RemUIOp::create(b, loc, count, index(unrolled));
      steady = arith::SubIOp::create(b, loc, last, rest);
    }
    products(column, first, steady, unrolled, sums);
    if (!isWhole)
      products(column, steady, last, 1, sums);
    for (int64_t i = 0; i < tile.rows; ++i)
      for (int64_t j = 0; j < tile.vectors; ++j) {
        Value sum = narrowed(at(sums, i, j));
        if (!overwrites && countsInFloat())
          sum = arith::AddIOp::create(b, loc, sum, read(row, column, i, j));
        vector::StoreOp::create(b, loc, sum, c, ValueRange{plus(row, i), plus(column, j * tile.lanes)});
      }
  }

  /// Adds the products of `count` columns and rows at a time.
  void products(Value column, Value from, Value to, int64_t count, SmallVectorImpl<Value> &sums) {
    auto loop = scf::ForOp::create(b, loc, from, to, index(count), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t i = 0; i < count; ++i)
      step(column, plus(loop.getInductionVar(), i), next);
    scf::YieldOp::create(b, loc, next);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }

  /// One column of the left operand times one row of the right one.
  void step(Value column, Value position, SmallVectorImpl<Value> &sums) {
    SmallVector<Value> right;
    for (int64_t j = 0; j < tile.vectors; ++j)
      right.push_back(vector::LoadOp::create(b, loc, vector, bMatrix,
                                             ValueRange{position, plus(column, j * tile.lanes)}));
    for (int64_t i = 0; i < tile.rows; ++i) {
      Value scalar = memref::LoadOp::create(b, loc, a, ValueRange{rowOf[i], position});
      Value left = vector::BroadcastOp::create(b, loc, vector, scalar);
      for (int64_t j = 0; j < tile.vectors; ++j) {
        Value &sum = at(sums, i, j);
        if (isa<FloatType>(compute))
          sum = vector::FMAOp::create(b, loc, left, right[j], sum);
        else
          sum = arith::AddIOp::create(b, loc, sum, arith::MulIOp::create(b, loc, left, right[j]));
      }
    }
  }

  VectorType storedVector() { return VectorType::get({tile.lanes}, stored); }

  Value read(Value row, Value column, int64_t i, int64_t j) {
    return vector::LoadOp::create(b, loc, storedVector(), c,
                                  ValueRange{plus(row, i), plus(column, j * tile.lanes)});
  }

  Value widened(Value value) {
    return stored == compute ? value : arith::ExtFOp::create(b, loc, vector, value).getResult();
  }

  Value narrowed(Value value) {
    if (stored == compute)
      return value;
    if (countsInFloat())
      return arith::FPToSIOp::create(b, loc, storedVector(), value);
    return arith::TruncFOp::create(b, loc, storedVector(), value);
  }

  linalg::MatmulOp dot;
  OpBuilder b;
  Location loc;
  Value a, bMatrix, c;
  bool overwrites;
  bool isWhole = false; // no positions along K are left over when `unrolled` are taken at a time
  Type compute, stored;
  int64_t m, n, k;                   // of the blocks
  OpFoldResult rows, columns, depth; // of what is multiplied
  SmallVector<Value> rowOf;          // rows of the left operand for this tile
  RegisterTile tile;
  VectorType vector;
  SmallVector<scf::ForOp> prefetches;
};

struct CpuTileDots : flagtree::cpu::impl::CpuTileDotsBase<CpuTileDots> {
  void runOnOperation() override {
    flagtree::Hardware hardware(getOperation());
    SmallVector<linalg::MatmulOp> dots;
    getOperation().walk([&](linalg::MatmulOp dot) { dots.push_back(dot); });
    for (linalg::MatmulOp dot : dots) {
      DotTiler(dot, hardware.vectorBytes(), hardware.vectorRegisters()).run();
      dot.erase();
    }
  }
};

} // namespace
