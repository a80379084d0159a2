# SPDX-License-Identifier: MIT
"""Elementwise arithmetic, comparisons and selections of every type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, INTS, SIGNED, blocks, check_guard, dtype_of, guarded, same, sample, small


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def subtract(a, b):
    return a - b


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def bit_and(a, b):
    return a & b


@triton.jit
def bit_or(a, b):
    return a | b


@triton.jit
def bit_xor(a, b):
    return a ^ b


@triton.jit
def smaller(a, b):
    return tl.minimum(a, b)


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def choose(a, b):
    return tl.where(a < b, a, b + b)


@triton.jit
def less(a, b):
    return a < b


@triton.jit
def less_equal(a, b):
    return a <= b


@triton.jit
def greater(a, b):
    return a > b


@triton.jit
def greater_equal(a, b):
    return a >= b


@triton.jit
def equal(a, b):
    return a == b


@triton.jit
def unequal(a, b):
    return a != b


@triton.jit
def binary(x, y, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m), tl.load(y + i, mask=m)), mask=m)


@triton.jit
def unary(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m)), mask=m)


def run_binary(function: Any, x: Any, y: Any, result: str, block: int = 128) -> Any:
    n = x.numel()
    o = guarded(n, result)
    binary[blocks(n, block)](x, y, o, n, F=function, B=block)
    check_guard(o, n)
    return o[:n]


def as_signed(x: Any) -> Any:
    """The same bits; torch computes with few unsigned types, and wrapping arithmetic is the same."""
    return x if x.dtype.is_signed else x.view(getattr(torch, f"int{torch.iinfo(x.dtype).bits}"))


ARITHMETIC: dict[Any, Callable[[Any, Any], Any]] = {
    add: torch.add,
    subtract: torch.sub,
    multiply: torch.mul,
}
COMPARISONS: dict[Any, Callable[[Any, Any], Any]] = {
    less: torch.lt,
    less_equal: torch.le,
    greater: torch.gt,
    greater_equal: torch.ge,
    equal: torch.eq,
    unequal: torch.ne,
}


def label(function: Any) -> str | None:
    return getattr(function, "__name__", None)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("function", ARITHMETIC, ids=label)
def test_arithmetic_of_floats_rounds_once(function: Any, name: str) -> None:
    x, y = sample(name, 301), sample(name, 301)
    same(run_binary(function, x, y, name), ARITHMETIC[function](x, y))


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("function", ARITHMETIC, ids=label)
def test_arithmetic_of_integers_wraps(function: Any, name: str) -> None:
    x, y = sample(name, 301), sample(name, 301)
    expected = ARITHMETIC[function](as_signed(x), as_signed(y)).view(x.dtype)
    same(run_binary(function, x, y, name), expected)


@pytest.mark.parametrize("name", [*INTS, "bool"])
@pytest.mark.parametrize(
    ("function", "reference"),
    [(bit_and, torch.bitwise_and), (bit_or, torch.bitwise_or), (bit_xor, torch.bitwise_xor)],
    ids=label,
)
def test_bitwise(function: Any, reference: Any, name: str) -> None:
    x, y = sample(name, 301), sample(name, 301)
    expected = reference(x, y) if name == "bool" else reference(as_signed(x), as_signed(y)).view(x.dtype)
    same(run_binary(function, x, y, name), expected)


@pytest.mark.parametrize("name", [*FLOATS, *INTS])
@pytest.mark.parametrize("function", COMPARISONS, ids=label)
def test_comparisons(function: Any, name: str) -> None:
    x, y = sample(name, 301), sample(name, 301)
    y[::3] = x[::3]
    if name in FLOATS:
        x[7], y[8], x[9], y[9] = float("nan"), float("nan"), float("inf"), float("inf")
    wide = [v.double() for v in (x, y)] if name != "uint64" and name != "int64" else [x.numpy(), y.numpy()]
    if name in ("uint64", "int64"):
        symbol = {less: "__lt__", less_equal: "__le__", greater: "__gt__", greater_equal: "__ge__"}
        symbol |= {equal: "__eq__", unequal: "__ne__"}
        expected = torch.from_numpy(getattr(wide[0], symbol[function])(wide[1]))
    else:
        expected = COMPARISONS[function](*wide)
    same(run_binary(function, x, y, "bool"), expected)


@pytest.mark.parametrize("name", [*FLOATS, *SIGNED, "uint8"])
@pytest.mark.parametrize(
    ("function", "reference"),
    [(smaller, torch.minimum), (larger, torch.maximum), (choose, lambda a, b: torch.where(a < b, a, b + b))],
    ids=label,
)
def test_selections(function: Any, reference: Any, name: str) -> None:
    x, y = sample(name, 301), sample(name, 301)
    same(run_binary(function, x, y, name), reference(x, y))


@triton.jit
def minimum_all(a, b):
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def maximum_all(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(
    ("function", "reference"),
    [(smaller, torch.fmin), (larger, torch.fmax), (minimum_all, torch.minimum), (maximum_all, torch.maximum)],
    ids=label,
)
def test_nan_in_minimum_and_maximum(function: Any, reference: Any, name: str) -> None:
    nan = float("nan")
    x = torch.tensor([1, nan, 2, nan, -1, float("inf")] * 11, dtype=dtype_of(name))
    y = torch.tensor([nan, 1, 3, nan, -2, nan] * 11, dtype=dtype_of(name))
    same(run_binary(function, x, y, name), reference(x, y))


@triton.jit
def negate(a):
    return -a


@triton.jit
def absolute(a):
    return tl.abs(a)


@triton.jit
def invert(a):
    return ~a


@triton.jit
def clamped(a):
    return tl.clamp(a, -1.0, 2.0)


def run_unary(function: Any, x: Any, result: str, block: int = 128) -> Any:
    n = x.numel()
    o = guarded(n, result)
    unary[blocks(n, block)](x, o, n, F=function, B=block)
    check_guard(o, n)
    return o[:n]


@pytest.mark.parametrize("name", [*FLOATS, *SIGNED])
@pytest.mark.parametrize(("function", "reference"), [(negate, torch.neg), (absolute, torch.abs)], ids=label)
def test_sign(function: Any, reference: Any, name: str) -> None:
    x = sample(name, 301)
    same(run_unary(function, x, name), reference(x))


@pytest.mark.parametrize("name", [*SIGNED, "uint8"])
def test_invert(name: str) -> None:
    x = sample(name, 301)
    same(run_unary(invert, x, name), ~x)


def test_clamp() -> None:
    x = sample("float32", 301)
    same(run_unary(clamped, x, "float32"), x.clamp(-1, 2))


@pytest.mark.parametrize(
    ("n", "block"), [(1, 1), (5, 1), (3, 1024), (1000, 64), (2**15, 2**15), (2**15 - 1, 2**15)]
)
@pytest.mark.parametrize("name", ["float32", "float16", "int8", "int64"])
def test_any_length_and_block(n: int, block: int, name: str) -> None:
    x, y = small(name, n), small(name, n)
    same(run_binary(add, x, y, name, block), x + y)


def test_a_grid_of_no_programs_writes_nothing() -> None:
    x, o = torch.ones(8), torch.zeros(8)
    binary[(0,)](x, x, o, 8, F=add, B=8)
    assert not o.any()


def test_no_elements_write_nothing() -> None:
    x, o = torch.ones(8), torch.zeros(8)
    binary[(2,)](x, x, o, 0, F=add, B=8)
    assert not o.any()


@triton.jit
def chain(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m)
    a = v * v + 1.0
    b = a * v - a
    c = tl.where(b > a, b - v, a + v)
    tl.store(o + i, c * b + a, mask=m)


def test_values_used_many_times() -> None:
    x, o = sample("float64", 777), guarded(777, "float64")
    chain[blocks(777, 256)](x, o, 777, B=256)
    check_guard(o, 777)
    a = x * x + 1
    b = a * x - a
    expected = torch.where(b > a, b - x, a + x) * b + a
    torch.testing.assert_close(o[:777], expected, rtol=1e-14, atol=1e-14)


@triton.jit
def mixed(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) * 2 + tl.load(y + i))


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("int8", "float32", "float32"),
        ("float16", "float32", "float32"),
        ("bfloat16", "float16", "bfloat16"),
        ("int32", "int64", "int64"),
        ("uint8", "int32", "int32"),
        ("float32", "float64", "float64"),
    ],
)
def test_operands_of_two_types_are_promoted(a: str, b: str, result: str) -> None:
    x, y, o = small(a, 64), small(b, 64), guarded(64, result)
    mixed[(1,)](x, y, o, B=64)
    check_guard(o, 64)
    same(o[:64], (x.double() * 2 + y.double()).to(dtype_of(result)))
