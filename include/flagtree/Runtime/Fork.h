// SPDX-License-Identifier: MIT
//
// Tells a child of fork from its parent. In the child only the thread that
// forked exists: whatever other threads held or were doing is lost.
#ifndef FLAGTREE_RUNTIME_FORK_H
#define FLAGTREE_RUNTIME_FORK_H

#include <cstdint>

namespace flagtree {

/// Counts forks from now on; called as often as one likes.
void watchForks();

/// Forks between this process and the one that first called watchForks.
uint32_t forkGeneration();

} // namespace flagtree

#endif // FLAGTREE_RUNTIME_FORK_H
