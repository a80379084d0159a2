# SPDX-License-Identifier: MIT
"""Blocks that lie in memory column by column, and what turns rows into columns."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, SIGNED, close, same, sample, small


@triton.jit
def transposed(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N))
    tl.store(o + c[:, None] * M + r[None, :], tl.trans(v), mask=(c[:, None] < N) & (r[None, :] < M))


@pytest.mark.parametrize("name", [*FLOATS, *SIGNED, "bool"])
@pytest.mark.parametrize("block", [(32, 32), (8, 64), (64, 4), (2, 16), (16, 2)])
def test_rows_become_columns(name: str, block: tuple[int, int]) -> None:
    rows, columns = 67, 45
    x, o = sample(name, rows, columns), torch.zeros(columns, rows).to(getattr(torch, name))
    grid = (triton.cdiv(rows, block[0]), triton.cdiv(columns, block[1]))
    transposed[grid](x, o, rows, columns, BM=block[0], BN=block[1])
    same(o, x.T.contiguous())


@triton.jit
def strided_sum(x, y, o, M, N, sxr, sxc, syr, syc, sor, soc, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    v = tl.load(x + r[:, None] * sxr + c[None, :] * sxc, mask=m, other=1.0)
    w = tl.load(y + r[:, None] * syr + c[None, :] * syc, mask=m, other=2.0)
    tl.store(o + r[:, None] * sor + c[None, :] * soc, v * 2 + w, mask=m)


@pytest.mark.parametrize("name", ["float32", "float16", "int64"])
@pytest.mark.parametrize("columns_first", [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
def test_operands_of_either_order(name: str, columns_first: tuple[int, int, int]) -> None:
    rows, columns = 50, 37

    def laid_out(values: torch.Tensor, by_columns: int) -> torch.Tensor:
        return values.T.contiguous().T if by_columns else values

    x, y = small(name, rows, columns), small(name, rows, columns)
    expected = x * 2 + y
    x, y = laid_out(x, columns_first[0]), laid_out(y, columns_first[1])
    o = laid_out(torch.zeros_like(expected), columns_first[2])
    grid = (triton.cdiv(rows, 32), triton.cdiv(columns, 16))
    strided_sum[grid](x, y, o, rows, columns, *x.stride(), *y.stride(), *o.stride(), BM=32, BN=16)
    same(o.contiguous(), expected)


@triton.jit
def reduced(x, o, M, N, sm, sn, BM: tl.constexpr, BN: tl.constexpr, AXIS: tl.constexpr):
    r, c = tl.arange(0, BM), tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    v = tl.load(x + r[:, None] * sm + c[None, :] * sn, mask=m, other=0.0)
    if AXIS == 0:
        tl.store(o + c, tl.sum(v * v, 0), mask=c < N)
    else:
        tl.store(o + r, tl.sum(v * v, 1), mask=r < M)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(61, 30), (7, 121), (128, 4), (1, 128)])
def test_sums_over_columns_in_memory(axis: int, shape: tuple[int, int]) -> None:
    x = sample("float32", *shape).T.contiguous().T
    o = torch.zeros(shape[1 - axis])
    reduced[(1,)](x, o, *shape, *x.stride(), BM=128, BN=128, AXIS=axis)
    close(o, (x.double() ** 2).sum(axis), ulps=8)


@triton.jit
def kept_in_columns(x, o, N: tl.constexpr):
    i, j = tl.arange(0, N), tl.arange(0, N)
    v = tl.exp(tl.load(x + i[:, None] + j[None, :] * N, mask=(i[:, None] + j[None, :]) % 3 > 0, other=0.0))
    tl.store(o + i[:, None] * N + j[None, :], v - tl.max(v, 1)[:, None])


def test_a_block_with_a_mask_of_its_own_is_used_twice() -> None:
    x, o = sample("float32", 32, 32, scale=1.0), torch.zeros(32, 32)
    kept_in_columns[(1,)](x, o, N=32)
    i = torch.arange(32)
    powers = torch.where((i[:, None] + i) % 3 > 0, x.T, 0.0).double().exp()
    torch.testing.assert_close(o.double(), powers - powers.amax(1, keepdim=True), rtol=1e-6, atol=1e-6)
