# SPDX-License-Identifier: MIT
"""Kernels for the tests of the command line."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def scale(x, o, n, factor, B: tl.constexpr = 64):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)


@triton.jit
def walk(a_ptr, out, stride, rows, B: tl.constexpr):
    p = a_ptr + tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in range(0, rows):
        total += tl.load(p)
        p += stride
    tl.store(out + tl.arange(0, B), total)


@triton.jit
def unclear(x, offset, o, B: tl.constexpr = 32):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + offset + i))


@triton.jit
def read(base, i):
    return tl.load(base + i)


@triton.jit
def read_badly(base, i):
    return tl.load(base + i) + tl.no_such_function(i)


@triton.jit
def calls(x, o, B: tl.constexpr = 32):
    i = tl.arange(0, B)
    tl.store(o + i, read(x, i))


@triton.jit
def calls_badly(x, o, B: tl.constexpr = 32):
    i = tl.arange(0, B)
    tl.store(o + i, read_badly(x, i))


@triton.jit
def described(desc, o, B: tl.constexpr = 16):
    tl.store(o + tl.arange(0, B), desc.load([0]))


@triton.jit
def typed(x, o: "*fp16", eps=1e-5, B: tl.constexpr = 16):  # noqa: F722
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) + eps)


@triton.jit
def assembly(x, o, B: tl.constexpr = 32):
    i = tl.arange(0, B)
    v = tl.inline_asm_elementwise(
        "mov $0, $1;", "=r,r", [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(o + i, v)


@triton.autotune(configs=[triton.Config({"B": 128}, num_warps=8)], key=[])
@triton.jit
def tuned(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)
