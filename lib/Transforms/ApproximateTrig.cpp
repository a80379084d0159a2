// SPDX-License-Identifier: MIT
// sin, cos and tan in fp32: |x| = n·π/2 + r with |r| ≤ π/4, polynomials in r,
// chosen and signed by n. π/2 in three parts of 24 bits serves up to 2^16; a
// vector with any larger element is given to libm, element by element. The
// reduction is that of N. Juffa's sinf (stackoverflow.com/a/30465751).
#include "ApproximateMath.h"
#include "Fp32Builder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace flagtree;

namespace {

constexpr float largest = 65536.0f;
constexpr float twoOverPi = 0x1.45f306p-1f;
constexpr float halfPi[] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f}; // their sum is π/2

/// (sin(r) - r) / r³ in r².
constexpr float sine[] = {-0x1.555544p-3f, 0x1.1106c6p-7f, -0x1.991c1ap-13f};
/// (cos(r) - 1) / r² in r².
constexpr float cosine[] = {-0.5f, 0x1.55554ap-5f, -0x1.6c0c26p-10f, 0x1.99e71cp-16f};
/// (tan(r) - r) / r³ in r².
constexpr float tangent[] = {0x1.555560p-2f, 0x1.110d96p-3f,  0x1.badbf8p-5f, 0x1.5ca488p-6f,
                             0x1.6372e6p-7f, 0x1.27240cp-14f, 0x1.1f89f6p-8f};

struct Reduced {
  Value quadrant, n; // n in the low bits, and as a number
  Value left;        // |x| less the first part of n·π/2: exact
};

Reduced reduce(Fp32Builder &f, Value size) {
  Value rounded = f.madd(size, twoOverPi, f.rounder);
  Value n = f.add(rounded, -f.rounder);
  return {f.bits(rounded), n, f.fma(n, -halfPi[0], size)};
}

Value isOdd(Fp32Builder &f, Value quadrant) {
  return f.compare(arith::CmpIPredicate::slt, f.shiftLeft(quadrant, 31), 0);
}

/// sin(x + quarters·π/2).
template <int quarters> Value circular(Fp32Builder &f, Value x) {
  auto [quadrant, n, left] = reduce(f, f.abs(x));
  Value r = f.madd(n, -halfPi[2], f.fma(n, -halfPi[1], left));
  Value square = f.mul(r, r);
  Value sin = f.madd(f.polynomial(square, sine), f.mul(r, square), r);
  Value cos = f.madd(f.polynomial(square, cosine), square, 1.0f);
  if (quarters)
    quadrant = f.addInt(quadrant, quarters);
  Value result = f.select(isOdd(f, quadrant), cos, sin);
  Value sign = f.shiftLeft(f.andInt(quadrant, 2), 30);
  if (!quarters)
    sign = f.xorInt(sign, f.sign(x));
  return f.fromBits(f.xorInt(f.bits(result), sign));
}

/// Here what is left has a second part: 1 / tan would double its error.
Value tan(Fp32Builder &f, Value x) {
  auto [quadrant, n, left] = reduce(f, f.abs(x));
  Value second = f.mul(n, halfPi[1]);
  Value secondLow = f.fma(n, halfPi[1], f.mul(second, -1.0f));
  Value r = f.sub(left, second);
  Value low = f.madd(n, -halfPi[2], f.sub(f.sub(f.sub(left, r), second), secondLow));
  Value square = f.mul(r, r);
  Value more = f.madd(f.polynomial(square, tangent), f.mul(r, square), f.madd(low, square, low));
  Value even = f.add(r, more);
  Value odd = f.div(f.constant(-1.0f), even);
  Value result = f.select(isOdd(f, quadrant), odd, even);
  return f.fromBits(f.xorInt(f.bits(result), f.sign(x)));
}

/// A loop that computes `Op` of each element, through a buffer.
template <typename Op> Value elementByElement(OpBuilder &b, Location loc, Value x, Value buffer) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = arith::ConstantIndexOp::create(b, loc, cast<MemRefType>(buffer.getType()).getNumElements());
  vector::StoreOp::create(b, loc, x, buffer, ValueRange{zero});
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value index = loop.getInductionVar();
    Value element = memref::LoadOp::create(b, loc, buffer, index);
    memref::StoreOp::create(b, loc, Op::create(b, loc, element), buffer, index);
  }
  return vector::LoadOp::create(b, loc, cast<VectorType>(x.getType()), buffer, ValueRange{zero});
}

/// Scalars are left to libm, which is as fast for one of them.
template <typename Op, Value (*Function)(Fp32Builder &, Value)>
struct ApproximateCircular : OpRewritePattern<Op> {
  explicit ApproximateCircular(MLIRContext *context) : OpRewritePattern<Op>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto function = op->template getParentOfType<func::FuncOp>();
    if (!type || !type.getElementType().isF32() || type.isScalable() || type.getRank() == 0 || !function)
      return failure();
    Location loc = op.getLoc();
    auto row = VectorType::get(type.getNumElements(), type.getElementType());
    auto reshape = [&](Type to, Value value) -> Value {
      return value.getType() == to ? value : vector::ShapeCastOp::create(rewriter, loc, to, value);
    };
    Value x = reshape(row, op.getOperand());
    Fp32Builder f(rewriter, loc, row);
    // As integers, infinities and NaN are larger than all numbers.
    Value greatest =
        vector::ReductionOp::create(rewriter, loc, vector::CombiningKind::MAXUI, f.bits(f.abs(x)));
    Value bound = arith::ConstantOp::create(rewriter, loc,
                                            rewriter.getI32IntegerAttr(llvm::bit_cast<int32_t>(largest)));
    Value inReach = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, greatest, bound);
    Value buffer;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&function.getBody().front());
      buffer = memref::AllocaOp::create(rewriter, loc, MemRefType::get(row.getShape(), row.getElementType()),
                                        rewriter.getI64IntegerAttr(64));
    }
    auto branch = scf::IfOp::create(rewriter, loc, row, inReach, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, Function(f, x));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, elementByElement<Op>(rewriter, loc, x, buffer));
    rewriter.setInsertionPointAfter(branch);
    rewriter.replaceOp(op, reshape(type, branch.getResult(0)));
    return success();
  }
};

} // namespace

void flagtree::populateApproximateTrigPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateCircular<math::SinOp, circular<0>>, ApproximateCircular<math::CosOp, circular<1>>,
               ApproximateCircular<math::TanOp, tan>>(patterns.getContext());
}
