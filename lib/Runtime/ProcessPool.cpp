// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/ProcessPool.h"
#include "flagtree/Runtime/Fork.h"

#include <cstdlib>
#include <memory>

using namespace flagtree;

namespace {
struct Entry {
  explicit Entry(int numThreads) : pool(numThreads) {}
  ThreadPool pool;
  uint32_t generation = forkGeneration();
};

// An entry is never destroyed: its workers may sleep while the process exits,
// and a child of fork must not touch the state of threads it has lost.
std::atomic<Entry *> current{nullptr};
std::atomic<int> requestedThreads{0};

/// The pool of this process, null when it has none yet.
ThreadPool *existingPool() {
  Entry *entry = current.load(std::memory_order_acquire);
  bool ours = entry && entry->generation == forkGeneration();
  return ours ? &entry->pool : nullptr;
}
} // namespace

ThreadCount flagtree::numThreads() {
  if (int requested = requestedThreads.load())
    return {requested, {}};
  if (ThreadPool *pool = existingPool())
    return {pool->numThreads(), {}};
  return parseThreadCount(std::getenv(kNumThreadsVariable));
}

std::string flagtree::setNumThreads(int64_t n) {
  if (n < 1 || n > ThreadPool::kMaxThreads)
    return "number of threads " + std::to_string(n) + " is not allowed: pass an integer from 1 to " +
           std::to_string(ThreadPool::kMaxThreads);
  requestedThreads.store(int(n));
  if (ThreadPool *pool = existingPool())
    pool->setNumThreads(int(n));
  return {};
}

ThreadPool *flagtree::processPool(std::string &error) {
  if (ThreadPool *pool = existingPool())
    return pool;
  ThreadCount count = numThreads();
  if (!count.error.empty()) {
    error = std::move(count.error);
    return nullptr;
  }
  watchForks();
  auto fresh = std::make_unique<Entry>(count.value);
  // Another thread may have been faster; a parent's entry is replaced.
  Entry *before = current.load();
  while (!before || before->generation != fresh->generation) {
    if (!current.compare_exchange_weak(before, fresh.get()))
      continue;
    ThreadPool &pool = fresh.release()->pool;
    // A setNumThreads since the count was read must not be lost.
    if (int requested = requestedThreads.load())
      pool.setNumThreads(requested);
    return &pool;
  }
  return &before->pool;
}

void flagtree::stopProcessPool() {
  if (ThreadPool *pool = existingPool())
    pool->stopWorkers();
}
