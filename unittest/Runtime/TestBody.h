// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_UNITTEST_RUNTIME_TESTBODY_H
#define FLAGTREE_UNITTEST_RUNTIME_TESTBODY_H

#include "flagtree/Runtime/ThreadPool.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace flagtree::test {

/// A task over a callable `void(int64_t begin, int64_t end)`, which must
/// outlive it.
template <typename F> PoolTask taskOf(int64_t total, F &body) {
  PoolTask task;
  task.total = total;
  task.context = &body;
  task.body = [](void *context, int64_t begin, int64_t end) noexcept {
    (*static_cast<F *>(context))(begin, end);
  };
  return task;
}

/// Gives the task a poll function, a callable `bool()` that must outlive it.
template <typename F> void setPoll(PoolTask &task, F &poll) {
  task.pollContext = &poll;
  task.poll = [](void *context) { return (*static_cast<F *>(context))(); };
}

/// Counts how often each program ran.
class Counts {
public:
  explicit Counts(int64_t total) : counts(total) {}

  void operator()(int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      counts[i].fetch_add(1, std::memory_order_relaxed);
  }

  /// Programs whose count is not `expected`.
  int64_t wrong(int expected = 1) const {
    int64_t n = 0;
    for (auto &count : counts)
      n += count.load() != expected;
    return n;
  }

  int64_t sum() const {
    int64_t n = 0;
    for (auto &count : counts)
      n += count.load();
    return n;
  }

private:
  std::vector<std::atomic<int>> counts;
};

/// The threads that came by.
class ThreadSet {
public:
  void add() {
    std::lock_guard<std::mutex> lock(mutex);
    ids.insert(std::this_thread::get_id());
  }
  size_t size() const { return ids.size(); }
  bool only(std::thread::id id) const { return ids == std::set{id}; }

private:
  std::mutex mutex;
  std::set<std::thread::id> ids;
};

inline void sleepMs(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace flagtree::test

#endif // FLAGTREE_UNITTEST_RUNTIME_TESTBODY_H
