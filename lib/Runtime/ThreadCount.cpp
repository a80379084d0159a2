// SPDX-License-Identifier: MIT
//
// How many threads: the affinity mask and FLAGTREE_NUM_THREADS.
#include "flagtree/Runtime/ProcessPool.h"

#include <charconv>
#include <cstring>
#include <thread>
#ifdef __linux__
#include <cerrno>
#include <sched.h>
#endif

using namespace flagtree;

#ifdef __linux__
/// CPUs in the affinity mask, 0 when it cannot be read.
static int cpusInMask() {
  // The mask of a large machine is longer than cpu_set_t.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 4) {
    cpu_set_t *mask = CPU_ALLOC(capacity);
    if (!mask)
      return 0;
    size_t size = CPU_ALLOC_SIZE(capacity);
    bool read = sched_getaffinity(0, size, mask) == 0;
    bool tooSmall = !read && errno == EINVAL;
    int count = read ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (!tooSmall)
      return count;
  }
  return 0;
}
#endif

int flagtree::availableCpus() {
  int count = 0;
#ifdef __linux__
  count = cpusInMask();
#endif
  if (count <= 0)
    count = int(std::thread::hardware_concurrency());
  return count < 1 ? 1 : std::min(count, ThreadPool::kMaxThreads);
}

ThreadCount flagtree::parseThreadCount(const char *text) {
  if (!text || !*text)
    return {availableCpus(), {}};
  const char *end = text + std::strlen(text);
  int value = 0;
  auto parsed = std::from_chars(text, end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end && value >= 1 && value <= ThreadPool::kMaxThreads)
    return {value, {}};
  return {0, std::string(kNumThreadsVariable) + "='" + text +
                 "' is not a number of threads: set it to an integer from 1 "
                 "to " +
                 std::to_string(ThreadPool::kMaxThreads) +
                 ", or unset it to use every CPU of the affinity mask"};
}
