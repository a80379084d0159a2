# SPDX-License-Identifier: MIT
"""What the backend cannot compile yet is refused with the operation, the kernel and the line; nothing crashes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl

from flagtree.compiler.errors import KernelCompileError


@triton.jit
def combine(a, b):
    while b > 1.0:
        b = b / 2
    return a + b


@triton.jit
def looping_combiner(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o, tl.reduce(tl.load(x + i), 0, combine))


@triton.jit
def histogram(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.histogram(tl.load(x + i), B))


@triton.jit
def gather_in_tensor(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.gather(tl.load(x + i), i, 0))


@triton.jit
def joined(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.join(tl.load(x + i), tl.load(x + i))
    tl.store(o + i[:, None] * 2 + tl.arange(0, 2)[None, :], v)


@triton.jit
def float8(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(tl.float8e5).to(tl.float32))


CASES = {
    looping_combiner: "tt.reduce",
    histogram: "tt.histogram",
    gather_in_tensor: "tt.gather",
    joined: "tt.join",
    float8: "tt.fp_to_fp",
}
INTEGERS = (histogram,)


@pytest.mark.parametrize("kernel", CASES, ids=lambda k: getattr(k, "__name__", None))
def test_an_operation_without_a_lowering_is_named(kernel: Any) -> None:
    x = torch.ones(32, 32, dtype=torch.int32 if kernel in INTEGERS else torch.float32)
    o = torch.zeros_like(x)
    with pytest.raises(KernelCompileError) as raised:
        kernel[(1,)](x, o, B=32)
    text = str(raised.value)
    assert CASES[kernel] in text and kernel.__name__ in text and "test_refusals.py:" in text
    assert not o.any()
