# SPDX-License-Identifier: MIT
"""What each backend does with hints: `SUPPORT` of its hints.py, read without loading the backend itself."""

from __future__ import annotations

import functools
import importlib
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from flagtree.compiler.hardware import UnifiedHardware
from flagtree.hints.hint import Hint

#: (hint, kind of operation, hardware) → why this hardware cannot have it, or "".
Check = Callable[[Hint, str, UnifiedHardware], str]


@dataclass(frozen=True)
class Support:
    """How one backend uses one hint. A hint without an entry is "unused here".

    subjects:  the kinds of operation on which it does something
    lowers_to: what it becomes, in words for the user guide's table
    check:     what the hardware must have for it; None when all have it
    memory:    the memory space in which each block that the hint stands at must fit, or ""
    """

    subjects: frozenset[str]
    lowers_to: str
    check: Check | None = None
    memory: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "subjects", frozenset(self.subjects))

    def refusal(self, hint: Hint, kind: str, hardware: UnifiedHardware) -> str:
        """Why `hardware` cannot have `hint` on an operation of `kind`, or ""."""
        return self.check(hint, kind, hardware) if self.check is not None else ""

    def room(self, hardware: UnifiedHardware) -> int | None:
        """Bytes of the memory in which a block must fit; None when there is no such memory, or no limit."""
        space = hardware.memory(self.memory) if self.memory else None
        return space.bytes if space is not None else None

    def overflow(self, hint: Hint, block_bytes: int, hardware: UnifiedHardware) -> str:
        """Why a block of that many bytes does not fit where the hint would put it, or ""."""
        room = self.room(hardware)
        if room is None or block_bytes <= room:
            return ""
        return (
            f"{hint.name} wants {block_bytes:,} bytes of {self.memory} memory for this block, "
            f"and a program has {room:,} on {hardware.backend} {hardware.arch}"
        )


_failures: dict[str, str] = {}


@functools.cache
def of_backend(backend: str) -> Mapping[str, Support]:
    """Hint → support of the backend (name of its folder); empty when it has no hints.py or a broken one."""
    return dict(getattr(_module(backend), "SUPPORT", {}))


@functools.cache
def unused(backend: str) -> Mapping[str, str]:
    """Hint → why the backend does nothing with it, for the user guide's table; of some that it does not use."""
    return dict(getattr(_module(backend), "UNUSED", {}))


def failures() -> dict[str, str]:
    """Backends whose hints.py could not be used: name → traceback."""
    return dict(_failures)


def each_backend(add: Callable[[Sequence[Any]], None]) -> None:
    """Give the `SPECS` of every backend to `add`; one that fails is left out and noted in `failures`."""
    from flagtree import backends

    for name in backends.available():
        try:
            add(getattr(_module(name), "SPECS", ()))
        except Exception:
            _failures[name] = traceback.format_exc()


@functools.cache
def _module(backend: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"flagtree.backends.{backend}.hints")
    except ModuleNotFoundError as error:
        if error.name not in (f"flagtree.backends.{backend}", f"flagtree.backends.{backend}.hints"):
            _failures[backend] = traceback.format_exc()
    except Exception:
        _failures[backend] = traceback.format_exc()
    return None
