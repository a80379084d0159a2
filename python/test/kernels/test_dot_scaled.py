# SPDX-License-Identifier: MIT
"""Products of operands in microscaling formats against fp64."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded

MAGNITUDES = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6], dtype=torch.float64)
TYPES = {
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
}


@triton.jit
def product(
    a, sa, b, sb, o,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, KA: tl.constexpr, KB: tl.constexpr,
    FA: tl.constexpr, FB: tl.constexpr, SA: tl.constexpr, SB: tl.constexpr,
):  # fmt: skip
    m, n, g = tl.arange(0, M)[:, None], tl.arange(0, N), tl.arange(0, K // 32)[None, :]
    left = tl.load(a + m * KA + tl.arange(0, KA)[None, :])
    right = tl.load(b + tl.arange(0, KB)[:, None] * N + n[None, :])
    left_scale = tl.load(sa + m * (K // 32) + g) if SA else None
    right_scale = tl.load(sb + n[:, None] * (K // 32) + g) if SB else None
    c = tl.dot_scaled(left, left_scale, FA, right, right_scale, FB)
    tl.store(o + m * N + n[None, :], c)


def elements(kind: str, rows: int, columns: int, packed: int) -> tuple[Any, Any]:
    """An operand as it lies in memory, and its values."""
    if kind != "e2m1":
        x = torch.randn(rows, columns).to(TYPES[kind])
        return (x.view(torch.uint8) if x.element_size() == 1 else x), x.double()
    nibbles = torch.randint(0, 16, (rows, columns), dtype=torch.uint8)
    values = MAGNITUDES[(nibbles & 7).long()] * torch.where(nibbles > 7, -1.0, 1.0)
    pairs = nibbles.unflatten(packed, (-1, 2))
    return (pairs.select(packed + 1, 0) | pairs.select(packed + 1, 1) << 4).contiguous(), values


def scales(rows: int, k: int) -> tuple[Any, Any]:
    s = torch.randint(120, 134, (rows, k // 32), dtype=torch.uint8)
    return s, torch.exp2(s.double() - 127).repeat_interleave(32, 1)


@pytest.mark.parametrize("with_scales", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(
    "formats", [("e4m3", "e5m2"), ("e2m1", "e2m1"), ("e2m1", "bf16"), ("e5m2", "e2m1"), ("fp16", "e4m3")]
)
def test_formats(formats: tuple[str, str], with_scales: tuple[bool, bool]) -> None:
    m, n, k = 16, 32, 64
    a, left = elements(formats[0], m, k, 1)
    b, right = elements(formats[1], k, n, 0)
    sa, left_scale = scales(m, k)
    sb, right_scale = scales(n, k)
    o = guarded(m * n, "float32")
    product[(1,)](
        a, sa, b, sb, o, M=m, N=n, K=k, KA=a.shape[1], KB=b.shape[0],
        FA=formats[0], FB=formats[1], SA=with_scales[0], SB=with_scales[1],
    )  # fmt: skip
    check_guard(o, m * n)
    if with_scales[0]:
        left = left * left_scale
    if with_scales[1]:
        right = right * right_scale.T
    torch.testing.assert_close(o[: m * n].view(m, n).double(), left @ right, rtol=1e-5, atol=1e-3)
