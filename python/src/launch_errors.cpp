// SPDX-License-Identifier: MIT
#include "launch_errors.h"

#include <cstdarg>

using namespace flagtree::python;

/// Takes the exception that is set, as one object; null when none is.
static PyObject *takeException() {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (!type)
    return nullptr;
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback)
    PyException_SetTraceback(value, traceback);
  Py_DECREF(type);
  Py_XDECREF(traceback);
  return value;
}

/// Gives the exception that is set a cause (stolen).
static void setCause(PyObject *cause) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  Py_INCREF(cause);
  PyException_SetContext(value, cause);
  PyException_SetCause(value, cause);
  PyErr_Restore(type, value, traceback);
}

bool flagtree::python::argumentError(PyObject *exception, const Signature &kernel, const Parameter &parameter,
                                     const char *format, ...) {
  PyObject *cause = takeException();
  va_list arguments;
  va_start(arguments, format);
  PyObject *message = PyUnicode_FromFormatV(format, arguments);
  va_end(arguments);
  if (message) {
    PyErr_Format(exception, "kernel '%s', parameter '%s' (%s): %U", kernel.kernel.c_str(),
                 parameter.name.c_str(), parameter.type.c_str(), message);
    Py_DECREF(message);
  }
  if (cause)
    setCause(cause);
  return false;
}

PyObject *flagtree::python::describe(PyObject *value) {
  constexpr Py_ssize_t kLongest = 60;
  PyObject *pending = takeException();
  PyObject *text = PyObject_Repr(value);
  if (!text || PyUnicode_GetLength(text) > kLongest) {
    // A failing or endless representation must not hide the actual error.
    Py_XDECREF(text);
    PyErr_Clear();
    text = PyUnicode_FromFormat("a value of type %s", Py_TYPE(value)->tp_name);
  }
  if (text && pending)
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(pending)), pending);
  Py_XDECREF(pending);
  return text;
}

bool flagtree::python::errorCanBeReplaced() {
  return !PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_Exception);
}
