// SPDX-License-Identifier: MIT
//
// Integer, truth-value and floating-point arguments.
#include "flagtree/Runtime/ScalarEncoding.h"
#include "launch_arguments.h"
#include "launch_errors.h"

#include <cstring>

using namespace flagtree;
using namespace flagtree::python;

static bool integerTypeError(const Signature &kernel, const Parameter &parameter, PyObject *value) {
  if (!errorCanBeReplaced())
    return false;
  if (PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_Clear(); // it says less than we do
  PyObject *seen = describe(value);
  if (!seen)
    return false;
  argumentError(PyExc_TypeError, kernel, parameter, "got %U of type %s; pass an int%s", seen,
                Py_TYPE(value)->tp_name, parameter.bits == 1 ? " or a bool" : "");
  Py_DECREF(seen);
  return false;
}

static bool integerRangeError(const Signature &kernel, const Parameter &parameter, PyObject *value) {
  PyErr_Clear();
  IntegerRange range = integerRange(parameter.bits, parameter.isSigned);
  PyObject *seen = describe(value);
  if (!seen)
    return false;
  argumentError(PyExc_OverflowError, kernel, parameter,
                "%U is out of range; allowed are integers from %lld to %llu", seen,
                static_cast<long long>(range.min), static_cast<unsigned long long>(range.max));
  Py_DECREF(seen);
  return false;
}

/// Fills the slot from an exact or derived Python int.
static bool convertLong(const Signature &kernel, const Parameter &parameter, PyObject *value,
                        uint64_t &slot) {
  IntegerRange range = integerRange(parameter.bits, parameter.isSigned);
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow == 0) {
    if (number == -1 && PyErr_Occurred())
      return false;
    if (number < range.min || (number > 0 && uint64_t(number) > range.max))
      return integerRangeError(kernel, parameter, value);
    slot = uint64_t(number);
    return true;
  }
  if (overflow > 0 && range.max > uint64_t(INT64_MAX)) {
    unsigned long long large = PyLong_AsUnsignedLongLong(value);
    if (!PyErr_Occurred()) {
      slot = large;
      return true;
    }
  }
  return integerRangeError(kernel, parameter, value);
}

/// NumPy's truth values are no ints and have no __index__.
static bool isNumpyBool(PyObject *value) {
  const char *name = Py_TYPE(value)->tp_name;
  return !std::strcmp(name, "numpy.bool") || !std::strcmp(name, "numpy.bool_");
}

static bool convertInteger(const Signature &kernel, const Parameter &parameter, PyObject *value,
                           uint64_t &slot) {
  if (PyLong_Check(value))
    return convertLong(kernel, parameter, value, slot);
  if (isNumpyBool(value)) {
    int truth = PyObject_IsTrue(value);
    slot = uint64_t(truth);
    return truth >= 0;
  }
  // NumPy's integers and others that are integers by their own account.
  PyObject *number = PyNumber_Index(value);
  if (!number)
    return integerTypeError(kernel, parameter, value);
  bool good = convertLong(kernel, parameter, number, slot);
  Py_DECREF(number);
  return good;
}

static bool floatError(const Signature &kernel, const Parameter &parameter, PyObject *value) {
  if (!errorCanBeReplaced())
    return false;
  bool tooLarge = PyErr_ExceptionMatches(PyExc_OverflowError);
  if (tooLarge || PyErr_ExceptionMatches(PyExc_TypeError))
    PyErr_Clear(); // it says less than we do
  PyObject *seen = describe(value);
  if (!seen)
    return false;
  if (tooLarge)
    argumentError(PyExc_OverflowError, kernel, parameter,
                  "%U does not fit a float; pass float('inf') if that is meant", seen);
  else
    argumentError(PyExc_TypeError, kernel, parameter, "got %U of type %s; pass a float or an int", seen,
                  Py_TYPE(value)->tp_name);
  Py_DECREF(seen);
  return false;
}

static bool convertFloat(const Signature &kernel, const Parameter &parameter, PyObject *value,
                         uint64_t &slot) {
  double number = PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value) : PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred())
    return floatError(kernel, parameter, value);
  switch (parameter.kind) {
  case ParameterKind::Fp16:
    slot = encodeFp16(number);
    break;
  case ParameterKind::Bf16:
    slot = encodeBf16(number);
    break;
  case ParameterKind::Fp32:
    slot = encodeFp32(number);
    break;
  default:
    slot = encodeFp64(number);
    break;
  }
  return true;
}

bool flagtree::python::prepareConversions() { return preparePointers(); }

bool flagtree::python::convertArgument(const Signature &kernel, const Parameter &parameter, PyObject *value,
                                       uint64_t &slot, PyObject *&keepAlive) {
  switch (parameter.kind) {
  case ParameterKind::Pointer:
    return convertPointer(kernel, parameter, value, slot, keepAlive);
  case ParameterKind::Integer:
    return convertInteger(kernel, parameter, value, slot);
  default:
    return convertFloat(kernel, parameter, value, slot);
  }
}
