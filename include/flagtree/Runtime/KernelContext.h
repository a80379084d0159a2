// SPDX-License-Identifier: MIT
//
// What a running kernel sees of its launch: the size of the grid, and what the
// host does for it. Kernels call the host through a table, so object code
// refers to no symbol of this library.
#ifndef FLAGTREE_RUNTIME_KERNELCONTEXT_H
#define FLAGTREE_RUNTIME_KERNELCONTEXT_H

#include <cstddef>
#include <cstdint>

namespace flagtree {

struct KernelContext;

/// Functions of the host, in the order of HostFunction. Each is called on the
/// thread that runs the program. x, y and z are the program's ids.
struct KernelHost {
  /// Nanoseconds of a clock that never goes back.
  int64_t (*clock)(KernelContext *);
  /// Lets other threads run.
  void (*yield)(KernelContext *);
  /// Ends this program and the launch; does not return. `text` is copied.
  void (*fail)(KernelContext *, int32_t x, int32_t y, int32_t z, const char *text);
  /// Prints the elements at `data`, row-major. `what` is "KINDBITS RADIX OPERAND SHAPE\nPREFIX": s, u or f
  /// (n: no elements) and 8 to 64; dec or hex; -1 when there is one operand; sizes with x between them, none
  /// for a scalar.
  void (*print)(KernelContext *, int32_t x, int32_t y, int32_t z, const char *what, const void *data);
  /// Memory for the buffers of a program, aligned to 64 bytes, the same for each program of the range. Ends
  /// the launch when there is none.
  void *(*scratch)(KernelContext *, int64_t bytes);
};

/// Places in the table.
enum class HostFunction : unsigned { Clock, Yield, Fail, Print, Scratch };

/// One range of programs on one thread. The compiler knows this layout.
struct KernelContext {
  int32_t grid[3];
  int32_t unused = 0;
  const KernelHost *host = nullptr;
};

inline constexpr size_t kContextHostOffset = 16;
static_assert(offsetof(KernelContext, host) == kContextHostOffset);

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_KERNELCONTEXT_H
