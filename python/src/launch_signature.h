// SPDX-License-Identifier: MIT
//
// What a launcher knows of a kernel's parameters.
#ifndef FLAGTREE_PYTHON_LAUNCH_SIGNATURE_H
#define FLAGTREE_PYTHON_LAUNCH_SIGNATURE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>
#include <vector>

namespace flagtree::python {

enum class ParameterKind {
  Constexpr, // compiled in: its argument is skipped
  Pointer,
  Integer,
  Fp16,
  Bf16,
  Fp32,
  Fp64,
};

struct Parameter {
  std::string name;
  std::string type;
  ParameterKind kind = ParameterKind::Constexpr;
  unsigned bits = 0;     // of an integer
  bool isSigned = false; // of an integer
};

struct Signature {
  std::string kernel;
  std::vector<Parameter> parameters;
  /// Slots of the kernel's argument array: parameters but constexprs.
  size_t slots = 0;

  /// "x_ptr, y_ptr, n"
  std::string names() const;
};

/// Reads a sequence of (name, type) pairs. False with a Python exception that
/// names the parameter when it is malformed or a type cannot be passed.
bool parseSignature(PyObject *pairs, Signature &signature);

} // namespace flagtree::python

#endif // FLAGTREE_PYTHON_LAUNCH_SIGNATURE_H
