# SPDX-License-Identifier: MIT
"""Reductions, scans and sorts along an axis."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case("x:*fp32 values:*fp32 indices:*i32 cols:i32", constants={"ROWS": 4, "BLOCK": 128})
@triton.jit
def argmax(x, values, indices, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    offs = tl.arange(0, BLOCK)
    tile = tl.load(x + rows[:, None] * cols + offs[None, :], mask=offs[None, :] < cols, other=-float("inf"))
    best, where = tl.max(tile, axis=1, return_indices=True)
    least = tl.argmin(tile, axis=1, tie_break_left=False)
    tl.store(values + rows, best)
    tl.store(indices + rows, where + least)


@case("x:*fp32 y:*i32 out:*fp32", constants={"M": 32, "N": 64})
@triton.jit
def reduce_kinds(x, y, out, M: tl.constexpr, N: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(x + o)
    ints = tl.load(y + o)
    total = tl.sum(tile) + tl.max(tile) + tl.min(tile)
    bits = tl.xor_sum(ints, axis=0)
    kept = tl.sum(tile, axis=0, keep_dims=True) + tl.max(ints, axis=0, keep_dims=True)
    tl.store(out + tl.arange(0, N)[None, :], kept + total)
    tl.store(out + N + tl.arange(0, N), bits.to(tl.float32) + tl.sum(ints, axis=0))


@triton.jit
def _decay(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@case("x:*fp32 gate:*fp32 out:*fp32 n:i32", constants={"BLOCK": 256})
@triton.jit
def scans(x, gate, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask, other=0.0)
    g = tl.load(gate + offs, mask=mask, other=1.0)
    forward = tl.cumsum(a, axis=0)
    backward = tl.cumsum(a, axis=0, reverse=True)
    product = tl.cumprod(g, axis=0)
    _, state = tl.associative_scan((g, a), 0, _decay)
    tl.store(out + offs, forward + backward * product + state, mask=mask)


@case("x:*fp32 out:*fp32", constants={"ROWS": 2, "BLOCK": 64})
@triton.jit
def sort_rows(x, out, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    o = tl.arange(0, ROWS)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tile = tl.load(x + o)
    tl.store(out + o, tl.sort(tile, dim=1, descending=True))


@case("x:*fp32 out:*fp32", constants={"BLOCK": 128, "K": 8})
@triton.jit
def topk(x, out, BLOCK: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    tile = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row * K + tl.arange(0, K), tl.topk(tile, K))


@case("x:*i32 out:*i32 n:i32", constants={"BLOCK": 512, "BINS": 64})
@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    values = tl.load(x + offs, mask=mask, other=0)
    bins = tl.histogram(values, BINS, mask=mask) + tl.histogram(values, BINS)
    tl.atomic_add(out + tl.arange(0, BINS), bins)


@triton.jit
def _welford(mean1, m1, n1, mean2, m2, n2):
    n = n1 + n2
    delta = mean2 - mean1
    share = tl.where(n == 0.0, 0.0, n2 / n)
    return mean1 + delta * share, m1 + m2 + delta * delta * n1 * share, n


@case("x:*fp32 out:*fp32 cols:i32", constants={"BLOCK": 1024})
@triton.jit
def welford_variance(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < cols
    value = tl.load(x + row * cols + offs, mask=mask, other=0.0)
    mean, m2, n = tl.reduce((value, tl.zeros_like(value), mask.to(tl.float32)), 0, _welford)
    tl.store(out + row * 2, mean)
    tl.store(out + row * 2 + 1, m2 / n)
