# SPDX-License-Identifier: MIT
"""Loads and stores: masks, strides, blocks of two and three dimensions, gathers and scatters."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, INTS, check_guard, dtype_of, guarded, same, sample, small


@triton.jit
def copy_masked(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n))


@triton.jit
def copy_with_other(x, o, n, other, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=other))


@pytest.mark.parametrize("name", [*FLOATS, *INTS])
@pytest.mark.parametrize("n", [0, 1, 37, 64])
def test_lanes_behind_a_mask_without_other_read_zero(n: int, name: str) -> None:
    x, o = small(name, 64, low=1), guarded(64, name)
    copy_masked[(1,)](x, o, n, B=64)
    check_guard(o, 64)
    expected = x.clone()
    expected[n:] = 0
    same(o[:64], expected)


@pytest.mark.parametrize("name", ["float32", "float16", "int32", "int8"])
@pytest.mark.parametrize("n", [-5, 0, 1, 37, 64, 1000])
def test_lanes_behind_a_mask_read_other(n: int, name: str) -> None:
    x, o = small(name, 64, low=1), guarded(64, name)
    copy_with_other[(1,)](x, o, n, 7, B=64)
    check_guard(o, 64)
    expected = x.clone()
    expected[max(n, 0) :] = 7
    same(o[:64], expected)


@triton.jit
def other_of_each_lane(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=i * 10))


def test_other_may_differ_from_lane_to_lane() -> None:
    x, o = torch.arange(64, dtype=torch.int32), torch.zeros(64, dtype=torch.int32)
    other_of_each_lane[(1,)](x, o, 10, B=64)
    same(o, torch.cat([x[:10], torch.arange(10, 64, dtype=torch.int32) * 10]))


@triton.jit
def below(i, n):
    return i < n


@triton.jit
def not_above(i, n):
    return i <= n


@triton.jit
def bound_above(i, n):
    return n > i


@triton.jit
def bound_not_below(i, n):
    return n >= i


@triton.jit
def from_bound(i, n):
    return i >= n


@triton.jit
def beyond(i, n):
    return i > n


@triton.jit
def only(i, n):
    return i == n


@triton.jit
def all_but(i, n):
    return i != n


@triton.jit
def even(i, n):
    return i % 2 == 0


@triton.jit
def window(i, n):
    return (i >= 3) & (i < n)


@triton.jit
def outside(i, n):
    return (i < 3) | (i >= n)


@triton.jit
def inverted(i, n):
    return ~(i < n)


@triton.jit
def scaled(i, n):
    return 2 * i < n


@triton.jit
def reversed_lanes(i, n):
    return 63 - i < n


@triton.jit
def two_bounds(i, n):
    return (i < n) & (i < 20)


@triton.jit
def whole_or_nothing(i, n):
    return (i < 40) & (n > 12)


@triton.jit
def wide(i, n):
    return i.to(tl.int64) < n


@triton.jit
def shifted(i, n):
    return i + 5 < n


@triton.jit
def both_sides(i, n):
    return i * 2 < n + i


MASKS = {
    below: lambda i, n: i < n,
    not_above: lambda i, n: i <= n,
    bound_above: lambda i, n: n > i,
    bound_not_below: lambda i, n: n >= i,
    from_bound: lambda i, n: i >= n,
    beyond: lambda i, n: i > n,
    only: lambda i, n: i == n,
    all_but: lambda i, n: i != n,
    even: lambda i, n: i % 2 == 0,
    window: lambda i, n: (i >= 3) & (i < n),
    outside: lambda i, n: (i < 3) | (i >= n),
    inverted: lambda i, n: i >= n,
    scaled: lambda i, n: 2 * i < n,
    reversed_lanes: lambda i, n: 63 - i < n,
    two_bounds: lambda i, n: (i < n) & (i < 20),
    whole_or_nothing: lambda i, n: (i < 40) & torch.tensor(n > 12),
    wide: lambda i, n: i < n,
    shifted: lambda i, n: i + 5 < n,
    both_sides: lambda i, n: i * 2 < n + i,
}


@triton.jit
def masked_copy(x, o, n, MASK: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    m = MASK(i, n)
    tl.store(o + i, tl.load(x + i, mask=m, other=-1), mask=m)
    tl.store(o + B + i, tl.load(x + i, mask=m, other=-1))


def label(function: Any) -> str | None:
    return getattr(function, "__name__", None)


@pytest.mark.parametrize("n", [-1, 0, 12, 13, 33, 64, 100])
@pytest.mark.parametrize("mask", MASKS, ids=label)
def test_masks_of_every_form(mask: Any, n: int) -> None:
    x, o = sample("float32", 64), torch.full((136,), 9.0)
    masked_copy[(1,)](x, o, n, MASK=mask, B=64)
    inside = MASKS[mask](torch.arange(64), n)
    same(o[:64], torch.where(inside, x, torch.tensor(9.0)))
    same(o[64:128], torch.where(inside, x, torch.tensor(-1.0)))
    assert (o[128:] == 9).all()


@triton.jit
def loaded_mask(x, m, o, B: tl.constexpr):
    i = tl.arange(0, B)
    mask = tl.load(m + i) != 0
    tl.store(o + i, tl.load(x + i, mask=mask, other=0.5), mask=i != 3)


def test_a_mask_from_memory() -> None:
    x, m, o = sample("float32", 64), sample("bool", 64), torch.full((64,), 9.0)
    loaded_mask[(1,)](x, m, o, B=64)
    expected = torch.where(m, x, torch.tensor(0.5))
    expected[3] = 9
    same(o, expected)


@triton.jit
def strided(x, o, s, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i * s))
    tl.store(o + B + i * 2, tl.load(x + i * 3), mask=i < 20)


@pytest.mark.parametrize("name", [*FLOATS, "int8", "int64"])
@pytest.mark.parametrize("stride", [0, 1, 2, 5])
def test_strided_loads_and_stores(stride: int, name: str) -> None:
    x, o = sample(name, 320), torch.zeros(192, dtype=dtype_of(name))
    strided[(1,)](x, o, stride, B=64)
    expected = torch.zeros_like(o)
    expected[:64] = x[torch.arange(64) * stride]
    expected[64:104:2] = x[:60:3]
    same(o, expected)


@triton.jit
def backwards(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + n - 1 - i, tl.load(x + i, mask=i < n), mask=i < n)


def test_stores_that_run_backwards() -> None:
    x, o = sample("float32", 100), torch.zeros(100)
    backwards[(2,)](x, o, 100, B=64)
    same(o, x.flip(0))


@triton.jit
def copy_2d(x, o, rows, columns, sx, so, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    m = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * sx + c[None, :], mask=m, other=0)
    tl.store(o + r[:, None] * so + c[None, :], v, mask=m)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (16, 32), (17, 33), (5, 100), (40, 7)])
@pytest.mark.parametrize("name", ["float32", "float16", "int8", "float64"])
def test_blocks_of_rows_and_columns(rows: int, columns: int, name: str) -> None:
    x = sample(name, rows, columns + 3)
    o = torch.full((rows, columns + 2), 5).to(dtype_of(name))
    grid = (triton.cdiv(rows, 16), triton.cdiv(columns, 32))
    copy_2d[grid](x, o, rows, columns, x.stride(0), o.stride(0), R=16, C=32)
    same(o[:, :columns], x[:, :columns])
    assert (o[:, columns:] == 5).all()


@triton.jit
def transpose(x, o, rows, columns, B: tl.constexpr, BY_VALUE: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    m = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=m)
    if BY_VALUE:
        m = (c[:, None] < columns) & (r[None, :] < rows)
        tl.store(o + c[:, None] * rows + r[None, :], tl.trans(v), mask=m)
    else:
        tl.store(o + c[None, :] * rows + r[:, None], v, mask=m)


@pytest.mark.parametrize("by_value", [True, False])
@pytest.mark.parametrize(("rows", "columns"), [(16, 16), (3, 50), (33, 17)])
def test_transposition(rows: int, columns: int, by_value: bool) -> None:
    x, o = sample("float32", rows, columns), torch.zeros(columns, rows)
    grid = (triton.cdiv(rows, 16), triton.cdiv(columns, 16))
    transpose[grid](x, o, rows, columns, B=16, BY_VALUE=by_value)
    same(o, x.T.contiguous())


@triton.jit
def copy_3d(x, o, a, b, c, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    m = (i < a) & (j < b) & (k < c)
    v = tl.load(x + (i * b + j) * c + k, mask=m)
    tl.store(o + (k * b + j) * a + i, v, mask=m)


def test_three_dimensions() -> None:
    x, o = sample("float32", 3, 5, 7), torch.zeros(7, 5, 3)
    copy_3d[(1,)](x, o, 3, 5, 7, A=4, B=8, C=8)
    same(o, x.permute(2, 1, 0).contiguous())


@triton.jit
def outer(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n)
    m = (i[:, None] < n) & (i[None, :] < n)
    tl.store(o + i[:, None] * n + i[None, :], a[:, None] * b[None, :], mask=m)


@pytest.mark.parametrize("n", [1, 16, 11])
def test_rows_and_columns_are_broadcast(n: int) -> None:
    x, y, o = sample("float32", n), sample("float32", n), torch.zeros(n, n)
    outer[(1,)](x, y, o, n, B=16)
    same(o, x[:, None] * y[None, :])


@triton.jit
def row_condition(x, o, keep, columns, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    m = (tl.load(keep + r) != 0)[:, None] & (c[None, :] < columns)
    tl.store(o + r[:, None] * C + c[None, :], tl.load(x + r[:, None] * C + c[None, :], mask=m, other=-1.0))


def test_a_mask_of_rows_from_memory_and_of_columns_by_bound() -> None:
    x, o, keep = sample("float32", 8, 32), torch.zeros(8, 32), sample("bool", 8)
    row_condition[(1,)](x, o, keep, 21, R=8, C=32)
    inside = keep[:, None] & (torch.arange(32) < 21)[None, :]
    same(o, torch.where(inside, x, torch.tensor(-1.0)))


@triton.jit
def gather(x, index, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(o + i, tl.load(x + at, mask=i < n), mask=i < n)


@pytest.mark.parametrize("name", [*FLOATS, *INTS])
@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_gather(kind: str, name: str) -> None:
    x, index = sample(name, 500), torch.randint(0, 500, (99,)).to(dtype_of(kind))
    o = guarded(99, name)
    gather[(2,)](x, index, o, 99, B=64)
    check_guard(o, 99)
    same(o[:99], x.view(-1)[index.long()] if name not in INTS else torch.from_numpy(x.numpy()[index.numpy()]))


@triton.jit
def gather_rows(table, index, o, n, columns, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    row = tl.load(index + r, mask=r < n, other=0)
    m = (r[:, None] < n) & (c[None, :] < columns)
    v = tl.load(table + row[:, None] * columns + c[None, :], mask=m)
    tl.store(o + r[:, None] * columns + c[None, :], v, mask=m)


def test_gather_of_rows() -> None:
    table, index, o = sample("float32", 50, 37), torch.randint(0, 50, (21,)), torch.zeros(21, 37)
    gather_rows[(3,)](table, index, o, 21, 37, R=8, C=64)
    same(o, table[index])


@triton.jit
def scatter(x, index, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    at = tl.load(index + i, mask=i < n, other=0)
    tl.store(o + at, tl.load(x + i, mask=i < n), mask=i < n)


@pytest.mark.parametrize("name", [*FLOATS, "int8", "int32"])
def test_scatter(name: str) -> None:
    x, index, o = sample(name, 99), torch.randperm(200)[:99], torch.zeros(200, dtype=dtype_of(name))
    scatter[(2,)](x, index, o, 99, B=64)
    expected = torch.zeros_like(o)
    expected[index] = x
    same(o, expected)


@triton.jit
def scatter_all(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i // 4, i)


def test_of_several_writes_to_one_place_the_last_stays() -> None:
    o = torch.zeros(16, dtype=torch.int32)
    scatter_all[(1,)](o, B=64)
    same(o, torch.arange(16, dtype=torch.int32) * 4 + 3)


@triton.jit
def wrapped(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + (i + 13) % n))


def test_indices_that_wrap() -> None:
    x, o = sample("float32", 40), torch.zeros(64)
    wrapped[(1,)](x, o, 40, B=64)
    same(o, x[(torch.arange(64) + 13) % 40])


@triton.jit
def through_pointers(table, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(n):
        x = tl.load(table + k).to(tl.pointer_type(tl.float32))
        tl.store(o + k * B + i, tl.load(x + i))


def test_pointers_from_memory() -> None:
    parts = [sample("float32", 32) for _ in range(3)]
    table, o = torch.tensor([p.data_ptr() for p in parts]), torch.zeros(96)
    through_pointers[(1,)](table, o, 3, B=32)
    same(o, torch.cat(parts))


@triton.jit
def chosen_pointer(x, y, o, which, B: tl.constexpr):
    i = tl.arange(0, B)
    if which > 0:  # noqa: SIM108 - a branch is what is tested
        p = x + 2
    else:
        p = y
    tl.store(o + i, tl.load(p + i))


@pytest.mark.parametrize("which", [0, 2])
def test_a_pointer_chosen_by_a_branch(which: int) -> None:
    x, y, o = sample("float32", 34), sample("float32", 34), torch.zeros(32)
    chosen_pointer[(1,)](x, y, o, which, B=32)
    same(o, x[2:] if which else y[:32])


@triton.jit
def selected_pointers(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(tl.where(i % 3 == 0, x + i, y + i)))


def test_pointers_chosen_lane_by_lane() -> None:
    x, y, o = sample("float32", 32), sample("float32", 32), torch.zeros(32)
    selected_pointers[(1,)](x, y, o, B=32)
    same(o, torch.where(torch.arange(32) % 3 == 0, x, y))


@triton.jit
def huge_offset(x, o, far, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + far.to(tl.int64) * 65536 * 4 - far.to(tl.int64) * 262144 + i))


def test_offsets_beyond_32_bits() -> None:
    x, o = sample("float32", 32), torch.zeros(32)
    huge_offset[(1,)](x, o, 2**30, B=32)
    same(o, x)


@triton.jit
def scalar_loads(x, o, n):
    for k in range(n):
        tl.store(o + k, tl.load(x + k, mask=k % 2 == 0, other=3), mask=k != 4)


@pytest.mark.parametrize("name", [*FLOATS, *INTS])
def test_scalar_loads_and_stores_with_masks(name: str) -> None:
    x, o = small(name, 9), guarded(9, name)
    scalar_loads[(1,)](x, o, 9)
    check_guard(o, 9)
    expected = torch.where(torch.arange(9) % 2 == 0, x.double(), torch.tensor(3.0, dtype=torch.float64))
    expected[4] = 1
    same(o[:9], expected.to(o.dtype))


@triton.jit
def volatile(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, volatile=True) + tl.load(x + i, volatile=True, mask=i < 5))
    tl.store(o + B, tl.load(x, volatile=True))


def test_volatile_loads() -> None:
    x, o = sample("float32", 32), torch.zeros(33)
    volatile[(1,)](x, o, B=32)
    expected = torch.cat([x, x[:1]])
    expected[:5] *= 2
    same(o, expected)


@triton.jit
def modifiers(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, cache_modifier=".cg", eviction_policy="evict_first")
    tl.store(o + i, v, cache_modifier=".wb", eviction_policy="evict_last")


def test_cache_hints_change_nothing() -> None:
    x, o = sample("float32", 32), torch.zeros(32)
    modifiers[(1,)](x, o, B=32)
    same(o, x)


@triton.jit
def bools(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n)
    tl.store(o + i, (a & b) | ~a, mask=i < n)


def test_booleans() -> None:
    x, y, o = sample("bool", 50), sample("bool", 50), torch.zeros(50, dtype=torch.bool)
    bools[(1,)](x, y, o, 50, B=64)
    same(o, (x & y) | ~x)
