# SPDX-License-Identifier: MIT
"""Which argument of a launch upstream's binder cannot take, found once it has failed."""

from __future__ import annotations

from typing import Any

_LEAST, _MOST = -(2**63), 2**64 - 1
_SCALARS = (bool, int, float, type(None))


def explain_arguments(function: Any, args: tuple, kwargs: dict[str, Any]) -> Exception | None:
    """An exception that names kernel and parameter, or None when no argument is at fault.

    TypeError for a value or element type that no kernel takes, OverflowError for an integer beyond 64 bits.
    """
    values = {**dict(zip(function.arg_names, args, strict=False)), **kwargs}
    for parameter in function.params:
        if parameter.is_constexpr or parameter.name not in values:
            continue
        value = values[parameter.name]
        problem = _integer_problem(value) or _tensor_problem(value) or _kind_problem(value)
        if problem:
            kind = OverflowError if type(value) is int else TypeError
            return kind(f"kernel `{function.__name__}`, parameter `{parameter.name}`: {problem}")
    return None


def _integer_problem(value: Any) -> str:
    if type(value) is not int or _LEAST <= value <= _MOST:
        return ""
    return f"{value} does not fit 64 bits; integers lie in -2**63 … 2**64 - 1"


def _tensor_problem(value: Any) -> str:
    if not hasattr(value, "data_ptr") or not hasattr(value, "dtype"):
        return ""
    name = str(value.dtype).split(".")[-1]
    if name not in _element_types():
        return (
            f"a tensor of {name} cannot be passed; elements are bool, int8 … int64, uint8 … uint64, float16, bfloat16, "
            "float32, float64 or an 8-bit float. View complex numbers with torch.view_as_real, dequantize the others"
        )
    try:
        value.data_ptr()
    except Exception as error:
        return f"the tensor has no address ({error}); pass a dense tensor, e.g. x.to_dense()"
    return ""


def _kind_problem(value: Any) -> str:
    taken = isinstance(value, (*_SCALARS, tuple)) or hasattr(value, "data_ptr") or hasattr(value, "base")
    if taken or type(value).__module__.startswith("triton."):
        return ""
    return (
        f"a {type(value).__name__} cannot be passed; allowed are tensors, numpy arrays, int, float, bool and None. "
        "Mark the parameter tl.constexpr to pass other values"
    )


def _element_types() -> frozenset[str]:
    from triton._utils import type_canonicalisation_dict

    return frozenset(type_canonicalisation_dict)
