# SPDX-License-Identifier: MIT
"""Hinted kernels for the front-end tests."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def callee(p, i):
    return tl.load(p + i)  # @hint: dma


@triton.jit
def everything(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n)  # @hint: shared_memory
    b = callee(y, i)
    for k in range(0, n):  # @hint: num_stages=3, warp specialize
        for j in range(0, n):  # @hint: flatten
            a += j
        a += k
    t = tl.reshape(a, (16, B // 16))
    d = tl.dot(t, tl.trans(t))  # @hint: dot_pad_only_k
    tl.atomic_add(o, 1.0)  # @hint: mine
    tl.store(o + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], d)  # @hint: dma, mine("q")
    tl.store(o + i, a + b, mask=i < n)


@triton.jit
def plain(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i))


@triton.jit
def troubled(x, o, B: tl.constexpr):
    i = tl.arange(0, B)  # @hint: dma
    v = tl.load(x + i)  # @hint: num_stages=2, =bad
    if B == 1:
        v = tl.load(x)  # @hint: dma
    for k in range(2):  # @hint: num_stages=many
        v += k
    tl.store(o + i, v)
    # @hint: dma


@triton.jit
def pipelined(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    for k in tl.range(0, n):  # @hint: num_stages=4
        a += tl.load(x + k * B + i)  # @hint: dma
    tl.store(o + i, a)
