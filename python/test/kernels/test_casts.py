# SPDX-License-Identifier: MIT
"""Conversions between all pairs of types, and between views of the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, INTS, check_guard, dtype_of, guarded, same, sample, small

NAMES = [*FLOATS, *INTS, "bool"]
N = 67


@triton.jit
def convert(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m).to(o.dtype.element_ty), mask=m)


@triton.jit
def convert_scalar(x, o):
    tl.store(o, tl.load(x).to(o.dtype.element_ty))


def run(kernel: Any, x: Any, to: str) -> Any:
    n = x.numel()
    o = guarded(n, to)
    kernel(x, o, n)
    check_guard(o, n)
    return o[:n]


def run_block(x: Any, to: str) -> Any:
    return run(lambda x, o, n: convert[(1,)](x, o, n, B=128), x, to)


@pytest.mark.parametrize("to", NAMES)
@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_survive_every_conversion(name: str, to: str) -> None:
    x = small(name, N, high=1 if name == "bool" else 9)
    if to not in FLOATS and not dtype_of(to).is_signed:
        x = x.abs() if dtype_of(name).is_signed else x
    expected = x != 0 if to == "bool" else x.to(torch.float64).to(dtype_of(to))
    same(run_block(x, to), expected)


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", FLOATS)
def test_floats_round_to_nearest(name: str, to: str) -> None:
    x = sample(name, N)
    same(run_block(x, to), x.to(dtype_of(to)))


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", FLOATS)
def test_special_floats(name: str, to: str) -> None:
    x = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 65519.0, 65520.0, 1e-7, 1e30])
    x = x.to(dtype_of(name))
    o = run_block(x, to)
    same(o, x.to(dtype_of(to)))
    assert (torch.signbit(o) == torch.signbit(x))[:4].all()


@pytest.mark.parametrize("to", INTS)
@pytest.mark.parametrize("name", FLOATS)
def test_floats_become_integers_towards_zero(name: str, to: str) -> None:
    x = torch.tensor([0.0, 0.5, 0.99, 1.5, 2.5, 100.7, 3.999, -0.9], dtype=torch.float64)
    if dtype_of(to).is_signed:
        x = torch.cat([x, -x])
    x = x.to(dtype_of(name))
    same(run_block(x, to), x.double().trunc().to(torch.int64).to(dtype_of(to)))


@pytest.mark.parametrize("to", INTS)
@pytest.mark.parametrize("name", INTS)
def test_integers_are_cut_or_extended_by_their_own_sign(name: str, to: str) -> None:
    x = sample(name, N)
    same(run_block(x, to), torch.from_numpy(x.numpy().astype(to)))


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", INTS)
def test_integers_of_the_whole_range_become_floats(name: str, to: str) -> None:
    x = sample(name, N)
    if to == "float16":
        x = x % 2000 if name in ("uint8", "int8") else small(name, N, low=-2000, high=2000)
    exact = x.numpy().astype(np.longdouble)  # 64 bits of mantissa: every integer exactly
    o = run_block(x, to)
    error = np.abs(o.double().numpy().astype(np.longdouble) - exact)
    half_unit = np.abs(exact) * (torch.finfo(dtype_of(to)).eps / 2)
    assert (error <= half_unit).all()


@pytest.mark.parametrize("to", [*FLOATS, "int8", "int64", "bool"])
@pytest.mark.parametrize("name", [*FLOATS, "int8", "int64", "bool"])
def test_scalars_convert_as_blocks_do(name: str, to: str) -> None:
    x = small(name, 1, low=1, high=1 if name == "bool" else 9)
    expected = x != 0 if to == "bool" else x.to(torch.float64).to(dtype_of(to))
    same(run(lambda x, o, n: convert_scalar[(1,)](x, o), x, to), expected)


@triton.jit
def reinterpret(x, o, T: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(T, bitcast=True))


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("float32", "int32"),
        ("int32", "float32"),
        ("float16", "int16"),
        ("int16", "bfloat16"),
        ("float64", "int64"),
        ("uint8", "int8"),
    ],
)
def test_bits_stay_in_a_bitcast(name: str, to: str) -> None:
    x, o = small(name, 64), guarded(64, to)
    reinterpret[(1,)](x, o, T=getattr(tl, to), B=64)
    check_guard(o, 64)
    same(o[:64], x.view(dtype_of(to)))


@triton.jit
def truncate(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(o.dtype.element_ty, fp_downcast_rounding="rtz"))


@pytest.mark.parametrize("to", ["bfloat16", "float16"])
def test_rounding_towards_zero(to: str) -> None:
    x, o = sample("float32", 64), guarded(64, to)
    truncate[(1,)](x, o, B=64)
    check_guard(o, 64)
    bits = 16 if to == "bfloat16" else 13
    expected = (x.view(torch.int32) >> bits << bits).view(torch.float32).to(dtype_of(to))
    same(o[:64], expected)


@triton.jit
def integer_constants(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.full((B,), 3.75, o.dtype.element_ty) + tl.zeros((B,), o.dtype.element_ty))


@pytest.mark.parametrize("name", FLOATS)
def test_constants(name: str) -> None:
    o = guarded(16, name)
    integer_constants[(1,)](o, B=16)
    check_guard(o, 16)
    assert (o[:16] == 3.75).all()
