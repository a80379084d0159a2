# SPDX-License-Identifier: MIT
"""Counting, picking by index, and putting blocks together and apart."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, dtype_of, guarded, same, sample, small


@triton.jit
def counted(x, o, n, BINS: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    h = tl.histogram(tl.load(x + i, mask=i < n, other=-1), BINS)
    tl.store(o + tl.arange(0, BINS), h)


@pytest.mark.parametrize("bins", [1, 2, 16, 128])
@pytest.mark.parametrize("n", [1, 100, 1000])
def test_values_outside_of_the_bins_are_not_counted(n: int, bins: int) -> None:
    x = torch.randint(-5, bins + 5, (n,), dtype=torch.int32)
    o = guarded(bins, "int32")
    counted[(1,)](x, o, n, BINS=bins, B=triton.next_power_of_2(n))
    check_guard(o, bins)
    inside = x[(x >= 0) & (x < bins)].to(torch.int64)
    assert o[:bins].tolist() == torch.bincount(inside, minlength=bins).tolist()


@triton.jit
def counted_where(x, m, o, p, BINS: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + tl.arange(0, BINS), tl.histogram(v, BINS, mask=tl.load(m + i) != 0))
    tl.store(p + tl.arange(0, BINS), tl.histogram(v, BINS, mask=i < 0))


def test_masks() -> None:
    x, m = small("int32", 256, low=0, high=15), small("int32", 256, low=0, high=1)
    o, p = guarded(16, "int32"), guarded(16, "int32")
    counted_where[(1,)](x, m, o, p, BINS=16, B=256)
    assert o[:16].tolist() == torch.bincount(x[m != 0].to(torch.int64), minlength=16).tolist()
    assert not p[:16].any()


@triton.jit
def picked(x, j, o, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, AXIS: tl.constexpr):
    source = tl.load(x + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :])
    at = tl.arange(0, C)[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(o + at, tl.gather(source, tl.load(j + at), AXIS))


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("name", ["float32", "int64", "float16", "int8"])
@pytest.mark.parametrize(
    ("shape", "picks", "axis"),
    [((32, 16), (8, 16), 0), ((4, 64), (4, 16), 1), ((8, 8), (32, 8), 0), ((1, 32), (1, 64), 1)],
)
def test_picking_along_an_axis(
    name: str, index: str, shape: tuple[int, int], picks: tuple[int, int], axis: int
) -> None:
    x = sample(name, *shape)
    j = torch.randint(0, shape[axis], picks).to(dtype_of(index))
    o = guarded(j.numel(), name)
    picked[(1,)](x, j, o, *shape, *picks, AXIS=axis)
    check_guard(o, j.numel())
    same(o[: j.numel()].view(picks), x.gather(axis, j.to(torch.int64)))


@triton.jit
def picked_from_row(x, j, o, n, B: tl.constexpr, C: tl.constexpr):
    v = tl.load(x + tl.arange(0, B), mask=tl.arange(0, B) < n, other=0.0) * 2.0
    tl.store(o + tl.arange(0, C), tl.gather(v, tl.load(j + tl.arange(0, C)), 0))


def test_picking_from_what_was_computed() -> None:
    x, j, o = sample("float32", 100), torch.randint(0, 128, (64,), dtype=torch.int32), guarded(64, "float32")
    picked_from_row[(1,)](x, j, o, 100, B=128, C=64)
    same(o[:64], torch.cat([2 * x, torch.zeros(28)])[j.to(torch.int64)])


@triton.jit
def woven(x, y, o, p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n, other=0), tl.load(y + i, mask=i < n, other=0)
    joined = tl.join(a, b)
    tl.store(o + i[:, None] * 2 + tl.arange(0, 2)[None, :], joined, mask=i[:, None] < n)
    k = tl.arange(0, 2 * B)
    tl.store(p + k, tl.interleave(a, b), mask=k < 2 * n)


@pytest.mark.parametrize("n", [1, 2, 33, 128])
@pytest.mark.parametrize("name", ["float32", "int64", "float16", "int8"])
def test_joining(name: str, n: int) -> None:
    x, y = sample(name, n), sample(name, n)
    o, p = guarded(2 * n, name), guarded(2 * n, name)
    woven[(1,)](x, y, o, p, n, B=triton.next_power_of_2(n))
    expected = torch.stack([x, y], 1).flatten()
    for out in (o, p):
        check_guard(out, 2 * n)
        same(out[: 2 * n], expected)


@triton.jit
def rotated(x, o, n, B: tl.constexpr):
    """Pairs are turned by a right angle, as in rotary embeddings."""
    k = tl.arange(0, 2 * B)
    a, b = tl.split(tl.reshape(tl.load(x + k, mask=k < 2 * n, other=0.0), (B, 2)))
    tl.store(o + k, tl.interleave(-b, a), mask=k < 2 * n)


@pytest.mark.parametrize("n", [1, 8, 50])
def test_splitting(n: int) -> None:
    x, o = sample("float32", 2 * n), guarded(2 * n, "float32")
    rotated[(1,)](x, o, n, B=triton.next_power_of_2(n))
    check_guard(o, 2 * n)
    pairs = x.view(n, 2)
    same(o[: 2 * n], torch.stack([-pairs[:, 1], pairs[:, 0]], 1).flatten())


@triton.jit
def put_behind(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + tl.arange(0, 2 * B), tl.cat(tl.load(x + i), tl.load(y + i) + 1, can_reorder=True))


@pytest.mark.parametrize("name", ["float32", "int32"])
def test_one_behind_the_other(name: str) -> None:
    x, y, o = small(name, 64), small(name, 64), guarded(128, name)
    put_behind[(1,)](x, y, o, B=64)
    check_guard(o, 128)
    assert o[:128].sort().values.tolist() == torch.cat([x, y + 1]).sort().values.tolist()


@triton.jit
def booleans(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    m = tl.load(x + i) > 0
    a, b = tl.split(tl.reshape(m, (B // 2, 2)))
    picked = tl.gather(m, B - 1 - i, 0)
    tl.store(o + i, picked.to(tl.int32) + 2 * tl.interleave(a & b, a | b).to(tl.int32))


@pytest.mark.parametrize("n", [8, 128])
def test_booleans(n: int) -> None:
    x, o = sample("float32", n), guarded(n, "int32")
    booleans[(1,)](x, o, B=n)
    pairs = (x > 0).view(-1, 2)
    woven_pairs = torch.stack([pairs.all(1), pairs.any(1)], 1).flatten()
    same(o[:n], (x > 0).flip(0).to(torch.int32) + 2 * woven_pairs.to(torch.int32))


@triton.jit
def permuted(x, o, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.permute(tl.load(x + a * (B * C) + b * C + c), (2, 0, 1))
    tl.store(o + tl.arange(0, A * B * C), tl.ravel(v))


@pytest.mark.parametrize("shape", [(2, 4, 8), (16, 2, 4), (8, 8, 1)])
def test_permuting(shape: tuple[int, int, int]) -> None:
    x = sample("float32", *shape)
    o = guarded(x.numel(), "float32")
    permuted[(1,)](x, o, *shape)
    check_guard(o, x.numel())
    same(o[: x.numel()], x.permute(2, 0, 1).flatten())
