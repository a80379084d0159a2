# SPDX-License-Identifier: MIT
"""enable_fp_fusion: a product and its sum are rounded once where the option and the processor allow it."""

from __future__ import annotations

import platform

import pytest
import torch
import triton
import triton.language as tl

#: (1 + e)(1 - e) = 1 - e², which is 1 when it is rounded before 1 is taken off.
STEP = {torch.float32: 2.0**-13, torch.float64: 2.0**-28}


@triton.jit
def product_and_sum(x, y, z, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    product = tl.load(x + i, mask=m) * tl.load(y + i, mask=m)
    tl.store(out + i, product + tl.load(z + i, mask=m), mask=m)


@triton.jit
def sum_of_products(x, y, out, columns, BLOCK: tl.constexpr):
    """One product a lane, which starts from what the loop's first turn left there."""
    total = tl.zeros((BLOCK,), x.dtype.element_ty)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + i, mask=i < columns, other=0.0) * tl.load(y + i, mask=i < columns, other=0.0)
    tl.store(out + tl.arange(0, BLOCK), total)


def has_fma() -> bool:
    from flagtree.compiler import native

    return platform.machine() != "x86_64" or "+fma," in native.compiler().host()["features"] + ","


@pytest.mark.parametrize("dtype", STEP)
@pytest.mark.parametrize("n", [1, 64, 1000, 2047])
def test_each_is_rounded_when_fusion_is_off(dtype: torch.dtype, n: int) -> None:
    e, out = STEP[dtype], torch.full((n,), 7.0, dtype=dtype)
    one = torch.ones(n, dtype=dtype)
    product_and_sum[(2,)](one + e, one - e, -one, out, n, BLOCK=1024, enable_fp_fusion=False)
    assert out.tolist() == [0.0] * n


@pytest.mark.skipif(not has_fma(), reason="this processor has no fused multiply-add")
@pytest.mark.parametrize("dtype", STEP)
@pytest.mark.parametrize("n", [1, 64, 1000, 2047])
def test_both_are_rounded_once_otherwise(dtype: torch.dtype, n: int) -> None:
    e, out = STEP[dtype], torch.full((n,), 7.0, dtype=dtype)
    one = torch.ones(n, dtype=dtype)
    product_and_sum[(2,)](one + e, one - e, -one, out, n, BLOCK=1024)
    assert out.tolist() == [-e * e] * n


@pytest.mark.skipif(not has_fma(), reason="this processor has no fused multiply-add")
@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("dtype", STEP)
def test_a_loops_sum_takes_its_product_in(dtype: torch.dtype, fused: bool) -> None:
    e, block = STEP[dtype], 256
    x, y = torch.ones(2 * block, dtype=dtype), -torch.ones(2 * block, dtype=dtype)
    x[block:], y[block:] = 1 + e, 1 - e
    out = torch.full((block,), 7.0, dtype=dtype)
    sum_of_products[(1,)](x, y, out, 2 * block, BLOCK=block, enable_fp_fusion=fused)
    assert out.tolist() == [-e * e if fused else 0.0] * block
