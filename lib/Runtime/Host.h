// SPDX-License-Identifier: MIT
//
// The host's side of a launch: runs ranges of programs and does what they ask for.
#ifndef FLAGTREE_LIB_RUNTIME_HOST_H
#define FLAGTREE_LIB_RUNTIME_HOST_H

#include "flagtree/Runtime/Grid.h"

#include <atomic>

namespace flagtree {

/// One launch; its ranges run on several threads at once.
struct HostLaunch {
  KernelEntry entry;
  const uint64_t *args;
  const int32_t *grid;
  /// The first failure; complete when all ranges have ended.
  LaunchFailure failure;
  std::atomic<bool> failed{false};

  /// Runs programs begin..end-1, none when one has failed.
  void run(int64_t begin, int64_t end) noexcept;
};

/// The lines that a print gives, as KernelHost::print has them.
std::string formatPrint(const int32_t program[3], const char *what, const void *data);

} // namespace flagtree

#endif // FLAGTREE_LIB_RUNTIME_HOST_H
