# SPDX-License-Identifier: MIT
"""Kernels that bench_compile_time.py compiles, beside those of the tutorials."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def gelu(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i, mask=i < n)
    tl.store(out + i, value * 0.5 * (1 + tl.erf(value * 0.70710678)), mask=i < n)


@triton.jit
def dropout(x, out, n, share, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i, mask=i < n)
    kept = tl.rand(seed, i) >= share
    tl.store(out + i, tl.where(kept, value / (1 - share), 0.0), mask=i < n)


@triton.jit
def softmax(x, out, stride, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    values = tl.load(x + row * stride + i, mask=i < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + i, powers / tl.sum(powers, 0), mask=i < columns)


@triton.jit
def rms_norm(x, weight, out, columns, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    values = tl.load(x + row * columns + i, mask=i < columns, other=0.0)
    scale = tl.rsqrt(tl.sum(values * values, 0) / columns + eps)
    w = tl.load(weight + i, mask=i < columns)
    tl.store(out + row * columns + i, values * scale * w, mask=i < columns)


@triton.jit
def row_sum(x, out, columns, B: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        total += tl.load(x + row * columns + i, mask=i < columns, other=0.0)
    tl.store(out + row, tl.sum(total, 0))


@triton.jit
def column_sum(x, out, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    column = tl.program_id(0) * BC + tl.arange(0, BC)
    total = tl.zeros((BC,), tl.float32)
    for start in range(0, rows, BR):
        row = start + tl.arange(0, BR)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        total += tl.sum(tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0), 0)
    tl.store(out + column, total, mask=column < columns)


@triton.jit
def cumsum(x, out, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    values = tl.load(x + row * columns + i, mask=i < columns, other=0.0)
    tl.store(out + row * columns + i, tl.cumsum(values, 0), mask=i < columns)


@triton.jit
def argmax(x, out, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(values, 0))


@triton.jit
def embedding(table, index, out, width, B: tl.constexpr):
    row = tl.program_id(0)
    entry = tl.load(index + row)
    for start in range(0, width, B):
        i = start + tl.arange(0, B)
        tl.store(out + row * width + i, tl.load(table + entry * width + i, mask=i < width), mask=i < width)


@triton.jit
def transpose(x, out, rows, columns, B: tl.constexpr):
    row = tl.program_id(0) * B + tl.arange(0, B)
    column = tl.program_id(1) * B + tl.arange(0, B)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tile = tl.load(x + row[:, None] * columns + column[None, :], mask=inside)
    inside = (column[:, None] < columns) & (row[None, :] < rows)
    tl.store(out + column[:, None] * rows + row[None, :], tl.trans(tile), mask=inside)


@triton.jit
def matmul(
    a, b, out, M, N, K, a_row, a_column, b_row, b_column, out_row, out_column,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    across = tl.cdiv(N, BN)
    first = program // (GROUP * across) * GROUP
    height = min(tl.cdiv(M, BM) - first, GROUP)
    tile_row = first + program % (GROUP * across) % height
    tile_column = program % (GROUP * across) // height
    row = (tile_row * BM + tl.arange(0, BM)) % M
    column = (tile_column * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    left = a + row[:, None] * a_row + k[None, :] * a_column
    right = b + k[:, None] * b_row + column[None, :] * b_column
    total = tl.zeros((BM, BN), tl.int32 if WHOLE else tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        x = tl.load(left, mask=k[None, :] < K - step * BK, other=0)
        y = tl.load(right, mask=k[:, None] < K - step * BK, other=0)
        total = tl.dot(x, y, total, input_precision="ieee", out_dtype=total.dtype)
        left += BK * a_column
        right += BK * b_row
    row = tile_row * BM + tl.arange(0, BM)
    column = tile_column * BN + tl.arange(0, BN)
    inside = (row[:, None] < M) & (column[None, :] < N)
    place = out + row[:, None] * out_row + column[None, :] * out_column
    tl.store(place, total.to(out.dtype.element_ty), mask=inside)
