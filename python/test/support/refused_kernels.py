# SPDX-License-Identifier: MIT
"""Kernels that the CPU backend refuses, as the documents say."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def power(a, b):
    result = a
    while result < b:
        result = result * 2
    return result


@triton.jit
def looping_combiner(x, o, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    tl.store(o, tl.reduce(tl.load(x + i), 0, power))
