# SPDX-License-Identifier: MIT
"""Integer division ends no process: zero divisors, the smallest number over -1, lanes behind a mask."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

DTYPES = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint32]


@triton.jit
def divide(a, b, quotient, remainder, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(a + i, mask=i < n, other=0)
    y = tl.load(b + i, mask=i < n, other=0)
    tl.store(quotient + i, x // y, mask=i < n)
    tl.store(remainder + i, x % y, mask=i < n)


@triton.jit
def divide_scalars(out, a, b):
    tl.store(out, a // b)
    tl.store(out + 1, a % b)


def run(a: torch.Tensor, b: torch.Tensor, n: int, block: int) -> tuple[torch.Tensor, torch.Tensor]:
    quotient, remainder = torch.zeros_like(a), torch.zeros_like(a)
    divide[(1,)](a, b, quotient, remainder, n, BLOCK=block)
    return quotient, remainder


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_lanes_behind_the_mask_divide_by_the_pad(dtype: torch.dtype) -> None:
    a = torch.arange(50).to(dtype)
    b = (torch.arange(50) % 7 + 1).to(dtype)
    quotient, remainder = run(a, b, 50, 64)
    assert quotient.tolist() == [x // y for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert remainder.tolist() == [x % y for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_zero_divisor_leaves_the_other_lanes_right(dtype: torch.dtype) -> None:
    a, b = torch.full((16,), 100).to(dtype), torch.full((16,), 7).to(dtype)
    b[3] = 0
    quotient, _ = run(a, b, 16, 16)
    assert [q for i, q in enumerate(quotient.tolist()) if i != 3] == [14] * 15


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64], ids=str)
def test_the_smallest_number_over_minus_one_wraps_around(dtype: torch.dtype) -> None:
    least = torch.iinfo(dtype).min
    quotient, remainder = run(
        torch.full((16,), least, dtype=dtype), torch.full((16,), -1, dtype=dtype), 16, 16
    )
    assert quotient.tolist() == [least] * 16
    assert remainder.tolist() == [0] * 16


def test_scalars_do_not_trap() -> None:
    out = torch.full((2,), -7, dtype=torch.int32)
    divide_scalars[(1,)](out, 17, 5)
    assert out.tolist() == [3, 2]
    divide_scalars[(1,)](out, 17, 0)
    divide_scalars[(1,)](out, -(2**31), -1)
    assert out.tolist() == [-(2**31), 0]
