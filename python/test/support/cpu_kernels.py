# SPDX-License-Identifier: MIT
"""Kernels for the tests of the CPU backend."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a = tl.load(x + i, mask=m)  # @hint: dma
    tl.store(o + i, a + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax(x, o, stride, n, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row * stride + c, mask=c < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * stride + c, e / tl.sum(e, 0), mask=c < n)


@triton.jit
def own_num_stages(x, o, num_stages: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) * num_stages)


@triton.jit
def pair(xy, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(xy[0] + i) + tl.load(xy[1] + i))


@triton.jit
def assembly(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.inline_asm_elementwise(
        "mov $0, $1;", "=r,r", [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(o + i, v)
