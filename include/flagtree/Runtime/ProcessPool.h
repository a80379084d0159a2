// SPDX-License-Identifier: MIT
//
// The one thread pool of a process, and how many threads it has.
#ifndef FLAGTREE_RUNTIME_PROCESSPOOL_H
#define FLAGTREE_RUNTIME_PROCESSPOOL_H

#include "flagtree/Runtime/ThreadPool.h"

#include <cstdint>
#include <string>

namespace flagtree {

/// The environment variable that sets the number of threads.
inline constexpr const char *kNumThreadsVariable = "FLAGTREE_NUM_THREADS";

/// A number of threads, or why there is none (`error` not empty).
struct ThreadCount {
  int value = 0;
  std::string error;
};

/// CPUs this process may run on: its affinity mask, at least 1.
int availableCpus();

/// Reads a value of FLAGTREE_NUM_THREADS: 1..ThreadPool::kMaxThreads in plain
/// decimal; null or empty means availableCpus(). The error names the variable,
/// the text seen and what is allowed.
ThreadCount parseThreadCount(const char *text);

/// The number of threads launches use: what setNumThreads asked for, else the
/// environment, else availableCpus().
ThreadCount numThreads();

/// Sets the number of threads from now on. Returns an error message, empty on
/// success, when `n` is not in 1..ThreadPool::kMaxThreads.
std::string setNumThreads(int64_t n);

/// The pool of this process, made at the first call; a child of fork gets a
/// new one. Null, with `error` set, when the environment is not valid.
ThreadPool *processPool(std::string &error);

/// Ends the workers of the pool when there is one and no launch holds them.
void stopProcessPool();

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_PROCESSPOOL_H
