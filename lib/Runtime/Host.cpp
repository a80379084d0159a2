// SPDX-License-Identifier: MIT
#include "Host.h"
#include "Chunker.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

using namespace flagtree;

namespace {

constexpr size_t kScratchAlignment = 64;
/// A thread keeps this much between ranges: new pages cost more than most programs.
constexpr size_t kMostKept = size_t(64) << 20;

/// Memory of one thread, as large as the largest program needed.
class Scratch {
public:
  ~Scratch() { release(); }

  void *atLeast(size_t bytes) {
    if (bytes <= size)
      return memory;
    release();
    memory = std::aligned_alloc(kScratchAlignment, bytes);
    size = memory ? bytes : 0;
    return memory;
  }

  void trim() {
    if (size > kMostKept)
      release();
  }

private:
  void release() {
    std::free(memory);
    memory = nullptr;
    size = 0;
  }

  void *memory = nullptr;
  size_t size = 0;
};

thread_local Scratch scratchOfThread;

/// A range that runs; the context is its beginning.
struct Range {
  KernelContext context;
  HostLaunch *launch;
  std::jmp_buf end;
  bool usesScratch = false;
};

Range &rangeOf(KernelContext *context) { return *reinterpret_cast<Range *>(context); }

/// Frames of kernels hold nothing that must be destroyed, nor may those here.
[[noreturn]] void leave(Range &range) { std::longjmp(range.end, 1); }

void note(HostLaunch &launch, FailureKind kind, const int32_t program[3], const char *text,
          int64_t bytes) noexcept {
  if (launch.failed.exchange(true))
    return;
  launch.failure.kind = kind;
  launch.failure.bytes = bytes;
  for (int axis = 0; axis < 3; ++axis)
    launch.failure.program[axis] = program[axis];
  try {
    launch.failure.text = text;
  } catch (const std::bad_alloc &) {
    // The kind is known at least.
  }
}

int64_t clock(KernelContext *) { return nowNs(); }

void yield(KernelContext *) { std::this_thread::yield(); }

void fail(KernelContext *context, int32_t x, int32_t y, int32_t z, const char *text) {
  const int32_t program[3]{x, y, z};
  note(*rangeOf(context).launch, FailureKind::Assertion, program, text, 0);
  leave(rangeOf(context));
}

void write(const int32_t program[3], const char *what, const void *data) noexcept {
  try {
    std::string lines = formatPrint(program, what, data);
    // One call, so that lines of other threads do not come in between.
    std::fwrite(lines.data(), 1, lines.size(), stdout);
  } catch (const std::bad_alloc &) {
    std::fputs("device_print: out of memory\n", stdout);
  }
  std::fflush(stdout);
}

void print(KernelContext *, int32_t x, int32_t y, int32_t z, const char *what, const void *data) {
  const int32_t program[3]{x, y, z};
  write(program, what, data);
}

void *scratch(KernelContext *context, int64_t bytes) {
  Range &range = rangeOf(context);
  range.usesScratch = true;
  size_t rounded = (size_t(bytes) + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  if (void *memory = scratchOfThread.atLeast(rounded))
    return memory;
  const int32_t unknown[3]{};
  note(*range.launch, FailureKind::OutOfMemory, unknown, "", bytes);
  leave(range);
}

constexpr KernelHost kHost{clock, yield, fail, print, scratch};

} // namespace

void HostLaunch::run(int64_t begin, int64_t end) noexcept {
  if (failed.load(std::memory_order_relaxed))
    return;
  Range range{{{grid[0], grid[1], grid[2]}, 0, &kHost}, this, {}, false};
  if (setjmp(range.end) == 0)
    entry(args, range.context.grid, begin, end);
  if (range.usesScratch)
    scratchOfThread.trim();
}
