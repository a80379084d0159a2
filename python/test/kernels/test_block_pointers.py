# SPDX-License-Identifier: MIT
"""Block pointers, which Triton has as operations up to 3.7 and emulates in 3.8."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, same, small

pytestmark = pytest.mark.skipif(
    tuple(int(part) for part in triton.__version__.split(".")[:2]) >= (3, 9), reason="removed in Triton 3.9"
)


@triton.jit
def copy(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    p = tl.make_block_ptr(x, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    q = tl.make_block_ptr(o, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    tl.store(q, tl.load(p, boundary_check=(0, 1)), boundary_check=(0, 1))


@pytest.mark.parametrize("name", ["float32", "float16", "int64", "int8"])
@pytest.mark.parametrize("shape", [(1, 1), (16, 32), (37, 61), (8, 5)])
def test_copy(shape: tuple[int, int], name: str) -> None:
    M, N = shape
    x, o = small(name, M * N), guarded(M * N, name)
    copy[(triton.cdiv(M, 8), triton.cdiv(N, 16))](x, o, M, N, BM=8, BN=16)
    check_guard(o, M * N)
    same(o[: M * N], x)


@triton.jit
def padded(x, o, M, N, m, n, PADDING: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    v = tl.load(p, boundary_check=(0, 1), padding_option=PADDING)
    tl.store(tl.make_block_ptr(o, (BM, BN), (BN, 1), (0, 0), (BM, BN), (1, 0)), v)


@pytest.mark.parametrize("padding", ["zero", "nan"])
@pytest.mark.parametrize("name", ["float32", "float16"])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (3, 10), (-2, 0), (0, -9), (-4, 5), (50, 0), (-8, -16)])
def test_padding(m: int, n: int, name: str, padding: str) -> None:
    M, N = 9, 13
    x, o = small(name, M * N, low=1), small(name, 8 * 16)
    padded[(1,)](x, o, M, N, m, n, PADDING=padding, BM=8, BN=16)
    value = 0 if padding == "zero" else float("nan")
    around = torch.nn.functional.pad(x.view(M, N), (64, 64, 64, 64), value=value)
    torch.testing.assert_close(
        o.view(8, 16), around[64 + m : 72 + m, 64 + n : 80 + n], rtol=0, atol=0, equal_nan=True
    )


@triton.jit
def row_sums(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    total = tl.zeros((BM,), tl.float32)
    for _ in range(0, tl.cdiv(N, BN)):
        total += tl.sum(tl.load(p, boundary_check=(0, 1)), 1)
        p = tl.advance(p, (0, BN))
    q = tl.make_block_ptr(o, (M,), (1,), (tl.program_id(0) * BM,), (BM,), (0,))
    tl.store(q, total, boundary_check=(0,))


@triton.jit
def row_sums_while(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    total = tl.zeros((BM,), tl.float32)
    left = N
    while left > 0:
        total += tl.sum(tl.load(p, boundary_check=(0, 1)), 1)
        p = tl.advance(p, (0, BN))
        left -= BN
    q = tl.make_block_ptr(o, (M,), (1,), (tl.program_id(0) * BM,), (BM,), (0,))
    tl.store(q, total, boundary_check=(0,))


@pytest.mark.parametrize("kernel", [row_sums, row_sums_while], ids=lambda kernel: kernel.fn.__name__)
@pytest.mark.parametrize("shape", [(1, 1), (8, 16), (21, 50)])
def test_loops_advance_them(kernel: Any, shape: tuple[int, int]) -> None:
    M, N = shape
    x, o = torch.randint(-9, 9, (M, N)).float(), guarded(M, "float32")
    kernel[(triton.cdiv(M, 8),)](x, o, M, N, BM=8, BN=16)
    check_guard(o, M)
    same(o[:M], x.sum(1))


@triton.jit
def transposed(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    p = tl.make_block_ptr(x, (N, M), (1, N), (n, m), (BN, BM), (0, 1))
    q = tl.make_block_ptr(o, (N, M), (M, 1), (n, m), (BN, BM), (1, 0))
    tl.store(q, tl.load(p, boundary_check=(1, 0)), boundary_check=(0, 1))


def test_order_changes_nothing() -> None:
    x, o = torch.randn(21, 37), torch.zeros(37, 21)
    transposed[(3, 3)](x, o, 21, 37, BM=8, BN=16)
    same(o, x.t().contiguous())


@triton.jit
def one_checked(x, o, M, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x, (M, BN), (BN, 1), (0, 0), (BM, BN), (1, 0))
    v = tl.load(p, boundary_check=(0,), padding_option="zero")
    tl.store(tl.make_block_ptr(o, (BM, BN), (BN, 1), (0, 0), (BM, BN), (1, 0)), v)


def test_one_checked_dimension() -> None:
    x, o = torch.randn(5, 16), torch.ones(8, 16)
    one_checked[(1,)](x, o, 5, BM=8, BN=16)
    same(o, torch.nn.functional.pad(x, (0, 0, 0, 3)))


@triton.jit
def by_branch(x, y, o, which, B: tl.constexpr):
    p = tl.make_block_ptr(x, (B,), (1,), (0,), (B,), (0,))
    if which > 0:
        p = tl.make_block_ptr(y, (B,), (1,), (0,), (B,), (0,))
    tl.store(o + tl.arange(0, B), tl.load(p))


@pytest.mark.parametrize("which", [0, 1])
def test_a_branch_chooses(which: int) -> None:
    x, y, o = torch.randn(16), torch.randn(16), torch.zeros(16)
    by_branch[(1,)](x, y, o, which, B=16)
    same(o, y if which else x)
