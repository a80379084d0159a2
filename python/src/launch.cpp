// SPDX-License-Identifier: MIT
//
// flagtree._native.launch: calling compiled CPU kernels from Python.
#include "flagtree/Runtime/ProcessPool.h"
#include "launch_arguments.h"
#include "launch_run.h"
#include "launch_type.h"

#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace flagtree;

static int numThreadsOrThrow() {
  ThreadCount count = numThreads();
  if (!count.error.empty())
    throw py::value_error(count.error);
  return count.value;
}

static void setNumThreadsOrThrow(const py::object &n) {
  if (!PyIndex_Check(n.ptr()))
    throw py::type_error("set_num_threads: got a " + std::string(Py_TYPE(n.ptr())->tp_name) +
                         "; pass an int from 1 to " + std::to_string(ThreadPool::kMaxThreads));
  // What does not fit is cut to the limits, which are out of range as well.
  Py_ssize_t number = PyNumber_AsSsize_t(n.ptr(), nullptr);
  if (number == -1 && PyErr_Occurred())
    throw py::error_already_set();
  std::string error = setNumThreads(number);
  if (!error.empty())
    throw py::value_error(error);
}

PYBIND11_MODULE(launch, m) {
  m.doc() = "Launches compiled CPU kernels on a pool of threads.";
  if (!python::prepareConversions() || !python::prepareRuns())
    throw py::error_already_set();
  py::object launcher = py::reinterpret_steal<py::object>(python::makeLauncherType());
  if (!launcher)
    throw py::error_already_set();
  m.attr("Launcher") = launcher;
  m.def("num_threads", numThreadsOrThrow,
        "Threads that launches use: what set_num_threads was given, else "
        "FLAGTREE_NUM_THREADS, else the CPUs of the affinity mask. Raises "
        "ValueError when the variable is not valid.");
  m.def("set_num_threads", setNumThreadsOrThrow, py::arg("n"),
        "Sets the number of threads of later launches, 1 to 1024.");
  py::module_::import("atexit").attr("register")(py::cpp_function(&python::shutDown));
}
