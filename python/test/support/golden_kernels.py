# SPDX-License-Identifier: MIT
"""Kernels whose machine code is watched, as programs write them: masks for any size, one row or block a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=i < n)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    kept = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(kept, v / (1 - p), 0.0), mask=i < n)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + c, mask=c < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + c, e / tl.sum(e, 0), mask=c < columns)


@triton.jit
def layer_norm(x, w, b, out, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x + c, mask=c < columns, other=0.0)
    mean = tl.sum(total, 0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        d = tl.where(c < columns, tl.load(x + c, mask=c < columns, other=0.0) - mean, 0.0)
        squares += d * d
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / columns + eps)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        m = c < columns
        v = (tl.load(x + c, mask=m) - mean) * scale
        tl.store(out + c, v * tl.load(w + c, mask=m) + tl.load(b + c, mask=m), mask=m)


@triton.jit
def rms_norm(x, w, out, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < columns
    v = tl.load(x + row * stride + c, mask=m, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / columns + eps)
    tl.store(out + row * stride + c, v * scale * tl.load(w + c, mask=m), mask=m)


@triton.jit
def cross_entropy(scores, targets, losses, stride, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    scores += row * stride
    most = -float("inf")
    total = 0.0
    for start in range(0, classes, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(scores + c, mask=c < classes, other=-float("inf"))
        now = tl.maximum(most, tl.max(v, 0))
        total = total * tl.exp(most - now) + tl.sum(tl.exp(v - now), 0)
        most = now
    target = tl.load(scores + tl.load(targets + row))
    tl.store(losses + row, most + tl.log(total) - target)


@triton.jit
def row_sum(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * stride + c, mask=c < columns, other=0.0)
    tl.store(out + row, tl.sum(total, 0))


@triton.jit
def column_sum(x, out, stride, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for start in range(0, rows, ROWS):
        r = start + tl.arange(0, ROWS)
        m = (r[:, None] < rows) & (c[None, :] < columns)
        total += tl.sum(tl.load(x + r[:, None] * stride + c[None, :], mask=m, other=0.0), 0)
    tl.store(out + c, total, mask=c < columns)


@triton.jit
def cumsum(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + c, mask=c < columns, other=0.0)
    tl.store(out + row * stride + c, tl.cumsum(v, 0), mask=c < columns)


@triton.jit
def argmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + c, mask=c < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, 0))


@triton.jit
def embedding(indices, table, out, stride, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < width
    source = table + tl.load(indices + row) * stride
    tl.store(out + row * width + c, tl.load(source + c, mask=m), mask=m)


@triton.jit
def gather_rows(indices, table, out, stride, rows, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    m = (r[:, None] < rows) & (c[None, :] < width)
    source = tl.load(indices + r, mask=r < rows)
    v = tl.load(table + source[:, None] * stride + c[None, :], mask=m)
    tl.store(out + r[:, None] * width + c[None, :], v, mask=m)


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=m)
    tl.store(out + c[None, :] * rows + r[:, None], v, mask=m)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        left = tl.load(
            a + m[:, None] * K + start + k[None, :],
            mask=(m[:, None] < M) & (k[None, :] < K - start),
            other=0.0,
        )
        right = tl.load(
            b + (start + k[:, None]) * N + n[None, :],
            mask=(k[:, None] < K - start) & (n[None, :] < N),
            other=0.0,
        )
        total = tl.dot(left, right, total)
    tl.store(c + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def attention(q, k, v, out, tokens, scale, WIDTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * tokens * WIDTH
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, WIDTH)
    rows = head + m[:, None] * WIDTH + d[None, :]
    queries = tl.load(q + rows, mask=m[:, None] < tokens, other=0.0) * scale
    most = tl.full((BM,), -float("inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, WIDTH), tl.float32)
    for start in range(0, tokens, BN):
        n = start + tl.arange(0, BN)
        places = head + n[:, None] * WIDTH + d[None, :]
        keys = tl.load(k + places, mask=n[:, None] < tokens, other=0.0)
        scores = tl.where(n[None, :] < tokens, tl.dot(queries, tl.trans(keys)), -float("inf"))
        now = tl.maximum(most, tl.max(scores, 1))
        shares = tl.exp(scores - now[:, None])
        shrink = tl.exp(most - now)
        weight = weight * shrink + tl.sum(shares, 1)
        values = tl.load(v + places, mask=n[:, None] < tokens, other=0.0)
        total = tl.dot(shares, values, total * shrink[:, None])
        most = now
    tl.store(out + rows, total / weight[:, None], mask=m[:, None] < tokens)


@dataclass(frozen=True)
class Case:
    """One launch. arguments: tensors and numbers as they are passed; constants: the constexprs;
    fma: whether the kernel's loops multiply and add."""

    kernel: Any
    arguments: Callable[[], tuple]
    constants: dict[str, int]
    fma: bool = False


def _f(*shape: int) -> torch.Tensor:
    return torch.empty(shape)


def _i(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.int64)


#: Sizes are odd, so that nothing is known of them: each kernel needs its masks.
CASES = {
    "add": Case(add, lambda: (_f(9), _f(9), _f(9), 9), {"BLOCK": 1024}),
    "gelu": Case(gelu, lambda: (_f(9), _f(9), 9), {"BLOCK": 1024}, fma=True),
    "dropout": Case(dropout, lambda: (_f(9), _f(9), 9, 0.5, 7), {"BLOCK": 1024}),
    "softmax": Case(softmax, lambda: (_f(9), _f(9), 9, 9), {"BLOCK": 1024}, fma=True),
    "layer_norm": Case(
        layer_norm, lambda: (_f(9), _f(9), _f(9), _f(9), 9, 9, 1e-5), {"BLOCK": 1024}, fma=True
    ),
    "rms_norm": Case(rms_norm, lambda: (_f(9), _f(9), _f(9), 9, 9, 1e-5), {"BLOCK": 1024}, fma=True),
    "cross_entropy": Case(cross_entropy, lambda: (_f(9), _i(9), _f(9), 9, 9), {"BLOCK": 1024}, fma=True),
    "row_sum": Case(row_sum, lambda: (_f(9), _f(9), 9, 9), {"BLOCK": 1024}),
    "column_sum": Case(column_sum, lambda: (_f(9), _f(9), 9, 9, 9), {"ROWS": 32, "COLUMNS": 128}),
    "cumsum": Case(cumsum, lambda: (_f(9), _f(9), 9, 9), {"BLOCK": 1024}),
    "argmax": Case(argmax, lambda: (_f(9), _i(9), 9, 9), {"BLOCK": 1024}),
    "embedding": Case(embedding, lambda: (_i(9), _f(9), _f(9), 9, 9), {"BLOCK": 1024}),
    "gather_rows": Case(gather_rows, lambda: (_i(9), _f(9), _f(9), 9, 9, 9), {"ROWS": 8, "BLOCK": 256}),
    "transpose": Case(transpose, lambda: (_f(9), _f(9), 9, 9), {"BLOCK": 64}),
    "matmul": Case(matmul, lambda: (_f(9), _f(9), _f(9), 9, 9, 9), {"BM": 64, "BN": 64, "BK": 32}, fma=True),
    "attention": Case(
        attention, lambda: (_f(9), _f(9), _f(9), _f(9), 9, 0.125), {"WIDTH": 64, "BM": 64, "BN": 32}, fma=True
    ),
}
