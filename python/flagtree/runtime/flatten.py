# SPDX-License-Identifier: MIT
"""Kernel arguments as the object code has them: a flat list.

A tuple argument arrives nested, a tensor descriptor arrives whole; both become several arguments. The plan
for one kernel is made once, applying it is a walk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flagtree.runtime.types import from_mlir

_DESCRIPTOR = re.compile(r"tensordesc(?:_im2col)?<([^\[>]+)\[([^\]]*)\]")


class FlatSignature:
    """The flat signature of one kernel.

    names_and_types: list of (parameter, Triton type); "constexpr" entries take an argument that is not passed on
    """

    def __init__(self, signature: Mapping[Any, Any], rounds_to_tf32: bool) -> None:
        self.names_and_types: list[tuple[str, str]] = []
        self._types = list(signature.values())
        self._rounds = rounds_to_tf32
        self.is_flat = not any(isinstance(ty, tuple) or _is_descriptor(ty) for ty in self._types)
        for key, ty in signature.items():
            self._expand(key if isinstance(key, str) else f"arg{key}", ty)

    def _expand(self, name: str, ty: Any) -> None:
        if isinstance(ty, tuple):
            for index, inner in enumerate(ty):
                self._expand(f"{name}[{index}]", inner)
        elif _is_descriptor(ty):
            self.names_and_types += _descriptor_types(name, ty, self._rounds)
        else:
            self.names_and_types.append((name, from_mlir(ty)))

    def flatten(self, args: tuple) -> tuple | list:
        """`args` in the order of `names_and_types`."""
        if self.is_flat:
            return args
        flat: list[Any] = []
        for ty, arg in zip(self._types, args, strict=True):
            self._flatten(ty, arg, flat)
        return flat

    def _flatten(self, ty: Any, arg: Any, flat: list[Any]) -> None:
        if isinstance(ty, tuple):
            for inner, value in zip(ty, arg, strict=True):
                self._flatten(inner, value, flat)
        elif _is_descriptor(ty):
            flat += _descriptor_args(arg, self._rounds)
        else:
            flat.append(arg)


def _is_descriptor(ty: Any) -> bool:
    return isinstance(ty, str) and ty.startswith("tensordesc")


def _descriptor_types(name: str, ty: str, rounds_to_tf32: bool) -> list[tuple[str, str]]:
    found = _DESCRIPTOR.match(ty)
    if found is None:
        raise ValueError(f"parameter `{name}`: {ty!r} is no tensor descriptor type")
    rank = found[2].count(",") + 1
    flags = ["i1", "i1"] if rounds_to_tf32 else ["i1"]
    types = [f"*{found[1]}", *["i64"] * (2 * rank), *flags, *["i32"] * rank, *["i64"] * rank]
    return [(name, inner) for inner in types]


def _descriptor_args(arg: Any, rounds_to_tf32: bool) -> list[Any]:
    flags = [arg.padding == "nan", *([arg.round_f32_to_tf32] if rounds_to_tf32 else [])]
    return [arg.base, *arg.shape, *arg.strides, *flags, *arg.shape, *arg.strides]
