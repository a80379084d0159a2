// SPDX-License-Identifier: MIT
#include "Futex.h"

#if defined(__linux__) && !defined(FLAGTREE_PORTABLE_FUTEX)

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void flagtree::futexWait(std::atomic<uint32_t> &word, uint32_t expected, int64_t timeoutNs) {
  timespec limit{time_t(timeoutNs / 1'000'000'000), long(timeoutNs % 1'000'000'000)};
  // Every outcome (woken, value moved on, timeout, signal) means: look again.
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeoutNs < 0 ? nullptr : &limit, nullptr, 0);
}

void flagtree::futexWake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

#else

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace {
struct Bucket {
  std::mutex mutex;
  std::condition_variable condition;
};

// Never destroyed: workers may sleep here while the process exits.
Bucket &bucketOf(const void *word) {
  static Bucket *buckets = new Bucket[64];
  return buckets[(reinterpret_cast<uintptr_t>(word) >> 6) % 64];
}
} // namespace

void flagtree::futexWait(std::atomic<uint32_t> &word, uint32_t expected, int64_t timeoutNs) {
  Bucket &bucket = bucketOf(&word);
  std::unique_lock<std::mutex> lock(bucket.mutex);
  if (word.load() != expected)
    return;
  if (timeoutNs < 0)
    bucket.condition.wait(lock);
  else
    bucket.condition.wait_for(lock, std::chrono::nanoseconds(timeoutNs));
}

void flagtree::futexWake(std::atomic<uint32_t> &word) {
  Bucket &bucket = bucketOf(&word);
  // Taking the lock orders the wake after a sleeper's look at the word.
  {
    std::lock_guard<std::mutex> lock(bucket.mutex);
  }
  bucket.condition.notify_all();
}

#endif
