# SPDX-License-Identifier: MIT
"""Masks of every form: bounds from either side, from below, without a sign, negated, joined, of one dimension."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, same, small

_SIZE = 64


@triton.jit
def from_the_right(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = n > i
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i < k)


@triton.jit
def not_above(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i <= n - 1, other=-3), mask=k - 1 >= i)


@triton.jit
def with_offsets(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i + 5 < n + 5) & (i * 3 < 3 * n)
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i + k < 2 * k)


@triton.jit
def negated(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = ~((i >= n) | (i >= n + 1))
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=~(i >= k))


@triton.jit
def as_a_product(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i < n) * (i < n + 7)
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=(i < k) & (k > 0))


@triton.jit
def joined(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i < n) | (i < n - 9)
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=(i < k) | (i < 0))


@triton.jit
def chosen(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = tl.where(n > 20, i < n, i <= n - 1)
    tl.store(
        o + i, tl.load(x + i, mask=tl.where(i < n, m, False), other=-3), mask=tl.where(k > 100, i < 64, i < k)
    )


@triton.jit
def unsigned(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i.to(tl.uint32) < tl.maximum(n, 0).to(tl.uint32)
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i.to(tl.uint64) < tl.maximum(k, 0).to(tl.uint64))


@triton.jit
def of_64_bits(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B).to(tl.int64)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i < k)


@triton.jit
def in_a_branch(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    if n > 30:
        m = m & (i < n - 0)
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i < k)


@triton.jit
def carried(x, o, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < 0
    for s in range(1, 4):
        m = i < n * s // 3
    tl.store(o + i, tl.load(x + i, mask=m, other=-3), mask=i < k)


UPPER = [from_the_right, not_above, with_offsets, negated, as_a_product, joined, chosen, unsigned, of_64_bits]
UPPER += [in_a_branch, carried]


@pytest.mark.parametrize("name", ["float32", "float16", "int8", "int64"])
@pytest.mark.parametrize(
    ("n", "k"), [(0, 0), (1, 64), (37, 20), (64, 64), (1000, 63), (-4, 64), (21, -7), (16, 16)]
)
@pytest.mark.parametrize("kernel", UPPER, ids=lambda kernel: kernel.fn.__name__)
def test_bounds_from_above(kernel: Any, n: int, k: int, name: str) -> None:
    x, o = small(name, _SIZE, low=1), guarded(_SIZE, name)
    before = o.clone()
    kernel[(1,)](x, o, n, k, B=_SIZE)
    check_guard(o, _SIZE)
    n, k = (min(max(bound, 0), _SIZE) for bound in (n, k))
    expected = x.clone()
    expected[n:] = -3
    same(o[:k], expected[:k])
    same(o[k:_SIZE], before[k:_SIZE])


@triton.jit
def window(x, o, first, last, start, B: tl.constexpr):
    i = start + tl.arange(0, B)
    m = (i >= first) & (i < last)
    tl.store(o + tl.arange(0, B), tl.load(x + i, mask=m, other=-3))


@triton.jit
def window_from_the_right(x, o, first, last, start, B: tl.constexpr):
    i = start + tl.arange(0, B)
    m = (first - 1 < i) & (last > i)
    tl.store(o + tl.arange(0, B), tl.load(x + i, mask=m, other=-3))


@triton.jit
def window_without_sign(x, o, first, last, start, B: tl.constexpr):
    i = start + tl.arange(0, B)
    m = (i - first).to(tl.uint32, bitcast=True) < (last - first).to(tl.uint32)
    tl.store(o + tl.arange(0, B), tl.load(x + i, mask=m, other=-3))


@triton.jit
def window_backwards(x, o, first, last, start, B: tl.constexpr):
    j = B - 1 - tl.arange(0, B)
    i = start + j
    m = (i >= first) & (i <= last - 1)
    tl.store(o + j, tl.load(x + i, mask=m, other=-3))


@pytest.mark.parametrize("name", ["float32", "int16"])
@pytest.mark.parametrize(
    ("first", "last", "start"),
    [(0, 64, 0), (0, 64, -5), (3, 40, 0), (10, 10, 0), (20, 64, 40), (64, 64, 63), (0, 1, 0)],
)
@pytest.mark.parametrize(
    "kernel",
    [window, window_from_the_right, window_without_sign, window_backwards],
    ids=lambda kernel: kernel.fn.__name__,
)
def test_bounds_from_below(kernel: Any, first: int, last: int, start: int, name: str) -> None:
    x, o = small(name, 64, low=1), guarded(16, name)
    kernel[(1,)](x, o, first, last, start, B=16)
    check_guard(o, 16)
    expected = [int(x[i]) if first <= i < last else -3 for i in range(start, start + 16)]
    same(o[:16], torch.tensor(expected).to(o.dtype))


@triton.jit
def padded_rows(x, o, H, W, y0, x0, BH: tl.constexpr, BW: tl.constexpr):
    h = y0 + tl.arange(0, BH)
    w = x0 + tl.arange(0, BW)
    m = ((h >= 0) & (h < H))[:, None] & ((w >= 0) & (w < W))[None, :]
    v = tl.load(x + h[:, None] * W + w[None, :], mask=m, other=7)
    tl.store(o + tl.arange(0, BH)[:, None] * BW + tl.arange(0, BW)[None, :], v)


@pytest.mark.parametrize(("y0", "x0"), [(0, 0), (-1, -1), (-3, 2), (5, -9), (7, 13), (-20, 0)])
def test_a_padded_image(y0: int, x0: int) -> None:
    H, W = 9, 13
    x, o = torch.randn(H, W), torch.zeros(8, 16)
    padded_rows[(1,)](x, o, H, W, y0, x0, BH=8, BW=16)
    padded = torch.nn.functional.pad(x, (32, 32, 32, 32), value=7)
    same(o, padded[32 + y0 : 40 + y0, 32 + x0 : 48 + x0])


@triton.jit
def triangle(x, o, M, N, ahead, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    keep = (m[:, None] < M) & (n[None, :] < N) & (m[:, None] + ahead >= n[None, :])
    v = tl.load(x + m[:, None] * N + n[None, :], mask=keep, other=0)
    tl.store(o + m[:, None] * N + n[None, :], v, mask=(m[:, None] < M) & (n[None, :] < N))


@pytest.mark.parametrize("ahead", [0, -2, 5, 100, -100])
def test_a_triangle(ahead: int) -> None:
    M, N = 21, 37
    x, o = torch.randn(M, N), guarded(M * N, "float32")
    triangle[(2, 3)](x, o, M, N, ahead, B=16)
    check_guard(o, M * N)
    same(o[: M * N].view(M, N), x.tril(ahead))


@triton.jit
def rows_that_are_kept(x, keep, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.load(keep + m, mask=m < M, other=0) > 0
    mask = (k & (m < M))[:, None] & (n < N)[None, :]
    v = tl.load(x + m[:, None] * N + n[None, :], mask=mask, other=-1)
    tl.store(o + m[:, None] * BN + n[None, :], v)


@pytest.mark.parametrize(("M", "N"), [(8, 16), (5, 13), (0, 16), (8, 0)])
def test_rows_by_a_loaded_mask(M: int, N: int) -> None:
    x, keep, o = torch.randn(M, N), torch.randint(0, 2, (M,), dtype=torch.int32), torch.zeros(8, 16)
    rows_that_are_kept[(1,)](x, keep, o, M, N, BM=8, BN=16)
    expected = torch.full((8, 16), -1.0)
    expected[:M, :N] = torch.where(keep[:, None] > 0, x, -1.0)
    same(o, expected)


@triton.jit
def transposed_mask(x, o, M, N, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i[:, None] < N) & (i[None, :] < M)
    p = x + i[:, None] * N + i[None, :]
    tl.store(o + i[:, None] * B + i[None, :], tl.load(p, mask=tl.trans(m), other=0))


@pytest.mark.parametrize(("M", "N"), [(16, 16), (3, 11), (11, 3)])
def test_a_transposed_mask(M: int, N: int) -> None:
    x, o = torch.randn(M, N), torch.zeros(16, 16)
    transposed_mask[(1,)](x, o, M, N, B=16)
    expected = torch.zeros(16, 16)
    expected[:M, :N] = x
    same(o, expected)


@triton.jit
def one_row(x, o, which, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    mask = (m == which)[:, None] & (n != 3)[None, :] & (n < N)[None, :]
    tl.store(
        o + m[:, None] * N + n[None, :],
        tl.load(x + m[:, None] * N + n[None, :], mask=mask, other=0),
        mask=mask,
    )


def test_masks_of_equality() -> None:
    x, o = torch.randn(8, 13), torch.zeros(8, 13)
    one_row[(1,)](x, o, 5, 13, BM=8, BN=16)
    expected = torch.zeros(8, 13)
    expected[5] = x[5]
    expected[5, 3] = 0
    same(o, expected)
