# SPDX-License-Identifier: MIT
"""Arguments that lie in one another.

Compiled code takes two arguments for two buffers, or for the same elements at the same places. The compiler says
for which pairs that mattered and how near they would have to be; a launch with such a pair runs code that takes
nothing for granted, compiled when it is first wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

#: A distance that no pair is known to keep: how far a block reaches depends on the launch.
UNBOUNDED = 1 << 62


class Pair(NamedTuple):
    """Two parameters, by number among those passed at run time: one is read, the other written.

    It matters when their addresses are at least `low` and less than `high` bytes apart.
    """

    read: int
    written: int
    low: int
    high: int


def bounded(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs that addresses alone decide."""
    return [pair for pair in pairs if pair.high < UNBOUNDED]


def unbounded(pairs: Iterable[Pair], positions: list[int]) -> list[tuple[int, int]]:
    """Positions of the arguments of the other pairs. positions: those of the parameters passed at run time."""
    return [(positions[pair.read], positions[pair.written]) for pair in pairs if pair.high >= UNBOUNDED]


def may_overlap(one: Any, other: Any) -> bool:
    """True when two arguments may have an element in common. What has no size is one element."""
    first = _extent(one)
    second = _extent(other)
    return first[0] < second[1] and second[0] < first[1]


def share_storage(one: Any, other: Any) -> bool:
    """A cheaper question first: tensors of two storages have nothing in common."""
    try:
        if one.untyped_storage().data_ptr() != other.untyped_storage().data_ptr():
            return False
    except (AttributeError, RuntimeError, NotImplementedError):
        pass
    return may_overlap(one, other)


def _extent(argument: Any) -> tuple[int, int]:
    """Addresses of the first byte and behind the last one."""
    array = getattr(argument, "array", None)
    if array is not None:
        return _reach(array.ctypes.data, array.shape, array.strides, array.itemsize)
    if isinstance(argument, int):
        return argument, argument + 1
    try:
        start, size = argument.data_ptr(), argument.element_size()
        return _reach(start, argument.shape, [step * size for step in argument.stride()], size)
    except (AttributeError, TypeError):
        start = argument.data_ptr() if hasattr(argument, "data_ptr") else 0
        return start, start + 1


def _reach(start: int, shape: Any, strides: Any, size: int) -> tuple[int, int]:
    if 0 in shape:
        return start, start
    steps = [(extent - 1) * step for extent, step in zip(shape, strides, strict=True)]
    return start + sum(min(step, 0) for step in steps), start + sum(max(step, 0) for step in steps) + size
