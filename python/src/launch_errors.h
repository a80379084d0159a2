// SPDX-License-Identifier: MIT
//
// Errors about one kernel argument: they name kernel, parameter, the value
// seen and what is allowed.
#ifndef FLAGTREE_PYTHON_LAUNCH_ERRORS_H
#define FLAGTREE_PYTHON_LAUNCH_ERRORS_H

#include "launch_signature.h"

namespace flagtree::python {

/// Sets an exception "kernel 'k', parameter 'p' (type): <message>" and returns
/// false. `format` is PyUnicode_FromFormat's. An exception already set becomes
/// its cause.
bool argumentError(PyObject *exception, const Signature &kernel, const Parameter &parameter,
                   const char *format, ...);

/// A short description of a value for messages: its representation, or
/// "a value of type <type>" where that is long or fails. Leaves an exception
/// that is set as it is. New reference, null on no memory.
PyObject *describe(PyObject *value);

/// Whether the exception that is set, if any, may become the cause of another:
/// not so with KeyboardInterrupt and its like.
bool errorCanBeReplaced();

} // namespace flagtree::python

#endif // FLAGTREE_PYTHON_LAUNCH_ERRORS_H
