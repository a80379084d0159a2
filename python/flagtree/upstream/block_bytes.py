# SPDX-License-Identifier: MIT
"""How many bytes a value of upstream's IR takes, read from the text of its type."""

from __future__ import annotations

import math
import re
from typing import Any

_TENSOR = re.compile(r"tensor<((?:\d+x)*)(.+?)(?:, .*)?>$")
_ELEMENT = re.compile(r"(?:i|f|bf)(\d+)$")
_POINTER_BITS = 64


class BlockSizes:
    """Bytes of the values of loads and stores of one function. Most of its blocks have one of a few types."""

    def __init__(self) -> None:
        self._known: list[tuple[Any, int | None]] = []

    def of(self, value: Any) -> int | None:
        """Bytes of `value`; None for what has no size."""
        try:
            wanted = value.get_type()
            for type_, size in self._known:
                if type_ == wanted:
                    return size
            size = bytes_of(str(wanted))
        except Exception:
            return None
        self._known.append((wanted, size))
        return size


def bytes_of(type_text: str) -> int | None:
    """Bytes of a type as MLIR prints it: `tensor<16x64xf16>`, `f32`, `!tt.ptr<i8>`."""
    tensor = _TENSOR.match(type_text)
    shape, element = (tensor[1], tensor[2]) if tensor else ("", type_text)
    bits = _bits(element)
    count = math.prod(int(extent) for extent in shape.split("x") if extent)
    return None if bits is None else (count * bits + 7) // 8


def _bits(element: str) -> int | None:
    if element.startswith("!tt.ptr<"):
        return _POINTER_BITS
    if element.startswith("f8"):
        return 8
    if element == "i1":
        return 8  # memory has bytes
    found = _ELEMENT.match(element)
    return int(found[1]) if found else None
