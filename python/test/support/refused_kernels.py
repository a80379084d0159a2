# SPDX-License-Identifier: MIT
"""Kernels that the CPU backend refuses, as the documents say."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def atomic(a, o, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    tl.atomic_add(o + i, tl.load(a + i))


@triton.jit
def print(a, o, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    v = tl.load(a + i)
    tl.device_print("v", v)
    tl.store(o + i, v)
