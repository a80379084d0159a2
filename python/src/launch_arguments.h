// SPDX-License-Identifier: MIT
//
// From Python objects to the 8-byte slots of a kernel's argument array.
#ifndef FLAGTREE_PYTHON_LAUNCH_ARGUMENTS_H
#define FLAGTREE_PYTHON_LAUNCH_ARGUMENTS_H

#include "launch_signature.h"

#include <cstdint>

namespace flagtree::python {

/// Interns the attribute names that conversions look up. Call once; false with
/// a Python exception.
bool prepareConversions();

/// Fills `slot` from `value`. False with a Python exception.
/// `keepAlive` is null or a list, made when first needed: objects that must
/// outlive the kernel beside `value` itself.
bool convertArgument(const Signature &kernel, const Parameter &parameter, PyObject *value, uint64_t &slot,
                     PyObject *&keepAlive);

/// The pointer part of convertArgument.
bool convertPointer(const Signature &kernel, const Parameter &parameter, PyObject *value, uint64_t &slot,
                    PyObject *&keepAlive);

/// For the pointer part: interns its names.
bool preparePointers();

} // namespace flagtree::python

#endif // FLAGTREE_PYTHON_LAUNCH_ARGUMENTS_H
