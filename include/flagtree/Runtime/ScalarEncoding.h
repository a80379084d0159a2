// SPDX-License-Identifier: MIT
//
// Bits of scalar kernel arguments. Rounding is to nearest, ties to even;
// overflow gives infinity; a NaN stays a (quiet) NaN with its sign.
#ifndef FLAGTREE_RUNTIME_SCALARENCODING_H
#define FLAGTREE_RUNTIME_SCALARENCODING_H

#include <bit>
#include <cstdint>

namespace flagtree {

/// Bits of `value` in an IEEE-like format with the given widths, rounded once
/// from double (through float would round twice).
template <unsigned ExponentBits, unsigned MantissaBits> constexpr uint16_t encodeSmallFloat(double value) {
  static_assert(1 + ExponentBits + MantissaBits == 16);
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr uint64_t infinity = ((uint64_t(1) << ExponentBits) - 1) << MantissaBits;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t sign = (bits >> 63) << 15;
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  int biased = int(bits >> 52) & 0x7ff;
  if (biased == 0x7ff) {
    if (mantissa == 0)
      return uint16_t(sign | infinity);
    uint64_t quiet = uint64_t(1) << (MantissaBits - 1);
    return uint16_t(sign | infinity | quiet | (mantissa >> (52 - MantissaBits)));
  }
  // A subnormal double is far below half of the smallest value of the format.
  int exponent = biased - 1023;
  if (biased == 0 || exponent < -bias - int(MantissaBits))
    return uint16_t(sign);
  if (exponent > bias)
    return uint16_t(sign | infinity);
  int belowNormal = exponent < 1 - bias ? 1 - bias - exponent : 0;
  int shift = 52 - int(MantissaBits) + belowNormal;
  uint64_t significand = mantissa | (uint64_t(1) << 52);
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // `kept` of a normal number has its implicit one, which adds one to the
  // exponent field; a carry out of rounding does the same.
  if (!belowNormal)
    kept += uint64_t(exponent + bias - 1) << MantissaBits;
  return uint16_t(sign | (kept < infinity ? kept : infinity));
}

constexpr uint16_t encodeFp16(double value) { return encodeSmallFloat<5, 10>(value); }

constexpr uint16_t encodeBf16(double value) { return encodeSmallFloat<8, 7>(value); }

/// The conversion of the hardware: IEEE 754 defines it for every value.
inline uint32_t encodeFp32(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

constexpr uint64_t encodeFp64(double value) { return std::bit_cast<uint64_t>(value); }

/// Smallest and largest value of an integer parameter.
struct IntegerRange {
  int64_t min;
  uint64_t max;
};

/// Range of an integer of 1..64 bits. One bit means a truth value, 0 or 1,
/// whatever its sign.
constexpr IntegerRange integerRange(unsigned bits, bool isSigned) {
  if (bits == 1)
    return {0, 1};
  if (!isSigned)
    return {0, bits == 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1};
  uint64_t max = (uint64_t(1) << (bits - 1)) - 1;
  return {-int64_t(max) - 1, max};
}

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_SCALARENCODING_H
