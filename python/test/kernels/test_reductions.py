# SPDX-License-Identifier: MIT
"""Reductions of every kind, along every axis, of every type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import SIGNED, blocks, check_guard, dtype_of, guarded, same, sample, small


@triton.jit
def combine_product(a, b):
    return a * b


@triton.jit
def combine_and(a, b):
    return a & b


@triton.jit
def combine_or(a, b):
    return a | b


@triton.jit
def total(v, axis: tl.constexpr):
    return tl.sum(v, axis)


@triton.jit
def largest(v, axis: tl.constexpr):
    return tl.max(v, axis)


@triton.jit
def smallest(v, axis: tl.constexpr):
    return tl.min(v, axis)


@triton.jit
def parity(v, axis: tl.constexpr):
    return tl.xor_sum(v, axis)


@triton.jit
def product(v, axis: tl.constexpr):
    return tl.reduce(v, axis, combine_product)


@triton.jit
def every(v, axis: tl.constexpr):
    return tl.reduce(v, axis, combine_and)


@triton.jit
def some(v, axis: tl.constexpr):
    return tl.reduce(v, axis, combine_or)


def fold(operation: Any) -> Any:
    def reduce(x: Any, axis: int) -> Any:
        result, *rest = x.unbind(axis)
        for part in rest:
            result = operation(result, part)
        return result

    return reduce


REFERENCES = {
    total: lambda x, axis: x.sum(axis, dtype=x.dtype),
    largest: lambda x, axis: x.amax(axis),
    smallest: lambda x, axis: x.amin(axis),
    parity: fold(torch.bitwise_xor),
    product: lambda x, axis: x.prod(axis, dtype=x.dtype),
    every: fold(torch.bitwise_and),
    some: fold(torch.bitwise_or),
}
BITWISE = (parity, every, some)


def label(value: Any) -> str:
    return getattr(value, "__name__", str(value))


@triton.jit
def reduce_1d(x, o, n, other, F: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o, F(tl.load(x + i, mask=i < n, other=other), 0))


NEUTRAL = {total: 0, largest: -9, smallest: 9, parity: 0, product: 1, every: -1, some: 0}


def cases(functions: Iterable[Any], names: Iterable[str]) -> list[tuple[Any, str]]:
    """All pairs but bitwise operations of floats."""
    return [(f, n) for f in functions for n in names if not (f in BITWISE and n.startswith("float"))]


@pytest.mark.parametrize("n", [1, 2, 100, 1024])
@pytest.mark.parametrize(
    ("function", "name"), cases(REFERENCES, ["float32", "float64", "int32", "int64"]), ids=label
)
def test_one_dimension(function: Any, name: str, n: int) -> None:
    low, high = (1, 2) if function is product else (-9, 9)
    x, o = small(name, n, low=low, high=high), guarded(1, name)
    if function is product:
        x[x.cumsum(0) > 30] = 1
    reduce_1d[(1,)](x, o, n, NEUTRAL[function], F=function, B=triton.next_power_of_2(n))
    check_guard(o, 1)
    same(o[0], REFERENCES[function](x, 0))


@pytest.mark.parametrize("name", ["float16", "bfloat16", "int8", "int16", "uint8"])
@pytest.mark.parametrize("function", [total, largest, smallest], ids=label)
def test_narrow_types(function: Any, name: str) -> None:
    x, o = small(name, 50, low=0, high=3), guarded(1, name)
    other = {total: 0, largest: 0, smallest: 5}[function]
    reduce_1d[(1,)](x, o, 50, other, F=function, B=64)
    check_guard(o, 1)
    same(o[0], REFERENCES[function](x.double(), 0).to(x.dtype))


@pytest.mark.parametrize("function", [largest, smallest], ids=label)
@pytest.mark.parametrize("name", ["uint8", "uint16", "uint32", "uint64"])
def test_unsigned_types_compare_unsigned(function: Any, name: str) -> None:
    x, o = sample(name, 64), guarded(1, name)
    reduce_1d[(1,)](x, o, 64, 0, F=function, B=64)
    numbers = x.numpy()
    assert o[0].item() == (numbers.max() if function is largest else numbers.min())


@triton.jit
def reduce_2d(x, o, F: tl.constexpr, AXIS: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    v = F(tl.load(x + r[:, None] * C + c[None, :]), AXIS)
    tl.store(o + (c if AXIS == 0 else r), v)


@pytest.mark.parametrize("shape", [(16, 64), (64, 4), (1, 32), (32, 1), (3 + 1, 256)])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("function", "name"),
    cases([total, largest, smallest, parity], ["float32", "int32", "int64"]),
    ids=label,
)
def test_two_dimensions(function: Any, name: str, axis: int, shape: tuple[int, int]) -> None:
    x = small(name, *shape)
    n = shape[1 - axis]
    o = guarded(n, name)
    reduce_2d[(1,)](x, o, F=function, AXIS=axis, R=shape[0], C=shape[1])
    check_guard(o, n)
    same(o[:n], REFERENCES[function](x, axis))


@triton.jit
def reduce_3d(x, o, F: tl.constexpr, AXIS: tl.constexpr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    v = F(tl.load(x + i[:, None, None] * (B * C) + j[None, :, None] * C + k[None, None, :]), AXIS)
    if AXIS == 0:
        tl.store(o + j[:, None] * C + k[None, :], v)
    elif AXIS == 1:
        tl.store(o + i[:, None] * C + k[None, :], v)
    else:
        tl.store(o + i[:, None] * B + j[None, :], v)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", ["float32", "int32"])
@pytest.mark.parametrize("function", [total, largest], ids=label)
def test_three_dimensions(function: Any, name: str, axis: int) -> None:
    x = small(name, 4, 8, 16)
    expected = REFERENCES[function](x, axis)
    o = guarded(expected.numel(), name)
    reduce_3d[(1,)](x, o, F=function, AXIS=axis, A=4, B=8, C=16)
    check_guard(o, expected.numel())
    same(o[: expected.numel()].view(expected.shape), expected)


@triton.jit
def reduce_all(x, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    v = tl.load(x + r[:, None] * C + c[None, :])
    tl.store(o, tl.sum(v))
    tl.store(o + 1, tl.max(tl.max(v, 1), 0))
    tl.store(o + 2, tl.min(tl.min(v, 0), 0))


def test_all_axes_at_once() -> None:
    x, o = small("float32", 8, 32), torch.zeros(3)
    reduce_all[(1,)](x, o, R=8, C=32)
    same(o, torch.stack([x.sum(), x.max(), x.min()]))


@triton.jit
def keep_dims(x, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    v = tl.load(x + r[:, None] * C + c[None, :])
    tl.store(o + r[:, None] * C + c[None, :], v - tl.sum(v, 1, keep_dims=True) + tl.max(v, 0, keep_dims=True))


def test_kept_dimensions_broadcast() -> None:
    x, o = small("float32", 8, 32), torch.zeros(8, 32)
    keep_dims[(1,)](x, o, R=8, C=32)
    same(o, x - x.sum(1, keepdim=True) + x.amax(0, keepdim=True))


@triton.jit
def computed(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n)
    d = a - b
    tl.store(o, tl.sum(d * d, 0))
    tl.store(o + 1, tl.sum(tl.where(i < n, tl.exp(d), 0.0), 0))
    tl.store(o + 2, tl.max(tl.where(i < n, tl.abs(d), -1.0), 0))


def test_computed_operands() -> None:
    x, y, o = torch.rand(300), torch.rand(300), torch.zeros(3)
    computed[(1,)](x, y, o, 300, B=512)
    d = x.double() - y.double()
    expected = torch.stack([(d * d).sum(), d.exp().sum(), d.abs().max()])
    torch.testing.assert_close(o.double(), expected, rtol=1e-5, atol=0)


@triton.jit
def count(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=-1.0)
    tl.store(o, tl.sum((v > 0).to(tl.int32), 0))
    tl.store(o + 1, tl.sum(v > 0, 0))


def test_counting() -> None:
    x, o = sample("float32", 300), torch.zeros(2, dtype=torch.int32)
    count[(1,)](x, o, 300, B=512)
    assert o.tolist() == [int((x > 0).sum())] * 2


@triton.jit
def extremes(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o, tl.max(v, 0))
    tl.store(o + 1, tl.min(v, 0))


@pytest.mark.parametrize("where", [0, 5, 63, 255])
def test_extremes_pass_over_nan(where: int) -> None:
    x, o = sample("float32", 256), torch.zeros(2)
    x[where] = float("nan")
    extremes[(1,)](x, o, 256, B=256)
    rest = torch.cat([x[:where], x[where + 1 :]])
    same(o, torch.stack([rest.max(), rest.min()]))


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 3e38, -3e38])
def test_extremes_of_one_value(value: float) -> None:
    x, o = torch.full((256,), value), torch.zeros(2)
    extremes[(1,)](x, o, 256, B=256)
    same(o, x[:2])


@pytest.mark.parametrize("name", SIGNED)
def test_extremes_of_the_ends_of_a_type(name: str) -> None:
    info = torch.iinfo(dtype_of(name))
    for value in (info.min, info.max):
        x, o = torch.full((64,), value, dtype=dtype_of(name)), guarded(2, name)
        extremes[(1,)](x, o, 64, B=64)
        same(o[:2], x[:2])


@triton.jit
def sum_in_own_type(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o, tl.sum(tl.load(x + i).to(tl.float32), 0))


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_a_long_sum_in_fp32(name: str) -> None:
    x, o = torch.rand(4096).to(dtype_of(name)), torch.zeros(1)
    sum_in_own_type[(1,)](x, o, B=4096)
    torch.testing.assert_close(o.double(), x.double().sum()[None], rtol=1e-6, atol=0)


@triton.jit
def rows_of_one_program(x, o, rows, columns, s, C: tl.constexpr):
    c = tl.arange(0, C)
    for r in range(rows):
        v = tl.load(x + r * s + c, mask=c < columns, other=-float("inf"))
        tl.store(o + r, tl.max(v, 0))


def test_a_reduction_in_a_loop() -> None:
    x, o = sample("float32", 9, 77), torch.zeros(9)
    rows_of_one_program[(1,)](x, o, 9, 77, x.stride(0), C=128)
    same(o, x.amax(1))


@triton.jit
def masked_rows(x, o, rows, columns, R: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    m = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.sum(tl.load(x + r[:, None] * columns + c[None, :], mask=m), AXIS)
    if AXIS == 1:
        tl.store(o + r, v, mask=r < rows)
    else:
        tl.store(o + tl.program_id(0) * C + c, v)


@pytest.mark.parametrize("shape", [(1, 1), (13, 100), (16, 128), (50, 7)])
def test_masked_rows_and_columns(shape: tuple[int, int]) -> None:
    x = small("float32", *shape)
    o = guarded(shape[0], "float32")
    masked_rows[blocks(shape[0], 8)](x, o, *shape, R=8, C=128, AXIS=1)
    check_guard(o, shape[0])
    same(o[: shape[0]], x.sum(1))
    parts = triton.cdiv(shape[0], 8)
    o = torch.zeros(parts, 128)
    masked_rows[(parts,)](x, o, *shape, R=8, C=128, AXIS=0)
    same(o.sum(0)[: shape[1]], x.sum(0))
    assert not o[:, shape[1] :].any()


@triton.jit
def sum_outer(x, o, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    tl.store(o + c, tl.sum(tl.load(x + r[:, None] * C + c[None, :]), 0))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sums_of_short_floats_do_not_stop_growing(dtype: torch.dtype) -> None:
    x, o = torch.ones(4096, 4, dtype=dtype), torch.empty(4, dtype=dtype)
    sum_outer[(1,)](x, o, R=4096, C=4)
    assert o.tolist() == [4096.0] * 4
