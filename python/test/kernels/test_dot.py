# SPDX-License-Identifier: MIT
"""Products of matrices: operand types, shapes, accumulators, batches, against fp64 or whole numbers."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import dtype_of, small

TYPES = {
    "float32": tl.float32,
    "float16": tl.float16,
    "float64": tl.float64,
    "int32": tl.int32,
}


@triton.jit
def product(
    a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ACC: tl.constexpr, P: tl.constexpr = "ieee"
):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + m[:, None] * K + k[None, :])
    right = tl.load(b + k[:, None] * N + n[None, :])
    result = tl.dot(left, right, input_precision=P, out_dtype=ACC)
    tl.store(c + m[:, None] * N + n[None, :], result.to(c.dtype.element_ty))


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (16, 16, 16), (2, 4, 8), (64, 32, 16), (1, 64, 32), (128, 8, 2)]
)
@pytest.mark.parametrize(
    ("name", "acc"),
    [
        ("float32", "float32"),
        ("float16", "float32"),
        ("float16", "float16"),
        ("bfloat16", "float32"),
        ("float64", "float64"),
        ("int8", "int32"),
    ],
)
def test_whole_numbers_are_exact(shape: tuple[int, int, int], name: str, acc: str) -> None:
    m, n, k = shape
    a, b = small(name, m, k), small(name, k, n)
    c = torch.empty(m, n, dtype=dtype_of(acc))
    product[(1,)](a, b, c, m, n, k, TYPES[acc])
    assert torch.equal(c.double(), a.double() @ b.double())


@pytest.mark.parametrize("precision", ["ieee", "tf32", "tf32x3"])
def test_fp32_is_not_rounded(precision: str) -> None:
    a, b = torch.randn(32, 64), torch.randn(64, 32)
    c = torch.empty(32, 32)
    product[(1,)](a, b, c, 32, 32, 64, tl.float32, precision)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("k", [1024, 4096])
def test_the_largest_bytes_are_exact(k: int) -> None:
    a = torch.full((2, k), -128, dtype=torch.int8)
    b = torch.full((k, 16), -128, dtype=torch.int8)
    b[:, 1::2] = 127
    c = torch.empty(2, 16, dtype=torch.int32)
    product[(1,)](a, b, c, 2, 16, k, tl.int32)
    assert torch.equal(c.double(), a.double() @ b.double())


@triton.jit
def blocked(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), ACC)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0)
        right = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0)
        acc = tl.dot(left, right, acc, out_dtype=ACC)
    tl.store(
        c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N)
    )


@pytest.mark.parametrize("size", [(1, 1, 1), (33, 70, 95), (64, 64, 64), (130, 5, 200), (65, 129, 0)])
@pytest.mark.parametrize("name", ["float32", "bfloat16", "int8"])
def test_blocks_of_any_size(size: tuple[int, int, int], name: str) -> None:
    m, n, k = size
    a, b = small(name, m, k), small(name, k, n)
    integer = name == "int8"
    c = torch.full((m, n), -1, dtype=torch.int32 if integer else torch.float32)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 64))
    blocked[grid](a, b, c, m, n, k, 32, 64, 16, tl.int32 if integer else tl.float32)
    assert torch.equal(c.double(), a.double() @ b.double())


@triton.jit
def batched(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STEPS: tl.constexpr):
    i, m = tl.arange(0, B)[:, None, None], tl.arange(0, M)[None, :, None]
    n = tl.arange(0, N)[None, None, :]
    acc = tl.zeros((B, M, N), tl.float32)
    for step in range(STEPS):
        left = tl.load(a + i * M * K * STEPS + m * K * STEPS + step * K + tl.arange(0, K)[None, None, :])
        right = tl.load(b + i * K * N * STEPS + (step * K + tl.arange(0, K)[None, :, None]) * N + n)
        acc = tl.dot(left, right, acc, input_precision="ieee")
    tl.store(c + i * M * N + m * N + n, acc)


@pytest.mark.parametrize("shape", [(1, 16, 16, 16), (4, 8, 16, 32), (2, 1, 4, 8)])
@pytest.mark.parametrize("steps", [1, 3])
def test_batches(shape: tuple[int, int, int, int], steps: int) -> None:
    count, m, n, k = shape
    a, b = small("float32", count, m, k * steps), small("float32", count, k * steps, n)
    c = torch.empty(count, m, n)
    batched[(1,)](a, b, c, count, m, n, k, steps)
    assert torch.equal(c.double(), a.double() @ b.double())


@triton.jit
def chained(a, b, o, S: tl.constexpr, STEPS: tl.constexpr):
    i = tl.arange(0, S)
    place = i[:, None] * S + i[None, :]
    left, right = tl.load(a + place), tl.load(b + place)
    acc = tl.full((S, S), 1.0, tl.float32)
    scale = tl.full((S,), 0.5, tl.float32)
    for step in range(STEPS):
        p = tl.dot(left, tl.trans(right), input_precision="ieee") * 0.25
        p = tl.where(i[:, None] >= i[None, :] + step, p, 0.0)
        acc = acc * scale[:, None] + tl.dot(p, right, input_precision="ieee")
        scale = scale * 0.5
    tl.store(o + place, acc + tl.dot(left, left, input_precision="ieee"))


@pytest.mark.parametrize("size", [4, 16, 32])
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_products_of_products(size: int, steps: int) -> None:
    a, b = torch.randn(size, size), torch.randn(size, size)
    o = torch.empty(size, size)
    chained[(1,)](a, b, o, size, steps)
    left, right = a.double(), b.double()
    acc, scale = torch.ones(size, size, dtype=torch.float64), 0.5
    for step in range(steps):
        acc = acc * scale + ((left @ right.T) * 0.25).tril(-step) @ right
        scale *= 0.5
    torch.testing.assert_close(o.double(), acc + left @ left, rtol=1e-4, atol=1e-4)


@triton.jit
def powers(a, o, S: tl.constexpr, STEPS: tl.constexpr):
    i = tl.arange(0, S)
    place = i[:, None] * S + i[None, :]
    x = tl.load(a + place)
    y = x
    for _ in range(STEPS):
        y = tl.dot(y, x, input_precision="ieee")
    tl.store(o + place, y)
    tl.store(o + S * S + place, tl.dot(x, y, acc=x, input_precision="ieee"))


@pytest.mark.parametrize("steps", [0, 1, 2, 4])
def test_a_product_of_its_own_last_value(steps: int) -> None:
    x = small("float32", 16, 16, low=-1, high=1)
    o = torch.empty(2, 16, 16)
    powers[(1,)](x, o, 16, steps)
    expected = torch.linalg.matrix_power(x.double(), steps + 1)
    torch.testing.assert_close(o[0].double(), expected, rtol=1e-5, atol=0)
    torch.testing.assert_close(o[1].double(), x.double() + x.double() @ expected, rtol=1e-5, atol=1e-3)


@triton.jit
def epilogue(a, b, bias, o, total, S: tl.constexpr):
    i = tl.arange(0, S)
    place = i[:, None] * S + i[None, :]
    x = tl.dot(tl.load(a + place), tl.load(b + place), input_precision="ieee")
    y = tl.maximum(x + tl.load(bias + i)[None, :], 0.0)
    tl.store(o + place, y)
    tl.store(total + i, tl.sum(x, 1) + tl.max(y, 0))


def test_what_follows_a_product_reads_it() -> None:
    a, b, bias = small("float32", 32, 32), small("float32", 32, 32), small("float32", 32)
    o, total = torch.empty(32, 32), torch.empty(32)
    epilogue[(1,)](a, b, bias, o, total, 32)
    x = a @ b
    y = (x + bias).relu()
    assert torch.equal(o, y)
    assert torch.equal(total, x.sum(1) + y.max(0).values)
