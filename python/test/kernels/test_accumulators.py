# SPDX-License-Identifier: MIT
"""Blocks and numbers that a kernel's own loop carries from one block of data to the next."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import close, same, sample, small


@triton.jit
def block_sums(x, o, n, start, B: tl.constexpr, WHERE: tl.constexpr):
    acc = tl.zeros((B,), x.dtype.element_ty) + start
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        v = tl.load(x + c, mask=c < n, other=0)
        if WHERE:
            v = tl.where(c < n, v + 1, 0)
        acc += v * v
    tl.store(o, tl.sum(acc, 0))


@pytest.mark.parametrize("n", [1, 31, 256, 1000, 4099])
@pytest.mark.parametrize("where", [False, True])
@pytest.mark.parametrize("start", [0, 2])
def test_sum_of_a_carried_block(n: int, where: bool, start: int) -> None:
    x, o = small("int32", n), torch.zeros(1, dtype=torch.int32)
    block_sums[(1,)](x, o, n, start, B=256, WHERE=where)
    assert o.item() == ((x + where) ** 2).sum().item() + 256 * start
    x, o = sample("float32", n), torch.zeros(1)
    block_sums[(1,)](x, o, n, float(start), B=128, WHERE=where)
    close(o, (((x.double() + where) ** 2).sum() + 128 * start).view(1), ulps=16)


@triton.jit
def block_extremes(x, o, n, B: tl.constexpr):
    most = tl.full((B,), -float("inf"), tl.float32)
    least = tl.full((B,), 3.0, tl.float32)
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        most = tl.maximum(most, tl.load(x + c, mask=c < n, other=-float("inf")))
        least = tl.minimum(least, tl.load(x + c, mask=c < n, other=float("inf")))
    tl.store(o, tl.max(most, 0))
    tl.store(o + 1, tl.min(least, 0))


@pytest.mark.parametrize("n", [3, 64, 777])
def test_extremes_of_a_carried_block(n: int) -> None:
    x, o = sample("float32", n), torch.zeros(2)
    block_extremes[(1,)](x, o, n, B=64)
    same(o, torch.stack([x.max(), x.min().clamp(max=3.0)]))


@triton.jit
def used_otherwise(x, o, p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    acc = tl.zeros((B,), tl.float32)
    for s in range(0, n, B):
        acc += tl.load(x + s + i, mask=s + i < n, other=0.0)
        tl.store(p + s // B, tl.sum(acc, 0))
    tl.store(o + i, acc)


def test_a_carried_block_that_is_used_otherwise() -> None:
    x, o, p = small("float32", 300), torch.zeros(64), torch.zeros(5)
    used_otherwise[(1,)](x, o, p, 300, B=64)
    padded = torch.nn.functional.pad(x, (0, 20)).view(5, 64)
    same(o, padded.sum(0))
    same(p, padded.sum(1).cumsum(0))


@triton.jit
def carried_numbers(x, o, n, B: tl.constexpr):
    total, most, bits = 1.0, -float("inf"), 0
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        v = tl.load(x + c, mask=c < n, other=0.0)
        total += tl.sum(v, 0)
        most = tl.maximum(most, tl.max(tl.where(c < n, v, -float("inf")), 0))
        bits = bits ^ tl.xor_sum(v.to(tl.int32), 0)
    tl.store(o, total)
    tl.store(o + 1, most)
    tl.store(o + 2, bits.to(tl.float32))


@pytest.mark.parametrize("n", [0, 5, 128, 1001])
@pytest.mark.parametrize("block", [16, 128])
def test_carried_numbers(n: int, block: int) -> None:
    x, o = small("float32", n), torch.zeros(3)
    carried_numbers[(1,)](x, o, n, B=block)
    bits = 0
    for value in x.int().tolist():
        bits ^= value
    most = x.max().item() if n else -float("inf")
    same(o, torch.tensor([x.sum().item() + 1, most, float(bits)]))


@triton.jit
def two_dimensional(x, o, n, R: tl.constexpr, B: tl.constexpr):
    r = tl.arange(0, R)
    acc = tl.zeros((R, B), tl.float32)
    for s in range(0, n, B):
        c = s + tl.arange(0, B)
        acc += tl.load(x + r[:, None] * n + c[None, :], mask=c[None, :] < n, other=0.0)
    tl.store(o + r, tl.sum(acc, 1))
    tl.store(o + R, tl.sum(acc))


def test_a_carried_matrix() -> None:
    x, o = small("float32", 8, 99), torch.zeros(9)
    two_dimensional[(1,)](x, o, 99, R=8, B=32)
    same(o, torch.cat([x.sum(1), x.sum().view(1)]))
