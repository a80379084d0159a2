# SPDX-License-Identifier: MIT
"""Kernels with places for comments, of every kind of place that a comment can have, and what they compute.

`@@` is a place. `DECOY` looks like a hint and is none, for it stands in a string.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

DECOY = "#@hint: decoy"
N, B = 100, 32

LOOPS = """
@triton.jit  @@
def scaled(p, i, n):
    return 2 * tl.load(p + i, mask=i < n)  @@

@triton.jit
def kernel(x, o, n, B: tl.constexpr):  @@
    @@
    for start in tl.range(0, n, B):  @@
        i = start + tl.arange(0, B)
        @@
        if B > 0:
            value = scaled(
                x,  @@
                i, n)  @@
        for k in tl.static_range(2):  @@
            value += k  @@
        tl.store(o + i, value, mask=i < n)  @@
    @@
"""
PLACES = '''
@triton.heuristics({"EVEN": lambda args: args["n"] % args["B"] == 0 and "DECOY" != ""})  @@
@@
@triton.jit
def kernel(x, o, n, B: tl.constexpr, EVEN: tl.constexpr):
    """The text of a kernel may say DECOY.
    DECOY
    """
    @@
    i = tl.arange(0, B); j = i + 0  @@
    tl.static_assert(B > 0, f"{B} is no DECOY")  @@
    total = tl.zeros([B], tl.float32) \\
        + tl.load(x + i, mask=(
            (i <  @@
             n)), other=0)  @@
    at = B
    while at < n:  @@
        now = at + j
        @@
        total += tl.load(  @@
            x + (
                @@
                now),
            mask=now < n,  @@
            other=0,
        )
        at += B  @@
    if EVEN:  @@
        total = total  @@
    else:  @@
        total = total + 0
    tl.store(o + i, total)  @@
'''
PRODUCT = """
@triton.jit
def kernel(x, y, o, K: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B, B), tl.float32)
    @@
    for k in tl.range(0, K, B):  @@
        a = tl.load(x + i[:, None] * K + (k + i)[None, :])  @@
        b = tl.load(y + (k + i)[:, None] * B + i[None, :])  @@
        @@
        total = tl.dot(a, b, total)  @@
        for once in range(1):  @@
            total += tl.load(x)  @@
    tl.store(o + i[:, None] * B + i[None, :], total)  @@
"""
SUMS = """
@triton.jit
def add(a, b): return a + b  @@

@triton.jit
def kernel(x, o, count, n, B: tl.constexpr):
    total = 0.0
    for start in range(0, n, B):  @@
        i = start + tl.arange(0, B)
        block = tl.load(x + i, mask=i < n, other=0)  @@
        @@
        total += tl.reduce(block, 0, add)  @@
        tl.atomic_add(count + i % 2, 1, mask=i < n)  @@
        if start == 0: tl.store(o + 1, tl.load(x + 1))  @@
    tl.store(o, total)  @@
    tl.atomic_max(o + 2, total)  @@
"""


def _line() -> Any:
    return np.arange(N, dtype=np.float32)


def _loops() -> tuple[list[Any], dict[str, Any]]:
    return [_line(), np.zeros(N + 9, np.float32), N], {"B": B}


def _loops_right(args: list[Any]) -> bool:
    x, o, _ = args
    return bool((o[:N] == 2 * x + 1).all() and not o[N:].any())


def _places() -> tuple[list[Any], dict[str, Any]]:
    return [_line(), np.zeros(B + 9, np.float32), N], {"B": B}


def _places_right(args: list[Any]) -> bool:
    x, o, _ = args
    padded = np.concatenate([x, np.zeros(-N % B, np.float32)])
    return bool((o[:B] == padded.reshape(-1, B).sum(0)).all() and not o[B:].any())


def _product() -> tuple[list[Any], dict[str, Any]]:
    x = np.arange(16 * 64, dtype=np.float32).reshape(16, 64) % 7 - 3
    y = np.arange(64 * 16, dtype=np.float32).reshape(64, 16) % 5 - 2
    return [x, y, np.zeros((16, 16), np.float32)], {"K": 64, "B": 16}


def _product_right(args: list[Any]) -> bool:
    x, y, o = args
    return bool((o == x @ y + 4 * x[0, 0]).all())


def _sums() -> tuple[list[Any], dict[str, Any]]:
    return [_line(), np.zeros(8, np.float32), np.zeros(2, np.int32), N], {"B": B}


def _sums_right(args: list[Any]) -> bool:
    x, o, count, _ = args
    return list(o) == [x.sum(), x[1], x.sum(), 0, 0, 0, 0, 0] and list(count) == [N // 2, N // 2]


@dataclass(frozen=True, eq=False)
class Template:
    """A kernel with places.

    text:      its source; types: parameter → type of a compile without a launch
    arguments: (arguments, constants) of a launch; right: are they, after the launch, what they should be
    """

    name: str
    text: str
    types: dict[str, str]
    arguments: Callable[[], tuple[list[Any], dict[str, Any]]]
    right: Callable[[list[Any]], bool]

    @property
    def places(self) -> int:
        """How many comments it takes."""
        return self.text.count("@@")

    def source(self, comments: Sequence[str]) -> str:
        """The text with a comment at each place."""
        pieces = self.text.lstrip("\n").replace("DECOY", DECOY).split("@@")
        return "".join(itertools.chain(*zip(pieces, [*comments, ""], strict=True)))

    def constants(self) -> dict[str, Any]:
        """The constants of a compile without a launch."""
        known = self.arguments()[1]
        return {name: known.get(name, False) for name, kind in self.types.items() if kind == "constexpr"}


_F32, _I32, _CONSTANT = "*fp32", "i32", "constexpr"
TEMPLATES = (
    Template("loops", LOOPS, {"x": _F32, "o": _F32, "n": _I32, "B": _CONSTANT}, _loops, _loops_right),
    Template(
        "places", PLACES, {"x": _F32, "o": _F32, "n": _I32, "B": _CONSTANT, "EVEN": _CONSTANT}, _places, _places_right
    ),
    Template(
        "product", PRODUCT, {"x": _F32, "y": _F32, "o": _F32, "K": _CONSTANT, "B": _CONSTANT}, _product, _product_right
    ),
    Template(
        "sums", SUMS, {"x": _F32, "o": _F32, "count": "*i32", "n": _I32, "B": _CONSTANT}, _sums, _sums_right
    ),
)  # fmt: skip
