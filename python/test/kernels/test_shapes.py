# SPDX-License-Identifier: MIT
"""Changes of shape, and kernels that mix shapes, scalars and optional arguments."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import same, sample, small


@triton.jit
def reshaped(x, o, R: tl.constexpr, C: tl.constexpr):
    v = tl.load(x + tl.arange(0, R * C))
    w = tl.reshape(v, (R, C))
    r, c = tl.arange(0, R), tl.arange(0, C)
    tl.store(o + c[None, :] * R + r[:, None], w * 2)


@pytest.mark.parametrize("shape", [(4, 16), (16, 4), (1, 64), (32, 32)])
def test_a_row_becomes_a_matrix(shape: tuple[int, int]) -> None:
    x, o = sample("float32", *shape), torch.zeros(shape[1], shape[0])
    reshaped[(1,)](x, o, R=shape[0], C=shape[1])
    same(o, x.T.contiguous() * 2)


@triton.jit
def flattened(x, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    v = tl.load(x + r[:, None] * C + c[None, :])
    tl.store(o + tl.arange(0, R * C), tl.ravel(v + r[:, None]))


def test_a_matrix_becomes_a_row() -> None:
    x, o = sample("float32", 8, 32), torch.zeros(256)
    flattened[(1,)](x, o, R=8, C=32)
    same(o, (x + torch.arange(8)[:, None]).reshape(-1))


@triton.jit
def pair_sums(x, o, N: tl.constexpr):
    v = tl.reshape(tl.load(x + tl.arange(0, 2 * N)), (N, 2))
    tl.store(o + tl.arange(0, N), tl.sum(v, 1))


def test_sums_of_neighbours() -> None:
    x, o = small("float32", 128), torch.zeros(64)
    pair_sums[(1,)](x, o, N=64)
    same(o, x.view(64, 2).sum(1))


@triton.jit
def flipped(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.flip(tl.load(x + i), 0))


def test_flip() -> None:
    x, o = small("int32", 32), torch.zeros(32, dtype=torch.int32)
    flipped[(1,)](x, o, N=32)
    same(o, x.flip(0))


@triton.jit
def sorted_values(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.sort(tl.load(x + i)))


@pytest.mark.parametrize("name", ["int32", "float32"])
def test_sort(name: str) -> None:
    x = sample(name, 32)
    o = torch.zeros_like(x)
    sorted_values[(1,)](x, o, N=32)
    same(o, x.sort().values)


@triton.jit
def permuted(x, o, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    v = tl.load(x + i[:, None, None] * (B * C) + j[None, :, None] * C + k[None, None, :])
    w = tl.permute(v, (2, 0, 1))
    tl.store(o + k[:, None, None] * (A * B) + i[None, :, None] * B + j[None, None, :], w)


def test_permutation_of_three_dimensions() -> None:
    x, o = sample("float32", 4, 8, 16), torch.zeros(16, 4, 8)
    permuted[(1,)](x, o, A=4, B=8, C=16)
    same(o, x.permute(2, 0, 1).contiguous())


@triton.jit
def broadcasts(x, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    s = tl.load(x)
    row = tl.load(x + c)
    v = tl.broadcast_to(row[None, :], (R, C)) + tl.broadcast_to(r[:, None], (R, C))
    tl.store(o + r[:, None] * C + c[None, :], v + tl.full((R, C), 1.0, tl.float32) * s)


def test_broadcasts() -> None:
    x, o = small("float32", 32), torch.zeros(8, 32)
    broadcasts[(1,)](x, o, R=8, C=32)
    same(o, x[None, :] + torch.arange(8.0)[:, None] + x[0])


@triton.jit
def optional(x, bias, o, SCALE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if bias is not None:
        v += tl.load(bias + i)
    if SCALE is not None:
        v *= SCALE
    tl.store(o + i, v)


@pytest.mark.parametrize("scale", [None, 2.0])
@pytest.mark.parametrize("with_bias", [False, True])
def test_optional_arguments(with_bias: bool, scale: float | None) -> None:
    x, bias, o = small("float32", 64), small("float32", 64), torch.zeros(64)
    optional[(1,)](x, bias if with_bias else None, o, SCALE=scale, B=64)
    same(o, (x + bias if with_bias else x) * (scale or 1.0))


@triton.jit
def scalar_arguments(o, a, b, c, d, e):
    tl.store(o, a)
    tl.store(o + 1, b)
    tl.store(o + 2, c)
    tl.store(o + 3, d)
    tl.store(o + 4, e)


def test_scalar_arguments_of_every_kind() -> None:
    o = torch.zeros(5, dtype=torch.float64)
    scalar_arguments[(1,)](o, 1.5, 3, 2**40, True, -7)
    assert o.tolist() == [1.5, 3, 2**40, 1, -7]


@triton.jit
def promises(x, o, n, B: tl.constexpr):
    tl.assume(n > 0)
    i = tl.max_contiguous(tl.multiple_of(tl.program_id(0) * B + tl.arange(0, B), B), B)
    v = tl.load(x + i, mask=i < n)
    tl.debug_barrier()
    tl.store(o + i, v, mask=i < n)


def test_promises_to_the_compiler() -> None:
    x, o = sample("float32", 100), torch.zeros(100)
    promises[(2,)](x, o, 100, B=64)
    same(o, x)


@triton.jit
def load_in_branch(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.zeros((B,), tl.float32)
    for k in range(n):
        if k % 3 == 1:
            v += tl.load(x + k * B + i)
            tl.store(o + k * B + i, v)
        elif k % 3 == 2:
            v = v * 2
    tl.store(o + i, v)


def test_loads_and_stores_within_branches_of_a_loop() -> None:
    x, o = small("float32", 8, 64), torch.zeros(8, 64)
    load_in_branch[(1,)](x, o, 8, B=64)
    v, expected = torch.zeros(64), torch.zeros(8, 64)
    for k in range(8):
        if k % 3 == 1:
            v = v + x[k]
            expected[k] = v
        elif k % 3 == 2:
            v = v * 2
    expected[0] = v
    same(o, expected)


@triton.jit
def column_softmax(x, o, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at)
    e = tl.exp(v - tl.max(v, 0)[None, :])
    tl.store(o + at, e / tl.sum(e, 0)[None, :])


@pytest.mark.parametrize("shape", [(4, 8), (64, 64), (256, 4)])
def test_softmax_along_columns(shape: tuple[int, int]) -> None:
    x, o = sample("float32", *shape), torch.zeros(*shape)
    column_softmax[(1,)](x, o, R=shape[0], C=shape[1])
    torch.testing.assert_close(o.double(), x.double().softmax(0), rtol=1e-5, atol=1e-7)


@triton.jit
def product_by_sums(x, y, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(x + m[:, None] * K + k[None, :])
    b = tl.load(y + k[:, None] * N + n[None, :])
    tl.store(o + m[:, None] * N + n[None, :], tl.sum(a[:, :, None] * b[None, :, :], 1))


def test_a_product_of_matrices_by_a_sum_over_three_dimensions() -> None:
    x, y, o = small("float32", 8, 16), small("float32", 16, 4), torch.zeros(8, 4)
    product_by_sums[(1,)](x, y, o, M=8, N=4, K=16)
    same(o, x @ y)


@triton.jit
def matrix_vector(x, y, o, rows, columns, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    total = tl.zeros((R,), tl.float32)
    for start in range(0, columns, C):
        c = start + tl.arange(0, C)
        m = (r[:, None] < rows) & (c[None, :] < columns)
        a = tl.load(x + r[:, None] * columns + c[None, :], mask=m, other=0.0)
        total += tl.sum(a * tl.load(y + c, mask=c < columns, other=0.0)[None, :], 1)
    tl.store(o + r, total, mask=r < rows)


@pytest.mark.parametrize("shape", [(1, 1), (33, 100), (16, 64)])
def test_a_matrix_times_a_vector(shape: tuple[int, int]) -> None:
    x, y, o = small("float32", *shape), small("float32", shape[1]), torch.zeros(shape[0])
    matrix_vector[(triton.cdiv(shape[0], 16),)](x, y, o, *shape, R=16, C=32)
    same(o, x @ y)


@triton.jit
def large_tile(x, o, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at)
    tl.store(o + tl.arange(0, C)[:, None] * R + tl.arange(0, R)[None, :], tl.trans(v - tl.sum(v, 1)[:, None]))


def test_a_tile_of_a_million_elements() -> None:
    x, o = small("float32", 1024, 1024), torch.zeros(1024, 1024)
    large_tile[(1,)](x, o, R=1024, C=1024)
    same(o, (x - x.sum(1, keepdim=True)).T.contiguous())


@triton.jit
def empty_results(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.load(x + i, mask=i < n)
    if n > 1000:
        tl.store(o, 1.0)


def test_a_kernel_that_does_nothing() -> None:
    x, o = torch.zeros(8), torch.zeros(8)
    empty_results[(3,)](x, o, 8, B=8)
    assert not o.any()
