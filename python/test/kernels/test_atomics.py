# SPDX-License-Identifier: MIT
"""Atomic accesses: every kind, scalar and in blocks, masks, old values, many programs at one place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_data import dtype_of, same

HAS_ATOMIC_LOAD = hasattr(tl, "atomic_load")
HAS_POLL = hasattr(tl, "atomic_poll")


@triton.jit
def add(p, v, m):
    return tl.atomic_add(p, v, mask=m)


@triton.jit
def maximum(p, v, m):
    return tl.atomic_max(p, v, mask=m)


@triton.jit
def minimum(p, v, m):
    return tl.atomic_min(p, v, mask=m)


@triton.jit
def both(p, v, m):
    return tl.atomic_and(p, v, mask=m)


@triton.jit
def either(p, v, m):
    return tl.atomic_or(p, v, mask=m)


@triton.jit
def one_of(p, v, m):
    return tl.atomic_xor(p, v, mask=m)


@triton.jit
def exchange(p, v, m):
    return tl.atomic_xchg(p, v, mask=m)


REFERENCE = {
    add: lambda a, b: a + b,
    maximum: np.maximum,
    minimum: np.minimum,
    both: lambda a, b: a & b,
    either: lambda a, b: a | b,
    one_of: lambda a, b: a ^ b,
    exchange: lambda a, b: b,
}
INTEGER_KINDS = list(REFERENCE)
INTEGER_TYPES = ["int32", "uint32", "int64", "uint64"]
FLOAT_KINDS = [
    (add, "float16"),
    (add, "float32"),
    (add, "float64"),
    (exchange, "float32"),
    (exchange, "float64"),
]
FLOAT_KINDS += [(kind, name) for kind in (maximum, minimum) for name in ("float32", "float64")]
CASES = [(kind, name) for kind in INTEGER_KINDS for name in INTEGER_TYPES] + FLOAT_KINDS


def ident(value: Any) -> str:
    return getattr(value, "__name__", str(value))


def numbers(name: str, n: int, seed: int) -> np.ndarray:
    """Values of both signs, of which sums are exact."""
    generator = np.random.default_rng(seed)
    if name.startswith("float"):
        return (generator.integers(-64, 64, n) / 4).astype(name)
    limits = np.iinfo(name)
    return generator.integers(limits.min, limits.max, n, dtype=name, endpoint=True)


@triton.jit
def block_update(o, x, old, n, KIND: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    before = KIND(o + i, tl.load(x + i, mask=i < n), i < n)
    tl.store(old + i, before, mask=i < n)


@pytest.mark.parametrize("n", [0, 1, 77, 256])
@pytest.mark.parametrize("kind,name", CASES, ids=ident)
def test_a_block_is_updated_and_gives_its_old_values(kind: Any, name: str, n: int) -> None:
    start, x = numbers(name, 300, 1), numbers(name, 300, 2)
    o, old = start.copy(), np.zeros_like(start)
    block_update[(2,)](o, x, old, n, KIND=kind, B=128)
    with np.errstate(over="ignore"):
        expected = REFERENCE[kind](start, x)
    np.testing.assert_array_equal(o, np.where(np.arange(300) < n, expected, start))
    np.testing.assert_array_equal(old, np.where(np.arange(300) < n, start, 0))


@triton.jit
def block_update_only(o, x, KIND: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    KIND(o + i, tl.load(x + i), None)


@pytest.mark.parametrize("kind,name", CASES, ids=ident)
def test_a_block_is_updated_when_nobody_wants_the_old_values(kind: Any, name: str) -> None:
    start, x = numbers(name, 64, 3), numbers(name, 64, 4)
    o = start.copy()
    block_update_only[(1,)](o, x, KIND=kind, B=64)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(o, REFERENCE[kind](start, x))


@triton.jit
def scalar_update(o, x, old, on, KIND: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(old + pid, KIND(o + pid, tl.load(x + pid), on != 0))


@pytest.mark.parametrize("on", [0, 2])
@pytest.mark.parametrize("kind,name", CASES, ids=ident)
def test_one_element_is_updated(kind: Any, name: str, on: int) -> None:
    start, x = numbers(name, 9, 5), numbers(name, 9, 6)
    o, old = start.copy(), np.zeros_like(start)
    scalar_update[(9,)](o, x, old, on, KIND=kind)
    with np.errstate(over="ignore"):
        expected = REFERENCE[kind](start, x)
    np.testing.assert_array_equal(o, expected if on else start)
    np.testing.assert_array_equal(old, start if on else np.zeros_like(start))


@triton.jit
def sum_of_programs(o, KIND: tl.constexpr, B: tl.constexpr):
    """All programs meet in B places."""
    i = tl.arange(0, B)
    KIND(o + i, (tl.program_id(0) * B + i + 1).to(o.dtype.element_ty), None)


@pytest.mark.parametrize("name", ["int32", "int64", "uint32", "float64"])
@pytest.mark.parametrize("programs", [1, 1000])
def test_no_program_s_update_is_lost(name: str, programs: int) -> None:
    o = np.zeros(4, name)
    sum_of_programs[(programs,)](o, KIND=add, B=4)
    every = np.arange(1, 4 * programs + 1).reshape(programs, 4)
    np.testing.assert_array_equal(o, every.sum(0).astype(name))
    o = np.zeros(4, name)
    sum_of_programs[(programs,)](o, KIND=maximum, B=4)
    np.testing.assert_array_equal(o, every.max(0).astype(name))


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_sums_of_floats_lose_no_update(name: str) -> None:
    o = torch.zeros(4, dtype=dtype_of(name))
    ones_of_programs[(250,)](o, B=4)
    same(o, torch.full((4,), 250.0, dtype=dtype_of(name)))


@triton.jit
def ones_of_programs(o, B: tl.constexpr):
    tl.atomic_add(o + tl.arange(0, B), tl.full([B], 1.0, o.dtype.element_ty))


@triton.jit
def ticket(count, seen):
    """Each program draws a number of its own."""
    tl.store(seen + tl.atomic_add(count, 1), tl.program_id(0))


def test_each_program_draws_another_old_value() -> None:
    count, seen = np.zeros(1, np.int32), np.full(5000, -1, np.int32)
    ticket[(5000,)](count, seen)
    assert count[0] == 5000
    np.testing.assert_array_equal(np.sort(seen), np.arange(5000))


@triton.jit
def locked_increment(lock, counter, rounds):
    for _ in range(rounds):
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        tl.store(counter, tl.load(counter) + 1)
        tl.atomic_xchg(lock, 0)


def test_a_lock_of_compare_and_swap_keeps_programs_apart() -> None:
    lock, counter = np.zeros(1, np.int32), np.zeros(1, np.int64)
    locked_increment[(500,)](lock, counter, 20)
    assert counter[0] == 10_000 and lock[0] == 0


@triton.jit
def locked_block(lock, x, o, n, B: tl.constexpr):
    """What the lock guards is read after it is taken and written before it is given back."""
    i = tl.arange(0, B)
    value = tl.load(x + tl.program_id(0) * B + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(o + i, tl.load(o + i) + value)
    tl.atomic_xchg(lock, 0)


def test_a_lock_guards_a_block() -> None:
    x = np.random.default_rng(7).integers(-50, 50, (200, 256)).astype(np.float32)
    lock, o = np.zeros(1, np.int32), np.zeros(256, np.float32)
    locked_block[(200,)](lock, x, o, 0, B=256)
    np.testing.assert_array_equal(o, x.sum(0))


@triton.jit
def swap_block(o, expected, x, old, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(old + i, tl.atomic_cas(o + i, tl.load(expected + i), tl.load(x + i)))


@pytest.mark.parametrize("name", ["int16", "int32", "int64", "float16", "float32", "float64"])
def test_a_block_is_compared_and_swapped(name: str) -> None:
    generator = np.random.default_rng(8)
    o = generator.integers(0, 3, 64).astype(name)
    expected = generator.integers(0, 3, 64).astype(name)
    start, x, old = o.copy(), np.arange(100, 164).astype(name), np.zeros(64, name)
    swap_block[(1,)](o, expected, x, old, B=64)
    np.testing.assert_array_equal(old, start)
    np.testing.assert_array_equal(o, np.where(start == expected, x, start))


@triton.jit
def histogram(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(o + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)


@pytest.mark.parametrize("n", [1, 1000, 4099])
def test_updates_through_loaded_places(n: int) -> None:
    x = np.random.default_rng(9).integers(0, 10, n).astype(np.int32)
    o = np.zeros(10, np.int32)
    histogram[(triton.cdiv(n, 256),)](x, o, n, B=256)
    np.testing.assert_array_equal(o, np.bincount(x, minlength=10))


@triton.jit
def scattered_old(x, o, old, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(old + i, tl.atomic_add(o + tl.load(x + i), i + 1))


def test_several_updates_of_one_place_in_one_block() -> None:
    x = np.array([3, 3, 1, 3, 0, 1, 3, 2], np.int64)
    o, old = np.zeros(4, np.int32), np.zeros(8, np.int32)
    scattered_old[(1,)](x, o, old, B=8)
    np.testing.assert_array_equal(o, [5, 9, 8, 1 + 2 + 4 + 7])
    # Row-major order, one after the other.
    np.testing.assert_array_equal(old, [0, 1, 0, 3, 0, 3, 7, 0])


@triton.jit
def column_sums(x, o, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    inside = (r[:, None] < rows) & (c[None, :] < cols)
    block = tl.load(x + r[:, None] * cols + c[None, :], mask=inside, other=0.0)
    tl.atomic_add(o + c, tl.sum(block, 0), mask=c < cols)


@pytest.mark.parametrize("rows,cols", [(1, 1), (33, 17), (100, 64)])
def test_sums_of_tiles_meet_in_one_row(rows: int, cols: int) -> None:
    x = np.random.default_rng(10).integers(-9, 9, (rows, cols)).astype(np.float32)
    o = np.zeros(cols, np.float32)
    column_sums[(triton.cdiv(rows, 8),)](x, o, rows, cols, R=8, C=64)
    np.testing.assert_array_equal(o, x.sum(0))


@triton.jit
def tile_update(x, o, ld, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    inside = (r[:, None] < rows) & (c[None, :] < cols)
    at = r[:, None] * ld + c[None, :]
    tl.atomic_max(o + at, tl.load(x + at, mask=inside), mask=inside)


@pytest.mark.parametrize("rows,cols", [(0, 5), (8, 16), (5, 11), (-3, 16)])
def test_a_tile_of_two_dimensions_ends_at_both_bounds(rows: int, cols: int) -> None:
    x, start = numbers("int32", 8 * 20, 11).reshape(8, 20), numbers("int32", 8 * 20, 12).reshape(8, 20)
    o = start.copy()
    tile_update[(1,)](x, o, 20, rows, cols, R=8, C=16)
    expected = start.copy()
    rows = max(rows, 0)
    expected[:rows, :cols] = np.maximum(start, x)[:rows, :cols]
    np.testing.assert_array_equal(o, expected)


@triton.jit
def odd_ones(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(o + 2 * i, v, mask=(i < n) & (v % 2 != 0))


def test_a_mask_that_is_no_bound_and_a_stride() -> None:
    x, o = np.arange(100, dtype=np.int32), np.zeros(256, np.int32)
    odd_ones[(1,)](x, o, 77, B=128)
    expected = np.zeros(256, np.int32)
    expected[2:154:4] = x[1:77:2]
    np.testing.assert_array_equal(o, expected)


@triton.jit
def ordered(o, SEM: tl.constexpr, SCOPE: tl.constexpr):
    tl.atomic_add(o, 1, sem=SEM, scope=SCOPE)
    tl.atomic_cas(o + 1, 0, 5, sem=SEM, scope=SCOPE)
    tl.atomic_xchg(o + 2, 7, sem=SEM, scope=SCOPE)


@pytest.mark.parametrize("scope", ["gpu", "cta", "sys"])
@pytest.mark.parametrize("order", ["relaxed", "acquire", "release", "acq_rel"])
def test_every_memory_order_and_scope(order: str, scope: str) -> None:
    o = np.zeros(3, np.int32)
    ordered[(3,)](o, SEM=order, SCOPE=scope)
    np.testing.assert_array_equal(o, [3, 5, 7])


@triton.jit
def infinities(o, x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_max(o + i, tl.load(x + i))
    tl.atomic_min(o + B + i, tl.load(x + i))


def test_limits_of_floats_with_signs_zeros_and_infinities() -> None:
    values = np.array([-np.inf, -1.5, -0.0, 0.0, 1e-40, 2.5, np.inf, 3.0], np.float32)
    o = np.concatenate([np.full(8, -1.0, np.float32), np.full(8, -1.0, np.float32)])
    infinities[(1,)](o, values, B=8)
    np.testing.assert_array_equal(o[:8], np.maximum(values, -1.0))
    np.testing.assert_array_equal(o[8:], np.minimum(values, -1.0))


@triton.jit
def read_update_read(x, o, B: tl.constexpr):
    """What was read before an update is not read again after it."""
    i = tl.arange(0, B)
    before = tl.load(x + i)
    tl.atomic_add(x + i, 10)
    tl.store(o + i, before)
    tl.store(o + B + i, tl.load(x + i))


def test_loads_keep_their_side_of_an_update() -> None:
    x, o = np.arange(64, dtype=np.int32), np.zeros(128, np.int32)
    read_update_read[(1,)](x, o, B=64)
    np.testing.assert_array_equal(o, np.concatenate([np.arange(64), np.arange(64) + 10]))
    np.testing.assert_array_equal(x, np.arange(64) + 10)


@triton.jit
def shifted_update(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(x + i + 1, tl.load(x + i))


def test_an_update_of_what_it_reads_takes_the_values_from_before() -> None:
    x = np.arange(65, dtype=np.int32)
    shifted_update[(1,)](x, B=64)
    np.testing.assert_array_equal(x, np.concatenate([[0], np.arange(1, 65) + np.arange(64)]))


@triton.jit
def fence_and_barrier(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) + 1)
    tl.debug_barrier()
    tl.store(x + i, tl.load(o + i) + 1)


def test_a_barrier_changes_nothing() -> None:
    x, o = np.zeros(32, np.int32), np.zeros(32, np.int32)
    fence_and_barrier[(1,)](x, o, B=32)
    assert (o == 1).all() and (x == 2).all()


if HAS_ATOMIC_LOAD:

    @triton.jit
    def load_and_store(x, o, n, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.atomic_store(o + i, tl.atomic_load(x + i, mask=i < n), mask=i < n)
        tl.atomic_store(o + B, tl.atomic_load(x + 1, sem="relaxed"), sem="relaxed")

    @pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "float16", "float32", "float64"])
    def test_atomic_loads_and_stores(name: str) -> None:
        x, o = np.arange(1, 33).astype(name), np.zeros(33, name)
        load_and_store[(1,)](x, o, 20, B=32)
        np.testing.assert_array_equal(o, np.concatenate([x[:20], np.zeros(12, name), x[1:2]]))


if HAS_POLL:

    @triton.jit
    def chained(flags, o):
        """Each program waits for the one before it."""
        pid = tl.program_id(0)
        if pid > 0:
            tl.atomic_poll(flags + pid - 1, 1)
        before = tl.load(o + pid)
        tl.store(o + pid + 1, before + pid)
        tl.atomic_xchg(flags + pid, 1, sem="release")

    def test_a_program_may_wait_for_one_with_a_smaller_id() -> None:
        flags, o = np.zeros(300, np.int32), np.zeros(301, np.int64)
        chained[(300,)](flags, o)
        np.testing.assert_array_equal(o[1:], np.cumsum(np.arange(300)))

    @triton.jit
    def waits(flags, o, limit, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(o + i, tl.atomic_poll(flags + i, 1, timeout_ns=limit))
        tl.store(o + B, tl.atomic_poll(flags + 1, 1, sem="relaxed", timeout_ns=0))

    @pytest.mark.parametrize("limit", [0, 20_000_000])
    def test_a_wait_ends_in_time(limit: int) -> None:
        flags, o = np.array([1, 0, 1, 0, 1, 1, 0, 1], np.int32), np.full(9, 7, np.int8)
        waits[(1,)](flags, o, limit, B=8)
        np.testing.assert_array_equal(o, np.append(flags, 0))


@triton.jit
def tight(o, x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(o + i, tl.load(x + i, mask=i < n), mask=i < n)


def test_the_code_of_an_update_holds_the_instruction_and_no_call() -> None:
    o, x = np.zeros(1024, np.int32), np.ones(1024, np.int32)
    made = tight[(1,)](o, x, 1000, B=1024)
    llir = made.asm["llir"]
    # Once for the steady part, at most twice for the tail.
    assert 1 <= llir.count("atomicrmw add") <= 3
    assert "@malloc" not in llir and "masked.gather" not in llir and "masked.scatter" not in llir
    assert o.sum() == 1000
