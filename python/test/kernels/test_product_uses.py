# SPDX-License-Identifier: MIT
"""Products whose results are worked on before they are stored in part."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import small


@triton.jit
def worked_on(a, b, c, M, KIND: tl.constexpr, B: tl.constexpr):
    r = tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for i in range(0, 64, B):
        x = tl.load(a + r[:, None] * 64 + (i + r)[None, :])
        y = tl.load(b + (i + r)[:, None] * B + r[None, :])
        if KIND == 0:
            acc += 2 * tl.dot(x, y)
        elif KIND == 1:
            acc = tl.dot(x, y, acc) * 0.5
        elif KIND == 2:
            acc += tl.maximum(tl.dot(x, y), 0)
        else:
            acc = acc * 0.5 + tl.dot(x, y) * 0.5
    tl.store(c + r[:, None] * B + r[None, :], acc, mask=r[:, None] < M)


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("rows", [0, 13, 16])
def test_in_the_loop(kind: int, rows: int) -> None:
    a, b, c = small("float32", 16, 64), small("float32", 64, 16), torch.full((16, 16), -1.0)
    worked_on[(1,)](a, b, c, rows, KIND=kind, B=16)
    expected = torch.zeros(16, 16, dtype=torch.float64)
    for i in range(0, 64, 16):
        product = a[:, i : i + 16].double() @ b[i : i + 16].double()
        if kind == 0:
            expected += 2 * product
        elif kind == 1:
            expected = (expected + product) * 0.5
        elif kind == 2:
            expected += product.clamp(min=0)
        else:
            expected = expected * 0.5 + product * 0.5
    torch.testing.assert_close(c[:rows].double(), expected[:rows], rtol=1e-6, atol=1e-4)
    assert (c[rows:] == -1).all()


@triton.jit
def two(a, c, d, M, B: tl.constexpr):
    r = tl.arange(0, B)
    x = tl.load(a + r[:, None] * B + r[None, :])
    first, second = tl.dot(x, x), tl.dot(x, tl.trans(x))
    tl.store(c + r[:, None] * B + r[None, :], first, mask=r[:, None] < M)
    tl.store(d + r[:, None] * B + r[None, :], second - first, mask=r[:, None] < M)


def test_one_result_in_two_places() -> None:
    a, c, d = small("float32", 16, 16), torch.zeros(16, 16), torch.zeros(16, 16)
    two[(1,)](a, c, d, 7, B=16)
    w = a.double()
    assert torch.equal(c[:7].double(), (w @ w)[:7]) and torch.equal(d[:7].double(), (w @ w.T - w @ w)[:7])


@triton.jit
def growing(a, b, c, K, B: tl.constexpr):
    r, k = tl.arange(0, 2 * B), tl.arange(0, B)
    acc = tl.zeros((2 * B, B), tl.float32)
    for i in range(0, K // B):
        x = tl.load(a + r[:, None] * K + (i * B + k)[None, :])
        y = tl.load(b + (i * B + k)[:, None] * B + k[None, :])
        tl.store(c + i * 2 * B * B + r[:, None] * B + k[None, :], acc, mask=r[:, None] < (i + 1) * 8)
        acc = tl.dot(x, y, acc)


def test_more_rows_are_stored_in_each_iteration() -> None:
    a, b, c = small("float32", 32, 64), small("float32", 64, 16), torch.zeros(4, 32, 16)
    growing[(1,)](a, b, c, 64, B=16)
    for i in range(4):
        rows = 8 * (i + 1)
        expected = a[:rows, : 16 * i].double() @ b[: 16 * i].double()
        assert torch.equal(c[i, :rows].double(), expected)


@triton.jit
def bytes_of(a, b, c, K, B: tl.constexpr, BK: tl.constexpr):
    r, k = tl.arange(0, B), tl.arange(0, BK)
    x = tl.load(a + r[:, None] * K + k[None, :], mask=k[None, :] < K, other=0)
    y = tl.load(b + k[:, None] * B + r[None, :], mask=k[:, None] < K, other=0)
    tl.store(c + r[:, None] * B + r[None, :], tl.dot(x, y, out_dtype=tl.int32))


@pytest.mark.parametrize("k", [0, 3, 5, 1001, 1024, 1025, 2047, 2048])
def test_depths_of_bytes(k: int) -> None:
    a = torch.randint(-128, 128, (16, k), dtype=torch.int8)
    b = torch.randint(-128, 128, (k, 16), dtype=torch.int8)
    c = torch.full((16, 16), -1, dtype=torch.int32)
    bytes_of[(1,)](a, b, c, k, B=16, BK=2048)
    assert torch.equal(c.long(), a.long() @ b.long())
