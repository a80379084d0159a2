# SPDX-License-Identifier: MIT
"""numpy arrays and scalars as arguments of a launch."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


class HostArray:
    """A numpy array in the shape that Triton's binder takes for a tensor: `data_ptr()` and `dtype`.

    array: any numpy array; it is kept alive and written in place
    """

    __slots__ = ("_address", "array", "dtype")

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = array.dtype
        self._address: int = array.__array_interface__["data"][0]

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self._address

    @property
    def __array_interface__(self) -> dict:
        return self.array.__array_interface__

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents, in elements."""
        return self.array.shape

    def stride(self, dimension: int | None = None) -> Any:
        """Distances in elements, as torch counts them."""
        strides = tuple(step // self.array.itemsize for step in self.array.strides)
        return strides if dimension is None else strides[dimension]

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.array.itemsize

    def __repr__(self) -> str:
        return f"HostArray({self.array.dtype}, shape {self.array.shape})"


def adapt(value: Any) -> Any:
    """`value` as an argument: numpy arrays wrapped, numpy scalars as Python's, all else as it is.

    Raises TypeError for an array of a type that no kernel can have.
    """
    numpy = sys.modules["numpy"]
    if isinstance(value, numpy.ndarray):
        _check(value)
        return HostArray(value)
    return value.item() if isinstance(value, numpy.generic) else value


#: Types that were seen and are none of numpy's: asking a set is a third of asking `isinstance`.
_plain_types: set[type] = {int, float, bool, str, type(None)}
_MOST_PLAIN_TYPES = 256


def needs_adapting(values: Iterable[Any]) -> bool:
    """True when any of `values` is of numpy. The one pass that every launch pays."""
    for value in values:  # noqa: SIM110  (a generator costs more than the loop)
        if type(value) not in _plain_types and _is_numpys(value):
            return True
    return False


def _is_numpys(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return True
    if len(_plain_types) < _MOST_PLAIN_TYPES:
        _plain_types.add(type(value))
    return False


def _check(array: Any) -> None:
    if array.dtype.kind not in "biufV":
        raise TypeError(
            f"a numpy array of {array.dtype} cannot be passed to a kernel; allowed are booleans, integers and floats"
        )
    if not array.dtype.isnative:
        raise TypeError(
            f"a numpy array of {array.dtype} is not in this machine's byte order; "
            "convert it with a.astype(a.dtype.newbyteorder('='))"
        )
