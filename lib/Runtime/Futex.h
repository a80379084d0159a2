// SPDX-License-Identifier: MIT
//
// Sleeping on a 32-bit word: the kernel's futex on Linux, condition variables
// elsewhere. Both sides of a wait use sequentially consistent operations.
#ifndef FLAGTREE_LIB_RUNTIME_FUTEX_H
#define FLAGTREE_LIB_RUNTIME_FUTEX_H

#include <atomic>
#include <cstdint>

namespace flagtree {

/// Sleeps while `word` holds `expected`, until woken, interrupted by a signal
/// or `timeoutNs` has passed (negative: no limit). May return early: callers
/// look at the word again.
void futexWait(std::atomic<uint32_t> &word, uint32_t expected, int64_t timeoutNs = -1);

/// Wakes the one thread that sleeps on `word`, if any.
void futexWake(std::atomic<uint32_t> &word);

/// One pause of a short bounded wait.
inline void cpuPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

} // namespace flagtree

#endif // FLAGTREE_LIB_RUNTIME_FUTEX_H
