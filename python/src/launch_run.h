// SPDX-License-Identifier: MIT
//
// Running a grid from Python: the interpreter lock, signals, shutdown.
#ifndef FLAGTREE_PYTHON_LAUNCH_RUN_H
#define FLAGTREE_PYTHON_LAUNCH_RUN_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "flagtree/Runtime/Grid.h"

namespace flagtree::python {

/// Remembers the calling thread as the main one and watches forks. Call once,
/// at import; false with a Python exception.
bool prepareRuns();

/// Runs a kernel with the interpreter lock released. On the main thread
/// signals are handled about every 50 ms; an exception from a handler cancels
/// the programs that have not started and is left set. False with a Python
/// exception.
bool runKernel(const char *kernel, KernelEntry entry, const uint64_t *args, const int32_t grid[3],
               int64_t total, CostEstimate &cost);

/// For `atexit`: from here on threads other than the main one cannot launch;
/// their running launches are cancelled and waited for, and workers end.
void shutDown();

} // namespace flagtree::python

#endif // FLAGTREE_PYTHON_LAUNCH_RUN_H
