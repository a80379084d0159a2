// SPDX-License-Identifier: MIT
// Functions of libdevice on integers, as operations of arith and math.
#include "ExternFunctions.h"

using namespace mlir;
using namespace flagtree;

namespace {

unsigned widthOf(Value value) { return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth(); }

/// The result is an int32 also for longer arguments.
Value toResult(ExternCall &c, Value value) {
  return value.getType() == c.type ? value : c.make<arith::TruncIOp>(c.type, value);
}

Value absolute(ExternCall &c) { return c.make<math::AbsIOp>(c.x[0]); }
Value leadingZeros(ExternCall &c) { return toResult(c, c.make<math::CountLeadingZerosOp>(c.x[0])); }
Value bitCount(ExternCall &c) { return toResult(c, c.make<math::CtPopOp>(c.x[0])); }

/// Place of the lowest bit that is set, counted from 1; 0 when there is none.
Value firstSet(ExternCall &c) {
  Value x = c.x[0], zero = c.integer(x, 0);
  Value place = c.make<arith::AddIOp>(c.make<math::CountTrailingZerosOp>(x), c.integer(x, 1));
  Value none = c.make<arith::CmpIOp>(arith::CmpIPredicate::eq, x, zero);
  return toResult(c, c.make<arith::SelectOp>(none, zero, place));
}

/// Swaps neighbours of 1, 2, 4, … bits.
Value reverseBits(ExternCall &c) {
  Value x = c.x[0];
  unsigned width = widthOf(x);
  for (unsigned distance = 1; distance < width; distance *= 2) {
    APInt low = APInt::getSplat(width, APInt::getLowBitsSet(2 * distance, distance));
    Value mask = c.integer(x, low.getSExtValue()), by = c.integer(x, distance);
    Value up = c.make<arith::ShLIOp>(c.make<arith::AndIOp>(x, mask), by);
    Value down = c.make<arith::AndIOp>(c.make<arith::ShRUIOp>(x, by), mask);
    x = c.make<arith::OrIOp>(up, down);
  }
  return x;
}

template <typename Op> Value highHalf(ExternCall &c) {
  return Op::create(c.b, c.loc, c.x[0], c.x[1]).getHigh();
}

/// The product of the low 24 bits of each.
template <typename Shift> Value multiply24(ExternCall &c) {
  auto low = [&](Value x) {
    Value by = c.integer(x, 8);
    return c.make<Shift>(c.make<arith::ShLIOp>(x, by), by);
  };
  return c.make<arith::MulIOp>(low(c.x[0]), low(c.x[1]));
}

/// The mean of two numbers without overflow, rounded down or up.
template <typename Shift, bool up> Value mean(ExternCall &c) {
  Value common = up ? c.make<arith::OrIOp>(c.x[0], c.x[1]) : c.make<arith::AndIOp>(c.x[0], c.x[1]);
  Value half = c.make<Shift>(c.make<arith::XOrIOp>(c.x[0], c.x[1]), c.integer(c.x[0], 1));
  return up ? c.make<arith::SubIOp>(common, half) : c.make<arith::AddIOp>(common, half);
}

/// |x - y| + z.
template <typename Max, typename Min> Value sumOfDifference(ExternCall &c) {
  Value difference = c.make<arith::SubIOp>(c.make<Max>(c.x[0], c.x[1]), c.make<Min>(c.x[0], c.x[1]));
  return c.make<arith::AddIOp>(difference, c.x[2]);
}

/// Four bytes out of the eight of y:x; the selector has four bits for each, of
/// which three count.
Value permuteBytes(ExternCall &c) {
  Type wide = c.like(c.b.getI64Type());
  Value low = c.make<arith::ExtUIOp>(wide, c.x[0]), high = c.make<arith::ExtUIOp>(wide, c.x[1]);
  Value bytes = c.make<arith::OrIOp>(low, c.make<arith::ShLIOp>(high, c.integer(high, 32)));
  Value selector = c.make<arith::ExtUIOp>(wide, c.x[2]);
  Value result = c.integer(bytes, 0);
  for (int64_t byte = 0; byte < 4; ++byte) {
    // Bits of a byte: its number times 8.
    Value number = c.make<arith::ShRUIOp>(selector, c.integer(selector, 4 * byte));
    Value by =
        c.make<arith::ShLIOp>(c.make<arith::AndIOp>(number, c.integer(number, 7)), c.integer(number, 3));
    Value picked = c.make<arith::AndIOp>(c.make<arith::ShRUIOp>(bytes, by), c.integer(bytes, 0xff));
    result = c.make<arith::OrIOp>(result, c.make<arith::ShLIOp>(picked, c.integer(picked, 8 * byte)));
  }
  return c.make<arith::TruncIOp>(c.type, result);
}

} // namespace

void flagtree::addExternIntegerFunctions(ExternTable &table) {
  constexpr std::pair<StringLiteral, ExternFunction> functions[] = {
      {"abs", absolute},
      {"llabs", absolute},
      {"brev", reverseBits},
      {"brevll", reverseBits},
      {"byte_perm", permuteBytes},
      {"clz", leadingZeros},
      {"clzll", leadingZeros},
      {"ffs", firstSet},
      {"ffsll", firstSet},
      {"popc", bitCount},
      {"popcll", bitCount},
      {"hadd", mean<arith::ShRSIOp, false>},
      {"uhadd", mean<arith::ShRUIOp, false>},
      {"rhadd", mean<arith::ShRSIOp, true>},
      {"urhadd", mean<arith::ShRUIOp, true>},
      {"mul24", multiply24<arith::ShRSIOp>},
      {"umul24", multiply24<arith::ShRUIOp>},
      {"mulhi", highHalf<arith::MulSIExtendedOp>},
      {"mul64hi", highHalf<arith::MulSIExtendedOp>},
      {"umulhi", highHalf<arith::MulUIExtendedOp>},
      {"umul64hi", highHalf<arith::MulUIExtendedOp>},
      {"sad", sumOfDifference<arith::MaxSIOp, arith::MinSIOp>},
      {"usad", sumOfDifference<arith::MaxUIOp, arith::MinUIOp>}};
  for (auto [name, function] : functions)
    table[name] = function;
}
