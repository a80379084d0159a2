// SPDX-License-Identifier: MIT
//
// How many units of work to take at once, learned from the time they take.
#ifndef FLAGTREE_LIB_RUNTIME_CHUNKER_H
#define FLAGTREE_LIB_RUNTIME_CHUNKER_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace flagtree {

/// Nanoseconds of a monotonic clock.
inline int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// One participant's chunk size. Starts with one unit, grows at most eightfold
/// a step (programs of one grid may differ widely) up to 50 us a chunk, and
/// halves toward the end of a range so that the tail balances.
class Chunker {
public:
  /// Units to take of `remaining` (> 0).
  int64_t next(int64_t remaining) const {
    int64_t tail = std::max<int64_t>(remaining - remaining / 2, smallest);
    return std::min({size, tail, remaining});
  }

  /// Learns that `units` took `ns`.
  void record(int64_t units, int64_t ns) {
    totalUnits += units;
    totalNs += ns;
    double each = std::max(double(ns) / double(units), 0.01);
    size = std::clamp<int64_t>(int64_t(kTargetNs / each), 1, units * 8);
    smallest = std::clamp<int64_t>(int64_t(kSmallestNs / each), 1, size);
  }

  int64_t units() const { return totalUnits; }
  int64_t nanoseconds() const { return totalNs; }

private:
  static constexpr double kTargetNs = 50'000;
  static constexpr double kSmallestNs = 2'000;

  int64_t size = 1;
  int64_t smallest = 1;
  int64_t totalUnits = 0;
  int64_t totalNs = 0;
};

} // namespace flagtree

#endif // FLAGTREE_LIB_RUNTIME_CHUNKER_H
