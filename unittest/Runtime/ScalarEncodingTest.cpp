// SPDX-License-Identifier: MIT
//
// The oracle decodes a pattern with ldexp, apart from the encoder's arithmetic,
// and walks over every pattern of the format.
#include "flagtree/Runtime/ScalarEncoding.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace flagtree;

namespace {

double decode(uint16_t bits, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                               : std::ldexp(mantissa + (1 << mantissaBits), exponent - bias - mantissaBits);
  return bits & 0x8000 ? -value : value;
}

/// Checks each finite value, and each midpoint to the next with its neighbours
/// among the doubles.
template <typename Encode> void checkFormat(Encode encode, int exponentBits, int mantissaBits) {
  uint16_t infinity = ((1 << exponentBits) - 1) << mantissaBits;
  for (int sign : {0, 0x8000})
    for (uint16_t bits = 0; bits < infinity; ++bits) {
      double value = decode(bits, exponentBits, mantissaBits);
      // Past the largest comes what would be the next power of two.
      double next = decode(bits + 1, exponentBits, mantissaBits);
      double middle = (value + next) / 2;
      double s = sign ? -1.0 : 1.0;
      uint16_t even = bits & 1 ? bits + 1 : bits;
      ASSERT_EQ(encode(s * value), sign | bits);
      ASSERT_EQ(encode(s * middle), sign | even) << value;
      ASSERT_EQ(encode(s * std::nextafter(middle, 0.0)), sign | bits) << value;
      ASSERT_EQ(encode(s * std::nextafter(middle, INFINITY)), sign | (bits + 1)) << value;
    }
}

TEST(ScalarEncoding, EveryFp16AndItsMidpointsRoundToNearestEven) { checkFormat(encodeFp16, 5, 10); }

TEST(ScalarEncoding, EveryBf16AndItsMidpointsRoundToNearestEven) { checkFormat(encodeBf16, 8, 7); }

TEST(ScalarEncoding, OverflowIsInfinity) {
  EXPECT_EQ(encodeFp16(65519.0), 0x7bff);
  EXPECT_EQ(encodeFp16(65520.0), 0x7c00);
  EXPECT_EQ(encodeFp16(-1e300), 0xfc00);
  EXPECT_EQ(encodeBf16(1e39), 0x7f80);
  EXPECT_EQ(encodeFp32(1e39), 0x7f800000u);
  EXPECT_EQ(encodeFp32(-INFINITY), 0xff800000u);
}

TEST(ScalarEncoding, SpecialValuesKeepTheirKindAndSign) {
  EXPECT_EQ(encodeFp16(-0.0), 0x8000);
  EXPECT_EQ(encodeBf16(-0.0), 0x8000);
  EXPECT_EQ(encodeFp16(INFINITY), 0x7c00);
  EXPECT_EQ(encodeFp16(5e-324), 0);
  double signalling = std::numeric_limits<double>::signaling_NaN();
  for (double nan : {std::nan(""), std::nan("7"), signalling}) {
    EXPECT_EQ(encodeFp16(nan) & 0x7e00, 0x7e00);
    EXPECT_EQ(encodeBf16(nan) & 0x7fc0, 0x7fc0);
    EXPECT_EQ(encodeFp16(-nan) & 0x8000, 0x8000);
  }
}

TEST(ScalarEncoding, IntegerRangesFollowWidthAndSign) {
  EXPECT_EQ(integerRange(8, true).min, -128);
  EXPECT_EQ(integerRange(8, true).max, 127u);
  EXPECT_EQ(integerRange(8, false).min, 0);
  EXPECT_EQ(integerRange(8, false).max, 255u);
  EXPECT_EQ(integerRange(64, true).min, INT64_MIN);
  EXPECT_EQ(integerRange(64, true).max, uint64_t(INT64_MAX));
  EXPECT_EQ(integerRange(64, false).max, UINT64_MAX);
  EXPECT_EQ(integerRange(1, true).min, 0);
  EXPECT_EQ(integerRange(1, true).max, 1u);
}

} // namespace
