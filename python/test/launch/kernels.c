// SPDX-License-Identifier: MIT
// Kernels for the launcher's tests, by the CPU ABI: programs begin..end-1.
#include <stdint.h>
#include <time.h>

#define KERNEL(name)                                                           \
  void name(const uint64_t *args, const int32_t *grid, int64_t begin,          \
            int64_t end)

static void sleep_us(int64_t us) {
  struct timespec t = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&t, 0);
}

KERNEL(noop) { (void)args, (void)grid, (void)begin, (void)end; }

// (out: *u64, value): the slot of value.
KERNEL(store_slot) {
  (void)grid, (void)begin, (void)end;
  *(uint64_t *)args[0] = args[1];
}

// (out: *u64, 60 values): their sum.
KERNEL(sum_slots) {
  (void)grid, (void)begin, (void)end;
  uint64_t sum = 0;
  for (int i = 1; i <= 60; ++i)
    sum += args[i];
  *(uint64_t *)args[0] = sum;
}

// (counts: *i32): adds one for each program.
KERNEL(count) {
  (void)grid;
  int32_t *counts = (int32_t *)args[0];
  for (int64_t i = begin; i < end; ++i)
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
}

// (out: *i64): grid sizes, then the number of programs.
KERNEL(store_grid) {
  int64_t *out = (int64_t *)args[0];
  for (int i = 0; i < 3; ++i)
    __atomic_store_n(&out[i], grid[i], __ATOMIC_RELAXED);
  __atomic_fetch_add(&out[3], end - begin, __ATOMIC_RELAXED);
}

// (x: *fp32, y: *fp32, out: *fp32, n: i32), 64 elements a program.
KERNEL(add) {
  (void)grid;
  const float *x = (const float *)args[0], *y = (const float *)args[1];
  float *out = (float *)args[2];
  int64_t n = (int32_t)args[3], stop = end * 64 < n ? end * 64 : n;
  for (int64_t i = begin * 64; i < stop; ++i)
    out[i] = x[i] + y[i];
}

// (ran: *i64, us: i64): each program sleeps, then counts itself.
KERNEL(slow) {
  (void)grid;
  for (int64_t i = begin; i < end; ++i) {
    sleep_us((int64_t)args[1]);
    __atomic_fetch_add((int64_t *)args[0], 1, __ATOMIC_RELAXED);
  }
}

// (in: *i64, out: *i64, us: i64): copies one value after a sleep.
KERNEL(late_copy) {
  (void)grid, (void)begin, (void)end;
  sleep_us((int64_t)args[2]);
  *(int64_t *)args[1] = *(volatile int64_t *)args[0];
}
