// SPDX-License-Identifier: MIT
//
// The launching thread's rounding mode and treatment of subnormals, given to
// workers so that a program's result does not depend on who ran it.
#ifndef FLAGTREE_LIB_RUNTIME_FLOATENVIRONMENT_H
#define FLAGTREE_LIB_RUNTIME_FLOATENVIRONMENT_H

#include <cstdint>

namespace flagtree {

/// The calling thread's floating-point control bits.
inline uint64_t floatEnvironment() {
#if defined(__SSE__)
  // The low six bits are sticky status flags, not control.
  return __builtin_ia32_stmxcsr() & ~0x3fu;
#elif defined(__aarch64__)
  uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
#else
  return 0;
#endif
}

/// Sets them on the calling thread.
inline void setFloatEnvironment([[maybe_unused]] uint64_t bits) {
#if defined(__SSE__)
  __builtin_ia32_ldmxcsr(unsigned(bits));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(bits));
#endif
}

} // namespace flagtree

#endif // FLAGTREE_LIB_RUNTIME_FLOATENVIRONMENT_H
