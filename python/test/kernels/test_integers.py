# SPDX-License-Identifier: MIT
"""Division, remainder and shifts of integers are C's, not Python's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_data import INTS, SIGNED, UNSIGNED, check_guard, guarded, same, sample


@triton.jit
def divide(a, b):
    return a // b


@triton.jit
def remainder(a, b):
    return a % b


@triton.jit
def shift_left(a, b):
    return a << b


@triton.jit
def shift_right(a, b):
    return a >> b


@triton.jit
def binary(x, y, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m, other=1), tl.load(y + i, mask=m, other=1)), mask=m)


@triton.jit
def scalars(x, y, o, n, F: tl.constexpr):
    for i in range(n):
        tl.store(o + i, F(tl.load(x + i), tl.load(y + i)))


def run(function: Any, x: Any, y: Any, name: str) -> Any:
    n = x.numel()
    o, p = guarded(n, name), guarded(n, name)
    binary[(triton.cdiv(n, 64),)](x, y, o, n, F=function, B=64)
    scalars[(1,)](x, y, p, n, F=function)
    check_guard(o, n)
    check_guard(p, n)
    same(p[:n], o[:n], "scalars give something else than blocks")
    return o[:n]


def operands(name: str) -> tuple[Any, Any]:
    x, y = sample(name, 301).numpy(), sample(name, 301).numpy()
    info = np.iinfo(x.dtype)
    y[::2] %= 7
    y[y == 0] = 3
    x[0], y[0], x[1], y[1] = info.max, 1, info.min, 2
    if info.min < 0:
        y[(x == info.min) & (y == -1)] = 3  # the one quotient that does not fit
    return torch.from_numpy(x), torch.from_numpy(y)


def quotient(x: Any, y: Any) -> Any:
    """Towards zero, by way of magnitudes: numpy rounds down."""
    a, b = (v.numpy().astype(object) for v in (x, y))
    result = [abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1) for p, q in zip(a, b, strict=True)]
    return np.array(result, dtype=object)


@pytest.mark.parametrize("name", INTS)
def test_division_rounds_towards_zero(name: str) -> None:
    x, y = operands(name)
    same(run(divide, x, y, name), torch.from_numpy(quotient(x, y).astype(x.numpy().dtype)))


@pytest.mark.parametrize("name", INTS)
def test_a_remainder_has_the_sign_of_the_dividend(name: str) -> None:
    x, y = operands(name)
    expected = x.numpy().astype(object) - quotient(x, y) * y.numpy().astype(object)
    same(run(remainder, x, y, name), torch.from_numpy(expected.astype(x.numpy().dtype)))


@pytest.mark.parametrize("name", INTS)
def test_left_shifts_drop_high_bits(name: str) -> None:
    x = sample(name, 301)
    y = (torch.arange(301) % torch.iinfo(x.dtype).bits).to(x.dtype)
    same(run(shift_left, x, y, name), torch.from_numpy(x.numpy() << y.numpy()))


@pytest.mark.parametrize("name", INTS)
def test_right_shifts_keep_the_sign_of_signed_types_only(name: str) -> None:
    x = sample(name, 301)
    y = (torch.arange(301) % torch.iinfo(x.dtype).bits).to(x.dtype)
    same(run(shift_right, x, y, name), torch.from_numpy(x.numpy() >> y.numpy()))


@triton.jit
def ceil_divide(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + i, tl.cdiv(v, 7) + v // 8 + v % 16)


@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
def test_division_by_constants(name: str) -> None:
    x = torch.arange(64).to(getattr(torch, name))
    o = guarded(64, name)
    ceil_divide[(1,)](x, o, B=64)
    check_guard(o, 64)
    n = torch.arange(64)
    same(o[:64], ((n + 6) // 7 + n // 8 + n % 16).to(o.dtype))


@triton.jit
def high_product(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.umulhi(tl.load(x + i), tl.load(y + i)))


@pytest.mark.parametrize("name", ["uint32", "int32", "uint64"])
def test_high_half_of_an_unsigned_product(name: str) -> None:
    x, y, o = sample(name, 64), sample(name, 64), guarded(64, name)
    high_product[(1,)](x, y, o, B=64)
    check_guard(o, 64)
    bits = torch.iinfo(x.dtype).bits
    mask = (1 << bits) - 1
    exact = [(int(a) & mask) * (int(b) & mask) >> bits for a, b in zip(x.numpy(), y.numpy(), strict=True)]
    got = [int(v) & mask for v in o[:64].numpy()]
    assert got == exact


@triton.jit
def random_bits(o, seed, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.randint(seed, i))


def test_philox_gives_the_same_numbers_in_blocks_of_any_size() -> None:
    whole, part = torch.zeros(64, dtype=torch.int32), torch.zeros(16, dtype=torch.int32)
    random_bits[(1,)](whole, 7, B=64)
    random_bits[(1,)](part, 7, B=16)
    same(part, whole[:16])
    assert len(set(whole.tolist())) > 60


@triton.jit
def uniform(o, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.rand(seed, i))


def test_uniform_random_numbers() -> None:
    o = torch.zeros(4096)
    uniform[(16,)](o, 3, B=256)
    assert o.min() >= 0 and o.max() < 1 and abs(o.mean() - 0.5) < 0.02 and abs(o.var() - 1 / 12) < 0.01
