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
def tensor_descriptor(a, o, n, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    d = tl.make_tensor_descriptor(a, [n, n], [n, 1], [B, B])
    tl.store(o + i[:, None] * B + i[None, :], d.load([0, 0]))


@triton.jit
def block_pointer(a, o, n, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    d = tl.make_block_ptr(a, [n, n], [n, 1], [0, 0], [B, B], [1, 0])
    tl.store(o + i[:, None] * B + i[None, :], tl.load(d))


@triton.jit
def print(a, o, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    v = tl.load(a + i)
    tl.device_print("v", v)
    tl.store(o + i, v)
