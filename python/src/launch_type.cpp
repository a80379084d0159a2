// SPDX-License-Identifier: MIT
#include "launch_type.h"
#include "launch_arguments.h"
#include "launch_run.h"
#include "launch_signature.h"

#include <cstddef>
#include <memory>
#include <structmember.h>

using namespace flagtree;
using namespace flagtree::python;

namespace {

/// Two slots whose addresses must not be `low` to `high - 1` bytes apart.
struct ApartPair {
  size_t read, written;
  uint64_t low, high;
};

struct Kernel {
  Signature signature;
  std::vector<ApartPair> apart;
  KernelEntry entry = nullptr;
  CostEstimate cost;
};

struct Launcher {
  PyObject_HEAD vectorcallfunc call;
  Kernel *kernel;
  /// Whatever keeps the code at `entry` loaded; may be null.
  PyObject *owner;
};

Launcher &self(PyObject *object) { return *reinterpret_cast<Launcher *>(object); }

//===-- calls ------------------------------------------------------------===//

const char axisName[] = "xyz";

bool gridError(const Signature &signature, const int64_t sizes[3], const GridCheck &check) {
  const char *kernel = signature.kernel.c_str();
  if (check.fault == GridFault::TooManyPrograms)
    PyErr_Format(PyExc_ValueError,
                 "kernel '%s': a grid of %lld x %lld x %lld has more than "
                 "2^63-1 programs; make it smaller",
                 kernel, static_cast<long long>(sizes[0]), static_cast<long long>(sizes[1]),
                 static_cast<long long>(sizes[2]));
  else
    PyErr_Format(PyExc_ValueError,
                 "kernel '%s': grid size %lld along %c is not allowed; allowed "
                 "are integers from 0 to 2147483647",
                 kernel, static_cast<long long>(sizes[check.axis]), axisName[check.axis]);
  return false;
}

/// Reads one grid size; what does not fit 64 bits is cut to their limits.
bool readSize(const Signature &signature, int axis, PyObject *value, int64_t &size) {
  if (PyLong_CheckExact(value) || PyIndex_Check(value)) {
    Py_ssize_t number = PyNumber_AsSsize_t(value, nullptr);
    size = number;
    return number != -1 || !PyErr_Occurred();
  }
  PyErr_Format(PyExc_TypeError, "kernel '%s': grid size along %c is a %s; pass an int",
               signature.kernel.c_str(), axisName[axis], Py_TYPE(value)->tp_name);
  return false;
}

bool readGrid(const Signature &signature, PyObject *const *values, int32_t grid[3], int64_t &total) {
  int64_t sizes[3];
  for (int axis = 0; axis < 3; ++axis)
    if (!readSize(signature, axis, values[axis], sizes[axis]))
      return false;
  GridCheck check = checkGrid(sizes);
  if (check.fault != GridFault::None)
    return gridError(signature, sizes, check);
  for (int axis = 0; axis < 3; ++axis)
    grid[axis] = int32_t(sizes[axis]);
  total = check.total;
  return true;
}

/// Converts every argument but constexprs into `slots`, in order.
bool convertArguments(const Signature &signature, PyObject *const *values, uint64_t *slots,
                      PyObject *&keepAlive) {
  for (const Parameter &parameter : signature.parameters) {
    PyObject *value = *values++;
    if (parameter.kind == ParameterKind::Constexpr)
      continue;
    if (!convertArgument(signature, parameter, value, *slots++, keepAlive))
      return false;
  }
  return true;
}

bool areApart(const std::vector<ApartPair> &pairs, const uint64_t *slots) {
  for (const ApartPair &pair : pairs) {
    uint64_t a = slots[pair.read], b = slots[pair.written];
    uint64_t distance = a < b ? b - a : a - b;
    if (a != 0 && b != 0 && distance >= pair.low && distance < pair.high)
      return false;
  }
  return true;
}

/// `values` are three grid sizes and one argument per parameter. Whoever calls
/// holds references to them, so they live while the kernel runs.
/// `ran` becomes false when arguments lie too near to each other: nothing was run.
bool launch(Kernel &kernel, PyObject *const *values, uint64_t *slots, PyObject *&keepAlive, bool &ran) {
  int32_t grid[3];
  int64_t total;
  if (!readGrid(kernel.signature, values, grid, total) ||
      !convertArguments(kernel.signature, values + 3, slots, keepAlive))
    return false;
  ran = areApart(kernel.apart, slots);
  return total == 0 || !ran ||
         runKernel(kernel.signature.kernel.c_str(), kernel.entry, slots, grid, total, kernel.cost);
}

PyObject *countError(const Signature &signature, Py_ssize_t seen) {
  return PyErr_Format(PyExc_TypeError,
                      "kernel '%s' takes 3 grid sizes and %zd arguments (%s), got %zd values "
                      "in all",
                      signature.kernel.c_str(), Py_ssize_t(signature.parameters.size()),
                      signature.names().c_str(), seen);
}

PyObject *callLauncher(PyObject *object, PyObject *const *values, size_t countAndFlag, PyObject *keywords) {
  Kernel &kernel = *self(object).kernel;
  const Signature &signature = kernel.signature;
  Py_ssize_t count = PyVectorcall_NARGS(countAndFlag);
  if (keywords && PyTuple_GET_SIZE(keywords) > 0)
    return PyErr_Format(PyExc_TypeError,
                        "kernel '%s': pass all arguments by position (%s), "
                        "got the keyword %R",
                        signature.kernel.c_str(), signature.names().c_str(), PyTuple_GET_ITEM(keywords, 0));
  if (count != Py_ssize_t(signature.parameters.size()) + 3)
    return countError(signature, count);
  constexpr size_t kInlineSlots = 48;
  uint64_t inlineSlots[kInlineSlots];
  uint64_t *slots = inlineSlots;
  if (signature.slots > kInlineSlots) {
    slots = PyMem_New(uint64_t, signature.slots);
    if (!slots)
      return PyErr_NoMemory();
  }
  PyObject *keepAlive = nullptr;
  bool ran = true;
  bool good = launch(kernel, values, slots, keepAlive, ran);
  Py_XDECREF(keepAlive);
  if (slots != inlineSlots)
    PyMem_Free(slots);
  if (!good)
    return nullptr;
  if (!ran)
    Py_RETURN_FALSE;
  Py_RETURN_NONE;
}

//===-- construction and attributes --------------------------------------===//

/// Reads the address; null with a Python exception when there is none.
KernelEntry readEntry(const Signature &signature, PyObject *address) {
  void *entry = PyLong_Check(address) ? PyLong_AsVoidPtr(address) : nullptr;
  if (entry)
    return reinterpret_cast<KernelEntry>(entry);
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError,
               "kernel '%s': %R is no address of its code; pass the non-zero "
               "int that the loaded program gives",
               signature.kernel.c_str(), address);
  return nullptr;
}

/// Reads a sequence of (read, written, low, high); false with a Python exception.
bool readPairs(const Signature &signature, PyObject *pairs, std::vector<ApartPair> &apart) {
  PyObject *items = PySequence_Fast(pairs, "apart must be a sequence of (read, written, low, high)");
  if (!items)
    return false;
  bool good = true;
  for (Py_ssize_t i = 0; good && i < PySequence_Fast_GET_SIZE(items); ++i) {
    Py_ssize_t read, written;
    unsigned long long low, high;
    PyObject *item = PySequence_Fast_GET_ITEM(items, i);
    good = PyTuple_Check(item) && PyArg_ParseTuple(item, "nnKK", &read, &written, &low, &high);
    if (good &&
        (read < 0 || written < 0 || size_t(read) >= signature.slots || size_t(written) >= signature.slots))
      good = false;
    if (good)
      apart.push_back({size_t(read), size_t(written), low, high});
    else if (!PyErr_Occurred())
      PyErr_Format(PyExc_ValueError, "kernel '%s': %R is no (read, written, low, high) of its %zd parameters",
                   signature.kernel.c_str(), item, Py_ssize_t(signature.slots));
  }
  Py_DECREF(items);
  return good;
}

PyObject *newLauncher(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static const char *parameters[] = {"kernel_name", "signature", "address", "owner", "apart", nullptr};
  const char *name;
  PyObject *signature, *address, *owner = Py_None, *apart = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "sOO|OO:Launcher", const_cast<char **>(parameters), &name,
                                   &signature, &address, &owner, &apart))
    return nullptr;
  auto kernel = std::make_unique<Kernel>();
  kernel->signature.kernel = name;
  if (!parseSignature(signature, kernel->signature) ||
      (apart && !readPairs(kernel->signature, apart, kernel->apart)))
    return nullptr;
  kernel->entry = readEntry(kernel->signature, address);
  if (!kernel->entry)
    return nullptr;
  PyObject *object = type->tp_alloc(type, 0);
  if (!object)
    return nullptr;
  self(object).call = callLauncher;
  self(object).kernel = kernel.release();
  Py_INCREF(owner);
  self(object).owner = owner;
  return object;
}

int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self(object).owner);
  return 0;
}

int clear(PyObject *object) {
  Py_CLEAR(self(object).owner);
  return 0;
}

void dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  delete self(object).kernel;
  type->tp_free(object);
  Py_DECREF(type);
}

PyObject *represent(PyObject *object) {
  const Kernel &kernel = *self(object).kernel;
  return PyUnicode_FromFormat("<Launcher %s(%s) at %p>", kernel.signature.kernel.c_str(),
                              kernel.signature.names().c_str(), reinterpret_cast<void *>(kernel.entry));
}

PyObject *getKernelName(PyObject *object, void *) {
  return PyUnicode_FromString(self(object).kernel->signature.kernel.c_str());
}

PyObject *getAddress(PyObject *object, void *) {
  return PyLong_FromVoidPtr(reinterpret_cast<void *>(self(object).kernel->entry));
}

PyObject *getSignature(PyObject *object, void *) {
  PyObject *pairs = PyList_New(0);
  if (!pairs)
    return nullptr;
  for (const Parameter &p : self(object).kernel->signature.parameters) {
    PyObject *pair = Py_BuildValue("(ss)", p.name.c_str(), p.type.c_str());
    bool good = pair && PyList_Append(pairs, pair) == 0;
    Py_XDECREF(pair);
    if (!good) {
      Py_DECREF(pairs);
      return nullptr;
    }
  }
  return pairs;
}

PyGetSetDef attributes[] = {
    {"kernel_name", getKernelName, nullptr, "Name of the kernel.", nullptr},
    {"signature", getSignature, nullptr, "Pairs (name, type).", nullptr},
    {"address", getAddress, nullptr, "Address of the kernel's code.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Launcher, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

const char documentation[] = "Launcher(kernel_name, signature, address, owner=None, apart=())\n--\n\n"
                             "Calls a compiled CPU kernel: launcher(gx, gy, gz, *args).\n\n"
                             "signature: pairs (name, type) of all parameters in order, constexprs\n"
                             "included; types as '*fp32', 'i32', 'u8', 'i1', 'fp16', 'constexpr'.\n"
                             "address: of the kernel's entry. owner: kept alive with the launcher.\n\n"
                             "args has one value per parameter: CPU tensors, numpy arrays, buffers,\n"
                             "addresses or None for pointers; ints, bools and floats else. Raises\n"
                             "TypeError, ValueError or OverflowError naming kernel and parameter.\n"
                             "Runs without the interpreter lock; Ctrl-C stops it within about 50 ms\n"
                             "and one program.";

} // namespace

PyObject *flagtree::python::makeLauncherType() {
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(newLauncher)},
      {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_repr, reinterpret_cast<void *>(represent)},
      {Py_tp_getset, attributes},
      {Py_tp_members, members},
      {Py_tp_doc, const_cast<char *>(documentation)},
      {0, nullptr},
  };
  static PyType_Spec spec = {
      "flagtree._native.launch.Launcher",
      int(sizeof(Launcher)),
      0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
      slots,
  };
  return PyType_FromSpec(&spec);
}
