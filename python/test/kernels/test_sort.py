# SPDX-License-Identifier: MIT
"""Sorting, selecting and turning around, as upstream's library spells them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, same, sample, small


@triton.jit
def sorted_row(x, o, n, other, DESCENDING: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.sort(tl.load(x + i, mask=i < n, other=other), descending=DESCENDING), mask=i < n)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("n", [2, 4, 8, 13, 64, 100])
@pytest.mark.parametrize("name", ["float32", "int32", "float16", "int64"])
def test_a_row(name: str, n: int, descending: bool) -> None:
    x, o = sample(name, n), guarded(n, name)
    if name == "int64":
        x = small(name, n, low=-99, high=99)
    other = -100 if name == "int64" else (-(2**31) if name == "int32" else -float("inf"))
    other = other if descending else -other - (name == "int32")
    sorted_row[(1,)](x, o, n, other, DESCENDING=descending, B=triton.next_power_of_2(n))
    check_guard(o, n)
    same(o[:n], x.sort(descending=descending).values)


@triton.jit
def sorted_rows(x, o, A: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(o + i, tl.sort(tl.load(x + i), 1))


@pytest.mark.parametrize("shape", [(1, 32), (4, 16), (16, 2), (8, 64)])
def test_rows(shape: tuple[int, int]) -> None:
    x = sample("float32", *shape)
    o = guarded(x.numel(), "float32")
    sorted_rows[(1,)](x, o, *shape)
    check_guard(o, x.numel())
    same(o[: x.numel()].view(shape), x.sort(1).values)


@triton.jit
def sorted_in_place(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.sort(tl.load(x + i)))


def test_in_place() -> None:
    x = sample("float32", 128)
    expected = x.sort().values
    sorted_in_place[(1,)](x, B=128)
    same(x, expected)


@triton.jit
def largest_few(x, o, A: tl.constexpr, B: tl.constexpr, K: tl.constexpr):
    r = tl.arange(0, A)[:, None]
    v = tl.load(x + r * B + tl.arange(0, B)[None, :])
    tl.store(o + r * K + tl.arange(0, K)[None, :], tl.topk(v, K, 1))


@pytest.mark.parametrize("k", [2, 4, 8])
@pytest.mark.parametrize("shape", [(1, 64), (2, 16), (4, 128)])
def test_the_largest_few(shape: tuple[int, int], k: int) -> None:
    x = sample("float32", *shape)
    o = guarded(shape[0] * k, "float32")
    largest_few[(1,)](x, o, *shape, K=k)
    check_guard(o, shape[0] * k)
    same(o[: shape[0] * k].view(shape[0], k), x.topk(k, 1).values)


@triton.jit
def argsort_of_keys(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=1 << 20)
    keys = tl.sort((v.to(tl.int64) << 32) | i)
    tl.store(o + i, keys & 0xFFFFFFFF, mask=i < n)


@pytest.mark.parametrize("n", [3, 64, 100])
def test_positions_by_packed_keys(n: int) -> None:
    x, o = small("int32", n), guarded(n, "int64")
    argsort_of_keys[(1,)](x, o, n, B=triton.next_power_of_2(n))
    check_guard(o, n)
    same(o[:n], x.sort(stable=True).indices)


@triton.jit
def turned(x, o, A: tl.constexpr, B: tl.constexpr, DIM: tl.constexpr):
    i = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(o + i, tl.flip(tl.load(x + i), DIM))


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (4, 8), (16, 64), (64, 4)])
@pytest.mark.parametrize("name", ["float32", "int64", "int8", "bfloat16"])
def test_turning_around(name: str, shape: tuple[int, int], dim: int) -> None:
    x: Any = sample(name, *shape)
    o = guarded(x.numel(), name)
    turned[(1,)](x, o, *shape, DIM=dim)
    check_guard(o, x.numel())
    same(o[: x.numel()].view(shape), x.flip(dim))


@triton.jit
def turned_twice(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(o + i, tl.flip(tl.flip(v, 0) + v, 0) - v, mask=i < n)


def test_turning_twice() -> None:
    x, o = small("float32", 100), guarded(100, "float32")
    turned_twice[(1,)](x, o, 100, B=128)
    padded = torch.cat([x, torch.zeros(28)])
    same(o[:100], ((padded.flip(0) + padded).flip(0) - padded)[:100])
