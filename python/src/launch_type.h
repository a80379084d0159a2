// SPDX-License-Identifier: MIT
#ifndef FLAGTREE_PYTHON_LAUNCH_TYPE_H
#define FLAGTREE_PYTHON_LAUNCH_TYPE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace flagtree::python {

/// Makes the type `flagtree._native.launch.Launcher`, a plain CPython type for
/// the sake of its calls. New reference, null with a Python exception.
PyObject *makeLauncherType();

} // namespace flagtree::python

#endif // FLAGTREE_PYTHON_LAUNCH_TYPE_H
