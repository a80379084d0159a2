# SPDX-License-Identifier: MIT
"""Indirect accesses: embedding look-up, gather inside a tensor, scatter."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case(
    "indices:*i64 table:*fp16 out:*fp16 n:i32 dim:i32",
    aligned="table out dim",
    constants={"BN": 16, "BD": 64},
)
@triton.jit
def embedding(indices, table, out, n, dim, BN: tl.constexpr, BD: tl.constexpr):
    rows = tl.program_id(0) * BN + tl.arange(0, BN)
    cols = tl.program_id(1) * BD + tl.arange(0, BD)
    which = tl.load(indices + rows, mask=rows < n, other=0)
    mask = (rows < n)[:, None] & (cols < dim)[None, :]
    values = tl.load(table + which[:, None] * dim + cols[None, :], mask=mask)
    tl.store(out + rows[:, None] * dim + cols[None, :], values, mask=mask)


@case("x:*fp32 index:*i32 out:*fp32", constants={"M": 32, "N": 16, "K": 8})
@triton.jit
def gather_in_tensor(x, index, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    src = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    o = tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + o, tl.gather(src, tl.load(index + o), axis=0))


@case("grad:*fp32 indices:*i64 out:*fp32 n:i32 dim:i32", constants={"BLOCK": 128})
@triton.jit
def scatter_add(grad, indices, out, n, dim, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    target = tl.load(indices + row)
    for start in range(0, dim, BLOCK):
        mask = start + offs < dim
        value = tl.load(grad + row * dim + start + offs, mask=mask)
        tl.atomic_add(out + target * dim + start + offs, value, mask=mask, sem="relaxed")
