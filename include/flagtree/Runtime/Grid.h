// SPDX-License-Identifier: MIT
//
// Calls a compiled kernel over its grid.
#ifndef FLAGTREE_RUNTIME_GRID_H
#define FLAGTREE_RUNTIME_GRID_H

#include "flagtree/Runtime/KernelContext.h"
#include "flagtree/Runtime/ThreadPool.h"

#include <cstdint>
#include <string>

namespace flagtree {

/// A compiled kernel: runs programs begin..end-1 of the linear grid, x fastest.
/// `args` has one 8-byte slot per run-time parameter in order: pointers as
/// addresses, integers extended to 64 bits, floats as their own bits in the
/// low bytes. `grid` is the first member of the range's KernelContext.
extern "C" {
using KernelEntry = void (*)(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end);
}

/// What is wrong with a grid.
enum class GridFault { None, Negative, AxisTooLarge, TooManyPrograms };

/// A checked grid: how many programs it has, or its fault and the axis at
/// fault (0, 1, 2; unused for TooManyPrograms).
struct GridCheck {
  int64_t total = 0;
  GridFault fault = GridFault::None;
  int axis = 0;
};

/// Checks three grid sizes: each 0..2^31-1, their product at most 2^63-1.
GridCheck checkGrid(const int64_t sizes[3]);

/// What ended a launch before its end.
enum class FailureKind { None, Assertion, OutOfMemory };

struct LaunchFailure {
  FailureKind kind = FailureKind::None;
  /// Of an assertion: ids of the program, and the message with the place in the source.
  int32_t program[3] = {};
  std::string text;
  /// Of a lack of memory: what one program needs.
  int64_t bytes = 0;
};

/// Runs every program of `grid` once on `pool` and returns when all are done
/// or the poll cancelled the rest. A grid with a size of 0 runs nothing.
/// `total` is the product of the sizes, as checkGrid gives it. When a program
/// fails, those that have not started never run, and `failure` says why.
LaunchResult runGrid(ThreadPool &pool, KernelEntry entry, const uint64_t *args, const int32_t grid[3],
                     int64_t total, CostEstimate *cost = nullptr, PoolTask::Poll poll = nullptr,
                     void *pollContext = nullptr, LaunchFailure *failure = nullptr);

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_GRID_H
