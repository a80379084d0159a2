# SPDX-License-Identifier: MIT
"""Tensor descriptors, made in the kernel and by the host."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, dtype_of, guarded, same, small
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def copy(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    b = tl.make_tensor_descriptor(o, [M, N], [N, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    b.store(at, a.load(at))


@pytest.mark.parametrize("name", ["float32", "float16", "int32", "int8"])
@pytest.mark.parametrize("shape", [(1, 16), (16, 32), (37, 64), (8, 48)])
def test_copy(shape: tuple[int, int], name: str) -> None:
    M, N = shape
    x, o = small(name, M * N), guarded(M * N, name)
    copy[(triton.cdiv(M, 8), triton.cdiv(N, 32))](x, o, M, N, BM=8, BN=32)
    check_guard(o, M * N)
    same(o[: M * N], x)


@triton.jit
def moved(x, o, M, N, m, n, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    b = tl.make_tensor_descriptor(o, [BM, BN], [BN, 1], [BM, BN])
    b.store([0, 0], a.load([m, n]))


@pytest.mark.parametrize(
    ("m", "n"), [(0, 0), (3, 10), (-2, 0), (0, -9), (-4, 5), (50, 0), (-8, -16), (8, 15)]
)
def test_what_lies_outside_is_zero(m: int, n: int) -> None:
    M, N = 9, 16
    x, o = torch.randn(M, N), torch.ones(8, 16)
    moved[(1,)](x, o, M, N, m, n, BM=8, BN=16)
    same(o, torch.nn.functional.pad(x, (64, 64, 64, 64))[64 + m : 72 + m, 64 + n : 80 + n])


@triton.jit
def of_the_host(a, b, BM: tl.constexpr, BN: tl.constexpr):
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    b.store(at, a.load(at))


@pytest.mark.parametrize("name", ["float32", "float16", "int32"])
@pytest.mark.parametrize("shape", [(16, 32), (37, 48), (5, 16)])
def test_descriptors_of_the_host(shape: tuple[int, int], name: str) -> None:
    M, N = shape
    x, o = small(name, M * N).view(M, N), torch.zeros(M, N, dtype=dtype_of(name))
    a, b = TensorDescriptor.from_tensor(x, [8, 32]), TensorDescriptor.from_tensor(o, [8, 32])
    of_the_host[(triton.cdiv(M, 8), triton.cdiv(N, 32))](a, b, BM=8, BN=32)
    same(o, x)


@triton.jit
def to_pointers(a, o, m, BM: tl.constexpr, BN: tl.constexpr):
    v = a.load([m, 0])
    tl.store(o + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], v)


@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_padding_of_the_host(padding: str) -> None:
    x, o = torch.randn(5, 16), torch.ones(8, 16)
    a = TensorDescriptor(x, [5, 16], [16, 1], [8, 16], padding=padding)
    to_pointers[(1,)](a, o, 2, BM=8, BN=16)
    value = 0 if padding == "zero" else float("nan")
    torch.testing.assert_close(
        o, torch.nn.functional.pad(x[2:], (0, 0, 0, 5), value=value), rtol=0, atol=0, equal_nan=True
    )


def test_strides_of_the_host() -> None:
    x, o = torch.randn(9, 48), torch.ones(8, 16)
    to_pointers[(1,)](TensorDescriptor(x, [9, 16], [48, 1], [8, 16]), o, 0, BM=8, BN=16)
    same(o, x[:8, :16])


@triton.jit
def three_dimensions(x, o, Z, M, N, BM: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [Z, M, N], [M * N, N, 1], [1, BM, BN])
    for z in range(-1, Z + 1):
        v = a.load([z, 0, 0]).reshape(BM, BN)
        tl.store(o + (z + 1) * BM * BN + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], v)


def test_three_dimensions() -> None:
    x, o = torch.randn(3, 5, 16), torch.ones(5, 8, 16)
    three_dimensions[(1,)](x, o, 3, 5, 16, BM=8, BN=16)
    expected = torch.zeros(5, 8, 16)
    expected[1:4, :5] = x
    same(o, expected)


@triton.jit
def in_a_loop(x, o, M, N, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [1, BN])
    total = tl.zeros((BN,), tl.float32)
    for m in range(0, M):
        total += a.load([m, 0]).reshape(BN)
    tl.store(o + tl.arange(0, BN), total)


def test_in_a_loop() -> None:
    x, o = torch.randint(-9, 9, (13, 16)).float(), torch.zeros(16)
    in_a_loop[(1,)](x, o, 13, 16, BN=16)
    same(o, x.sum(0))


@triton.jit
def rows(x, at, o, M, N, n, B: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [1, BN])
    v = a.gather(tl.load(at + tl.arange(0, B)), n)
    b = tl.make_tensor_descriptor(o, [M, N], [N, 1], [1, BN])
    b.scatter(v * 2, tl.load(at + tl.arange(0, B)), n)


@pytest.mark.parametrize("n", [0, 16, 40])
def test_gather_and_scatter_of_rows(n: int) -> None:
    M, N = 20, 48
    x, o = torch.randn(M, N), torch.zeros(M, N)
    at = torch.randperm(M, dtype=torch.int32)[:8]
    rows[(1,)](x, at, o, M, N, n, B=8, BN=16)
    expected = torch.zeros(M, N)
    expected[at.long(), n : n + 16] = x[at.long(), n : n + 16] * 2
    same(o, expected)


@triton.jit
def rows_beyond(x, at, o, M, N, B: tl.constexpr, BN: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [1, BN])
    v = a.gather(tl.load(at + tl.arange(0, B)), 0)
    tl.store(o + tl.arange(0, B)[:, None] * BN + tl.arange(0, BN)[None, :], v)


def test_rows_beyond_the_shape_are_zero() -> None:
    x, o = torch.randn(9, 16), torch.ones(8, 16)
    at = torch.tensor([0, 8, 9, -1, 100, 3, 3, -100], dtype=torch.int32)
    rows_beyond[(1,)](x, at, o, 9, 16, B=8, BN=16)
    same(o, torch.stack([x[i] if 0 <= i < 9 else torch.zeros(16) for i in at.tolist()]))
