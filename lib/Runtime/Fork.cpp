// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/Fork.h"

#include <atomic>
#include <mutex>
#include <pthread.h>

using namespace flagtree;

static std::atomic<uint32_t> generation{0};

void flagtree::watchForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); }); });
}

uint32_t flagtree::forkGeneration() { return generation.load(std::memory_order_relaxed); }
