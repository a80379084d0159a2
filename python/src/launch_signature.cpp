// SPDX-License-Identifier: MIT
#include "launch_signature.h"

#include <optional>

using namespace flagtree::python;

std::string Signature::names() const {
  std::string all;
  for (const Parameter &parameter : parameters)
    all += (all.empty() ? "" : ", ") + parameter.name;
  return all;
}

/// Bits of "i32" or "u8"; none when the text is no integer type.
static std::optional<unsigned> integerBits(const std::string &type) {
  if (type.size() < 2 || (type[0] != 'i' && type[0] != 'u'))
    return std::nullopt;
  for (unsigned bits : {1u, 8u, 16u, 32u, 64u})
    if (type.compare(1, std::string::npos, std::to_string(bits)) == 0)
      return bits;
  return std::nullopt;
}

/// Sets what `type` says about a parameter; false when it cannot be passed.
static bool classify(Parameter &parameter) {
  const std::string &type = parameter.type;
  static constexpr struct {
    const char *name;
    ParameterKind kind;
  } kinds[] = {
      {"constexpr", ParameterKind::Constexpr},
      {"fp16", ParameterKind::Fp16},
      {"bf16", ParameterKind::Bf16},
      {"fp32", ParameterKind::Fp32},
      {"f32", ParameterKind::Fp32},
      {"fp64", ParameterKind::Fp64},
      {"f64", ParameterKind::Fp64},
  };
  for (const auto &known : kinds)
    if (type == known.name) {
      parameter.kind = known.kind;
      return true;
    }
  if (type.size() > 1 && type[0] == '*') {
    parameter.kind = ParameterKind::Pointer;
    return true;
  }
  std::optional<unsigned> bits = integerBits(type);
  if (!bits)
    return false;
  parameter.kind = ParameterKind::Integer;
  parameter.bits = *bits;
  parameter.isSigned = type[0] == 'i';
  return true;
}

static void typeError(const Signature &signature, const Parameter &parameter) {
  const char *remedy = parameter.type.rfind("fp8", 0) == 0 ? "; pass 8-bit floats through a pointer" : "";
  PyErr_Format(PyExc_ValueError,
               "kernel '%s', parameter '%s': the CPU launcher cannot pass a '%s'; "
               "allowed are pointers (*T), i1, i8, i16, i32, i64, u1, u8, u16, u32, "
               "u64, fp16, bf16, fp32, fp64 and constexpr%s",
               signature.kernel.c_str(), parameter.name.c_str(), parameter.type.c_str(), remedy);
}

static bool parsePair(PyObject *pair, Signature &signature) {
  const char *name, *type;
  if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "ss", &name, &type)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError,
                 "signature of kernel '%s': entry %zd is a %s; pass pairs of "
                 "strings (name, type)",
                 signature.kernel.c_str(), Py_ssize_t(signature.parameters.size()), Py_TYPE(pair)->tp_name);
    return false;
  }
  Parameter parameter;
  parameter.name = name;
  parameter.type = type;
  if (!classify(parameter)) {
    typeError(signature, parameter);
    return false;
  }
  signature.slots += parameter.kind != ParameterKind::Constexpr;
  signature.parameters.push_back(std::move(parameter));
  return true;
}

bool flagtree::python::parseSignature(PyObject *pairs, Signature &signature) {
  PyObject *items = PySequence_Fast(pairs, "signature must be a sequence of pairs (name, type)");
  if (!items)
    return false;
  bool good = true;
  for (Py_ssize_t i = 0; good && i < PySequence_Fast_GET_SIZE(items); ++i)
    good = parsePair(PySequence_Fast_GET_ITEM(items, i), signature);
  Py_DECREF(items);
  return good;
}
