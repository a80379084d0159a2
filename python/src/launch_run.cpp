// SPDX-License-Identifier: MIT
#include "launch_run.h"
#include "flagtree/Runtime/Fork.h"
#include "flagtree/Runtime/ProcessPool.h"

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <string>
#include <thread>

using namespace flagtree;
using namespace flagtree::python;

namespace {

/// The thread on which Python handles signals.
std::atomic<unsigned long> mainThread{0};
/// Set once the interpreter is going away.
std::atomic<bool> closing{false};
/// Launches running on other threads than the main one.
std::atomic<int> backgroundLaunches{0};
/// Those of them on this thread.
thread_local int ownBackgroundLaunches = 0;

bool onMainThread() { return PyThread_get_thread_ident() == mainThread.load(); }

/// In a child of fork the forking thread is the main one, and alone.
void adoptChild() {
  mainThread.store(PyThread_get_thread_ident());
  backgroundLaunches.store(ownBackgroundLaunches);
}

/// One call of runKernel. Trivial on purpose: a daemon thread may be ended by
/// the interpreter when it asks for its lock back, and must leave nothing.
struct Run {
  PyThreadState *thread;
  bool onMain;
};

/// Called about every 50 ms without the interpreter lock; true cancels.
bool pollSignals(void *context) {
  auto &run = *static_cast<Run *>(context);
  if (!run.onMain)
    return closing.load();
  PyEval_RestoreThread(run.thread);
  bool failed = PyErr_CheckSignals() != 0;
  run.thread = PyEval_SaveThread();
  return failed;
}

bool shutdownError(const char *kernel) {
  PyErr_Format(PyExc_RuntimeError,
               "kernel '%s': the interpreter is shutting down, so this launch "
               "of a background thread was stopped; join the thread first",
               kernel);
  return false;
}

bool failureError(const char *kernel, const LaunchFailure &failure) {
  if (failure.kind == FailureKind::OutOfMemory)
    PyErr_Format(
        PyExc_MemoryError,
        "kernel '%s': each program needs %lld bytes for what does not fit its registers, and the system "
        "gives no more; use smaller blocks or fewer threads (FLAGTREE_NUM_THREADS)",
        kernel, static_cast<long long>(failure.bytes));
  else
    PyErr_Format(PyExc_AssertionError, "kernel '%s', program (%d, %d, %d): %s", kernel, failure.program[0],
                 failure.program[1], failure.program[2], failure.text.c_str());
  return false;
}

ThreadPool *poolOrError(const char *kernel) {
  std::string error;
  ThreadPool *pool = processPool(error);
  if (!pool)
    PyErr_Format(PyExc_ValueError, "kernel '%s': %s", kernel, error.c_str());
  return pool;
}

} // namespace

bool flagtree::python::prepareRuns() {
  PyObject *threading = PyImport_ImportModule("threading");
  if (!threading)
    return false;
  PyObject *main = PyObject_CallMethod(threading, "main_thread", nullptr);
  PyObject *ident = main ? PyObject_GetAttrString(main, "ident") : nullptr;
  if (ident)
    mainThread.store(PyLong_AsUnsignedLong(ident));
  Py_XDECREF(ident);
  Py_XDECREF(main);
  Py_DECREF(threading);
  if (PyErr_Occurred())
    return false;
  watchForks();
  pthread_atfork(nullptr, nullptr, adoptChild);
  return true;
}

bool flagtree::python::runKernel(const char *kernel, KernelEntry entry, const uint64_t *args,
                                 const int32_t grid[3], int64_t total, CostEstimate &cost) {
  ThreadPool *pool = poolOrError(kernel);
  if (!pool)
    return false;
  Run run{nullptr, onMainThread()};
  bool background = !run.onMain;
  if (background && closing.load())
    return shutdownError(kernel);
  if (background) {
    ++ownBackgroundLaunches;
    backgroundLaunches.fetch_add(1);
  }
  run.thread = PyEval_SaveThread();
  LaunchFailure failure;
  LaunchResult result = runGrid(*pool, entry, args, grid, total, &cost, pollSignals, &run, &failure);
  if (background) {
    --ownBackgroundLaunches;
    backgroundLaunches.fetch_sub(1);
  }
  PyEval_RestoreThread(run.thread);
  if (failure.kind != FailureKind::None && !PyErr_Occurred())
    return failureError(kernel, failure);
  if (result == LaunchResult::Done)
    return true;
  if (PyErr_Occurred())
    return false;
  if (result == LaunchResult::Cancelled)
    return shutdownError(kernel);
  PyErr_Format(PyExc_RuntimeError,
               "kernel '%s': the process forked in a signal handler during "
               "this launch; its result is incomplete in the child",
               kernel);
  return false;
}

void flagtree::python::shutDown() {
  using namespace std::chrono;
  closing.store(true);
  PyThreadState *thread = PyEval_SaveThread();
  // A program that never ends must not keep the process from ending.
  auto limit = steady_clock::now() + seconds(5);
  while (backgroundLaunches.load() > 0 && steady_clock::now() < limit)
    std::this_thread::sleep_for(milliseconds(1));
  stopProcessPool();
  PyEval_RestoreThread(thread);
}
