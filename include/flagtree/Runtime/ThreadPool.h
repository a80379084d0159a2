// SPDX-License-Identifier: MIT
//
// A work-stealing thread pool over a linear grid of programs.
//
// The calling thread takes part in every launch. Each participant owns a
// contiguous range and takes chunks from its front; who runs dry steals the
// back half of another's range. Chunks are sized by time, so tiny programs pay
// next to nothing and long ones still balance. Idle workers sleep.
//
// No launch allocates memory, waits for another launch, or waits for a worker
// that has not yet woken up.
#ifndef FLAGTREE_RUNTIME_THREADPOOL_H
#define FLAGTREE_RUNTIME_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <memory>

namespace flagtree {

/// How a launch ended.
enum class LaunchResult {
  /// Every program ran once.
  Done,
  /// The poll function asked to stop; programs not yet started never run.
  Cancelled,
  /// The process forked inside the poll function and this is the child: what
  /// other threads had in hand is unknown.
  Forked,
};

/// What one program of a kernel has cost so far, kept from launch to launch so
/// that a launch too short to share wakes nobody. Rises at once and decays
/// slowly: waking a thread in vain is cheaper than a long program run alone.
class CostEstimate {
public:
  /// Nanoseconds a program, 0 when nothing is known yet.
  float nanoseconds() const { return value.load(std::memory_order_relaxed); }

  /// Learns that a program took `ns` nanoseconds on average in one launch.
  void update(float ns) {
    float decayed = nanoseconds() * 0.75f;
    value.store(ns > decayed ? ns : decayed, std::memory_order_relaxed);
  }

private:
  std::atomic<float> value{0.0f};
};

/// The work of one launch: programs 0..total-1, each to be run exactly once.
struct PoolTask {
  /// Runs programs begin..end-1; called from several threads at once. It must
  /// not throw: there is no one to catch on another thread.
  using Body = void (*)(void *context, int64_t begin, int64_t end) noexcept;
  /// Called on the launching thread about every 50 ms between chunks; true
  /// cancels the launch. It may launch again (that runs inline) and may fork.
  using Poll = bool (*)(void *context);

  Body body = nullptr;
  void *context = nullptr;
  int64_t total = 0;
  Poll poll = nullptr;
  void *pollContext = nullptr;
  /// Optional memory of earlier launches of the same kernel.
  CostEstimate *cost = nullptr;
};

/// The pool. All members may be called from any thread at any time, except
/// that no launch may be active when the pool is destroyed. A pool is lost in a
/// child of fork, and must not be destroyed there: see processPool.
class ThreadPool {
public:
  /// Most threads a pool can have.
  static constexpr int kMaxThreads = 1024;

  /// `numThreads` counts the calling thread: 1 starts no worker. Clamped to
  /// 1..kMaxThreads. Workers start at the first launch that wants them.
  explicit ThreadPool(int numThreads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int numThreads() const;

  /// Takes effect with the next launch; never waits for a running one.
  void setNumThreads(int numThreads);

  /// Worker threads alive now (the caller not counted).
  int numWorkers() const;

  /// Ends the worker threads; they come back when next wanted. False when a
  /// launch holds them now.
  bool stopWorkers();

  /// Runs `task` to its end. While another launch holds the workers, and
  /// inside a program, the caller works alone.
  LaunchResult run(const PoolTask &task);

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_THREADPOOL_H
