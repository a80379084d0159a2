// SPDX-License-Identifier: MIT
//
// Pointer arguments: tensors, arrays, buffers, addresses, None.
#include "launch_arguments.h"
#include "launch_errors.h"

#include <bit>
#include <cctype>
#include <cstring>
#include <string>

using namespace flagtree::python;

namespace {

/// How an object of some type tells its address.
enum class Source {
  Unknown,
  Tensor,         // data_ptr() and is_cpu: torch
  DataPtr,        // data_ptr(), perhaps a device
  ArrayStruct,    // __array_struct__: numpy
  ArrayInterface, // __array_interface__
  Buffer,
  Index, // an integer
};

/// NumPy's array interface, version 3, as its documentation lays it out.
struct ArrayStruct {
  int two;
  int dimensions;
  char kind;
  int itemSize;
  int flags;
  Py_intptr_t *shape;
  Py_intptr_t *strides;
  void *data;
  PyObject *description;
};
constexpr int kNotSwapped = 0x200;

struct Names {
  PyObject *dataPtr, *isCpu, *device, *arrayStruct, *arrayInterface, *cudaInterface, *data, *typestr, *offset,
      *numel;
} names;

/// The sources of types seen before. Holds its types, so an address cannot be
/// reused; guarded by the interpreter lock.
struct CacheEntry {
  PyTypeObject *type = nullptr;
  Source source = Source::Unknown;
} cache[16];

struct Argument {
  const Signature &kernel;
  const Parameter &parameter;
  PyObject *value;
};

bool derivesFrom(PyTypeObject *type, const char *name) {
  PyObject *order = type->tp_mro;
  for (Py_ssize_t i = 0; order && i < PyTuple_GET_SIZE(order); ++i) {
    auto *base = reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(order, i));
    if (!std::strcmp(base->tp_name, name))
      return true;
  }
  return false;
}

bool isIndex(PyTypeObject *type) { return type->tp_as_number && type->tp_as_number->nb_index; }

/// What `owner`, a type or an object, offers.
Source sourceOf(PyObject *owner, PyTypeObject *type) {
  // Their array interfaces show a temporary copy of the number.
  if (derivesFrom(type, "numpy.generic"))
    return isIndex(type) ? Source::Index : Source::Unknown;
  if (PyObject_HasAttr(owner, names.dataPtr))
    return PyObject_HasAttr(owner, names.isCpu) ? Source::Tensor : Source::DataPtr;
  if (PyObject_HasAttr(owner, names.arrayStruct))
    return Source::ArrayStruct;
  if (PyObject_HasAttr(owner, names.arrayInterface))
    return Source::ArrayInterface;
  // The buffer of a c_void_p is the variable, not what it points to.
  bool simpleC = derivesFrom(type, "_ctypes._SimpleCData");
  if (type->tp_as_buffer && type->tp_as_buffer->bf_getbuffer && !simpleC)
    return Source::Buffer;
  if (isIndex(type) && type != &PyBool_Type)
    return Source::Index;
  return Source::Unknown;
}

Source cachedSource(PyObject *value) {
  PyTypeObject *type = Py_TYPE(value);
  auto address = reinterpret_cast<uintptr_t>(type);
  CacheEntry &entry = cache[(address >> 4 ^ address >> 10) % std::size(cache)];
  if (entry.type == type)
    return entry.source;
  Source source = sourceOf(reinterpret_cast<PyObject *>(type), type);
  if (source == Source::Unknown)
    return sourceOf(value, type); // attributes of the object itself
  PyTypeObject *old = entry.type;
  Py_INCREF(type);
  entry = {type, source};
  Py_XDECREF(old);
  return source;
}

bool fail(PyObject *exception, const Argument &argument, const char *text) {
  return errorCanBeReplaced() && argumentError(exception, argument.kernel, argument.parameter, "%s, got %s",
                                               text, Py_TYPE(argument.value)->tp_name);
}

bool typeFault(const Argument &argument) {
  PyObject *seen = describe(argument.value);
  if (!seen)
    return false;
  argumentError(PyExc_TypeError, argument.kernel, argument.parameter,
                "got %U of type %s; pass a CPU tensor, a numpy array, an "
                "object with data_ptr(), __array_interface__ or a buffer, an "
                "int address, or None",
                seen, Py_TYPE(argument.value)->tp_name);
  Py_DECREF(seen);
  return false;
}

bool deviceFault(const Argument &argument, PyObject *device) {
  return argumentError(PyExc_ValueError, argument.kernel, argument.parameter,
                       "the %s is on device '%S', but this kernel is compiled for the CPU; "
                       "pass a copy made with .cpu(), or launch on that device",
                       Py_TYPE(argument.value)->tp_name, device);
}

/// An address from a Python int.
bool fromLong(const Argument &argument, PyObject *number, uint64_t &slot) {
  slot = PyLong_AsUnsignedLongLong(number);
  if (slot != uint64_t(-1) || !PyErr_Occurred())
    return true;
  PyErr_Clear();
  PyObject *seen = describe(number);
  if (!seen)
    return false;
  argumentError(PyExc_OverflowError, argument.kernel, argument.parameter,
                "%U is no address; allowed are integers from 0 to %llu", seen,
                static_cast<unsigned long long>(UINT64_MAX));
  Py_DECREF(seen);
  return false;
}

bool fromIndex(const Argument &argument, uint64_t &slot) {
  PyObject *number = PyNumber_Index(argument.value);
  if (!number)
    return fail(PyExc_TypeError, argument, "the address must be an int");
  bool good = fromLong(argument, number, slot);
  Py_DECREF(number);
  return good;
}

/// Calls data_ptr().
bool fromDataPtr(const Argument &argument, uint64_t &slot) {
  PyObject *number = PyObject_CallMethodNoArgs(argument.value, names.dataPtr);
  if (!number)
    return fail(PyExc_ValueError, argument, "data_ptr() failed, so there is no memory to pass");
  bool good = PyLong_Check(number) ? fromLong(argument, number, slot)
                                   : fail(PyExc_TypeError, argument, "data_ptr() must return an int address");
  Py_DECREF(number);
  return good;
}

/// Only an empty tensor may have no address: another one's memory was given back.
bool hasMemory(const Argument &argument) {
  PyObject *number = PyObject_CallMethodNoArgs(argument.value, names.numel);
  int any = number ? PyObject_IsTrue(number) : -1;
  Py_XDECREF(number);
  return any == 0 || fail(PyExc_ValueError, argument,
                          "the tensor's memory was freed, its storage has no bytes any more; "
                          "make the tensor anew");
}

bool fromTensor(const Argument &argument, uint64_t &slot) {
  PyObject *onCpu = PyObject_GetAttr(argument.value, names.isCpu);
  if (!onCpu)
    return false;
  bool good = onCpu == Py_True;
  Py_DECREF(onCpu);
  if (good)
    return fromDataPtr(argument, slot) && (slot != 0 || hasMemory(argument));
  PyObject *device = PyObject_GetAttr(argument.value, names.device);
  if (!device)
    return false;
  deviceFault(argument, device);
  Py_DECREF(device);
  return false;
}

/// Whether a device of any framework is the CPU; -1 with an exception.
int isCpuDevice(PyObject *device) {
  if (device == Py_None)
    return 1;
  PyObject *text = PyObject_Str(device);
  const char *bytes = text ? PyUnicode_AsUTF8(text) : nullptr;
  std::string lower = bytes ? bytes : "";
  Py_XDECREF(text);
  if (!bytes)
    return -1;
  for (char &c : lower)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("cpu") != std::string::npos;
}

/// data_ptr() of what need not be a tensor and need not have a device.
bool fromWrapper(const Argument &argument, uint64_t &slot) {
  PyObject *device = PyObject_GetAttr(argument.value, names.device);
  if (!device) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      return false;
    PyErr_Clear();
    return fromDataPtr(argument, slot);
  }
  int onCpu = isCpuDevice(device);
  if (onCpu == 0)
    deviceFault(argument, device);
  Py_DECREF(device);
  return onCpu == 1 && fromDataPtr(argument, slot);
}

bool byteOrderFault(const Argument &argument) {
  return fail(PyExc_ValueError, argument,
              "the array's bytes are not in this machine's order; pass "
              "a.astype(a.dtype.newbyteorder('='))");
}

bool keep(PyObject *object, PyObject *&keepAlive) {
  if (!keepAlive && !(keepAlive = PyList_New(0)))
    return false;
  return PyList_Append(keepAlive, object) == 0;
}

/// The address of a buffer, which stays exported while the kernel runs.
bool fromBuffer(const Argument &argument, PyObject *object, int64_t offset, uint64_t &slot,
                PyObject *&keepAlive) {
  PyObject *view = PyMemoryView_FromObject(object);
  if (!view)
    return fail(PyExc_TypeError, argument, "the buffer cannot be read");
  Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
  slot = reinterpret_cast<uint64_t>(buffer->buf) + uint64_t(offset);
  bool good = buffer->suboffsets
                  ? fail(PyExc_ValueError, argument, "a buffer of pointers to rows has no one address")
                  : keep(view, keepAlive);
  Py_DECREF(view);
  return good;
}

bool fromArrayStruct(const Argument &argument, uint64_t &slot) {
  PyObject *capsule = PyObject_GetAttr(argument.value, names.arrayStruct);
  if (!capsule)
    return false;
  auto *array = PyCapsule_IsValid(capsule, nullptr)
                    ? static_cast<ArrayStruct *>(PyCapsule_GetPointer(capsule, nullptr))
                    : nullptr;
  bool good = array && array->two == 2;
  if (!good)
    fail(PyExc_TypeError, argument, "__array_struct__ must be its capsule");
  else if (!(array->flags & kNotSwapped) && array->itemSize > 1)
    good = byteOrderFault(argument);
  else
    slot = reinterpret_cast<uint64_t>(array->data);
  Py_DECREF(capsule);
  return good;
}

/// The address in the "data" of an array interface: a pair of address and
/// flag, or a buffer, which by default is the object itself.
bool fromInterfaceData(const Argument &argument, PyObject *interface, uint64_t &slot, PyObject *&keepAlive) {
  PyObject *data = PyDict_GetItemWithError(interface, names.data);
  if (!data && PyErr_Occurred())
    return false;
  if (data && PyTuple_Check(data) && PyTuple_GET_SIZE(data) > 0 && PyLong_Check(PyTuple_GET_ITEM(data, 0)))
    return fromLong(argument, PyTuple_GET_ITEM(data, 0), slot);
  PyObject *offset = PyDict_GetItemWithError(interface, names.offset);
  int64_t bytes = offset ? PyLong_AsLongLong(offset) : 0;
  if (PyErr_Occurred())
    return fail(PyExc_TypeError, argument, "'offset' must be an int");
  PyObject *owner = !data || data == Py_None ? argument.value : data;
  return fromBuffer(argument, owner, bytes, slot, keepAlive);
}

/// Whether a typestr such as "<f4" has this machine's byte order.
bool isNativeOrder(PyObject *typestr) {
  if (!typestr || !PyUnicode_Check(typestr) || !PyUnicode_GET_LENGTH(typestr))
    return true;
  Py_UCS4 foreign = std::endian::native == std::endian::little ? '>' : '<';
  return PyUnicode_READ_CHAR(typestr, 0) != foreign;
}

bool fromArrayInterface(const Argument &argument, uint64_t &slot, PyObject *&keepAlive) {
  PyObject *interface = PyObject_GetAttr(argument.value, names.arrayInterface);
  if (!interface)
    return false;
  bool good = false;
  if (!PyDict_Check(interface))
    fail(PyExc_TypeError, argument, "__array_interface__ must be a dict");
  else if (!isNativeOrder(PyDict_GetItemWithError(interface, names.typestr)))
    byteOrderFault(argument);
  else
    good = fromInterfaceData(argument, interface, slot, keepAlive) &&
           // Whatever the interface made up on the fly lives as long as it.
           keep(interface, keepAlive);
  Py_DECREF(interface);
  return good;
}

bool unknownFault(const Argument &argument) {
  if (!PyObject_HasAttr(argument.value, names.cudaInterface))
    return typeFault(argument);
  PyObject *device = PyUnicode_FromString("cuda");
  if (!device)
    return false;
  deviceFault(argument, device);
  Py_DECREF(device);
  return false;
}

} // namespace

bool flagtree::python::preparePointers() {
  struct {
    PyObject *&name;
    const char *text;
  } all[] = {
      {names.dataPtr, "data_ptr"},
      {names.isCpu, "is_cpu"},
      {names.device, "device"},
      {names.arrayStruct, "__array_struct__"},
      {names.arrayInterface, "__array_interface__"},
      {names.cudaInterface, "__cuda_array_interface__"},
      {names.data, "data"},
      {names.typestr, "typestr"},
      {names.offset, "offset"},
      {names.numel, "numel"},
  };
  for (auto &entry : all)
    if (!(entry.name = PyUnicode_InternFromString(entry.text)))
      return false;
  return true;
}

bool flagtree::python::convertPointer(const Signature &kernel, const Parameter &parameter, PyObject *value,
                                      uint64_t &slot, PyObject *&keepAlive) {
  Argument argument{kernel, parameter, value};
  if (value == Py_None) {
    slot = 0;
    return true;
  }
  if (PyLong_CheckExact(value))
    return fromLong(argument, value, slot);
  switch (cachedSource(value)) {
  case Source::Tensor:
    return fromTensor(argument, slot);
  case Source::DataPtr:
    return fromWrapper(argument, slot);
  case Source::ArrayStruct:
    return fromArrayStruct(argument, slot);
  case Source::ArrayInterface:
    return fromArrayInterface(argument, slot, keepAlive);
  case Source::Buffer:
    return fromBuffer(argument, value, 0, slot, keepAlive);
  case Source::Index:
    return fromIndex(argument, slot);
  case Source::Unknown:
    break;
  }
  return unknownFault(argument);
}
