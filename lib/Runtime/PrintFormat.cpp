// SPDX-License-Identifier: MIT
// Text of device_print, in the words of upstream's GPU backends.
#include "Host.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <vector>

using namespace flagtree;

namespace {

/// What the compiler says of one operand.
struct Operand {
  char kind = 'n';
  unsigned bits = 0;
  bool hex = false;
  long number = -1;
  std::vector<int64_t> shape;
  std::string prefix;
};

Operand parse(const char *what) {
  const char *line = std::strchr(what, '\n');
  Operand operand;
  operand.prefix = line + 1;
  std::istringstream words(std::string(what, line));
  std::string radix;
  words >> operand.kind >> operand.bits >> radix >> operand.number;
  operand.hex = radix == "hex";
  for (int64_t size; words >> size; words.get()) // the x behind it
    operand.shape.push_back(size);
  return operand;
}

std::string printed(const char *format, auto... values) {
  char text[400]; // fp64 has at most 309 digits before the point
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string elementText(const Operand &operand, const void *data, int64_t index) {
  uint64_t bits = 0;
  size_t bytes = operand.bits / 8;
  std::memcpy(&bits, static_cast<const char *>(data) + index * bytes, bytes); // little-endian
  if (operand.hex)
    return printed("0x%0*llx", int(operand.bits / 4), static_cast<unsigned long long>(bits));
  if (operand.kind == 'f') {
    if (operand.bits == 64) {
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return printed("%f", value);
    }
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return printed("%f", double(value));
  }
  if (operand.kind == 'u')
    return printed("%llu", static_cast<unsigned long long>(bits));
  unsigned shift = 64 - operand.bits;
  return printed("%lld", static_cast<long long>(int64_t(bits << shift) >> shift));
}

} // namespace

std::string flagtree::formatPrint(const int32_t program[3], const char *what, const void *data) {
  Operand operand = parse(what);
  std::string start =
      printed("pid (%u, %u, %u)", unsigned(program[0]), unsigned(program[1]), unsigned(program[2]));
  if (operand.kind == 'n')
    return start + operand.prefix + "\n";
  std::string middle = ")" + operand.prefix;
  if (operand.number >= 0)
    middle += "(operand " + std::to_string(operand.number) + ") ";
  std::vector<int> widths;
  int64_t elements = 1;
  for (int64_t size : operand.shape) {
    widths.push_back(int(std::ceil(std::log10(double(size)))));
    elements *= size;
  }
  std::string lines;
  std::vector<int64_t> index(operand.shape.size(), 0);
  for (int64_t element = 0; element < elements; ++element) {
    lines += start + " idx (";
    for (size_t dim = 0; dim < index.size(); ++dim)
      lines += (dim ? ", " : "") + printed("%*lld", widths[dim], static_cast<long long>(index[dim]));
    lines += middle + elementText(operand, data, element) + "\n";
    for (size_t dim = index.size(); dim-- > 0 && ++index[dim] == operand.shape[dim];)
      index[dim] = 0;
  }
  return lines;
}
