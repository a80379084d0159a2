# SPDX-License-Identifier: MIT
"""Loads see the stores before them, and not those after them, whatever overlaps."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import blocks, same, sample


@triton.jit
def twice_in_place(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(x + i, tl.load(x + i, mask=m) + 1, mask=m)
    tl.store(o + i, tl.load(x + i, mask=m) * 2, mask=m)


@pytest.mark.parametrize("n", [1, 100, 1024, 3000])
def test_a_store_is_seen_by_the_load_after_it(n: int) -> None:
    x, o = sample("float32", n), torch.zeros(n)
    before = x.clone()
    twice_in_place[blocks(n, 1024)](x, o, n, B=1024)
    same(x, before + 1)
    same(o, (before + 1) * 2)


@triton.jit
def load_store_load(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    first = tl.load(x + i, mask=m)
    tl.store(x + i, first * 3, mask=m)
    second = tl.load(x + i, mask=m)
    tl.store(o + i, second - first, mask=m)


def test_a_load_before_a_store_keeps_its_value() -> None:
    x, o = sample("float32", 500), torch.zeros(500)
    before = x.clone()
    load_store_load[(1,)](x, o, 500, B=512)
    same(o, before * 3 - before)


@triton.jit
def shift_up(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i + 1, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def shift_down(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i + 1, mask=i < n), mask=i < n)


@pytest.mark.parametrize("n", [1, 63, 64, 1000])
def test_a_block_is_read_before_it_is_written_shifted(n: int) -> None:
    x = sample("float32", n + 1)
    before = x.clone()
    shift_up[(1,)](x, n, B=1024)
    same(x, torch.cat([before[:1], before[:-1]]))
    x = before.clone()
    shift_down[(1,)](x, n, B=1024)
    same(x, torch.cat([before[1:], before[-1:]]))


@triton.jit
def shift_of_a_carried_pointer(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x
    for _ in range(n):
        v = tl.load(p + i)
        p += 1
        tl.store(x + i + 1, v)


def test_a_carried_pointer_overlaps_its_origin() -> None:
    x = sample("float32", 600)
    expected = x.clone()
    for k in range(2):
        expected[1:513] = expected[k : k + 512].clone()
    shift_of_a_carried_pointer[(1,)](x, 2, B=512)
    same(x, expected)


@triton.jit
def two_names(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    a = tl.load(x + i, mask=m)
    tl.store(y + i, a + 1, mask=m)
    tl.store(y + i, tl.load(x + i, mask=m) * 2, mask=m)


def test_two_arguments_may_be_one_buffer() -> None:
    x = sample("float32", 500)
    before = x.clone()
    two_names[(1,)](x, x, 500, B=512)
    same(x, (before + 1) * 2)


@triton.jit
def reverse(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(x + n - 1 - i, v, mask=i < n)


def test_reversal_in_place() -> None:
    x = sample("float32", 200)
    before = x.clone()
    reverse[(1,)](x, 200, B=256)
    same(x, before.flip(0))


@triton.jit
def transpose_in_place(x, B: tl.constexpr):
    i = tl.arange(0, B)
    at = x + i[:, None] * B + i[None, :]
    tl.store(at, tl.trans(tl.load(at)))


def test_transposition_in_place() -> None:
    x = sample("float32", 32, 32)
    before = x.clone()
    transpose_in_place[(1,)](x, B=32)
    same(x, before.T.contiguous())


@triton.jit
def swap(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(x + i, b)
    tl.store(y + i, a)


def test_two_buffers_are_swapped() -> None:
    x, y = sample("float32", 512), sample("float32", 512)
    a, b = x.clone(), y.clone()
    swap[(1,)](x, y, B=512)
    same(x, b)
    same(y, a)


@triton.jit
def swap_halves(x, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(x + B + i)
    tl.store(x + i, b)
    tl.store(x + B + i, a)


def test_two_halves_of_one_buffer_are_swapped() -> None:
    x = sample("float32", 512)
    before = x.clone()
    swap_halves[(1,)](x, B=256)
    same(x, torch.cat([before[256:], before[:256]]))


@triton.jit
def normalise_in_place(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(x + i, v / tl.sum(v, 0), mask=i < n)
    w = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(x + i, w - tl.max(w, 0), mask=i < n)


def test_a_reduction_between_load_and_store_in_place() -> None:
    x = torch.rand(777) + 0.5
    expected = (x.double() / x.double().sum()).float()
    expected = expected - expected.max()
    normalise_in_place[(1,)](x, 777, B=1024)
    torch.testing.assert_close(x, expected, rtol=1e-5, atol=1e-7)


@triton.jit
def gather_in_place(x, index, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + tl.load(index + i))
    tl.store(x + i, v)


@triton.jit
def scatter_in_place(x, index, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(x + tl.load(index + i), v)


def test_permutations_in_place() -> None:
    x, index = sample("float32", 256), torch.randperm(256)
    before = x.clone()
    gather_in_place[(1,)](x, index, B=256)
    same(x, before[index])
    scatter_in_place[(1,)](x, index, B=256)
    same(x, before)


@triton.jit
def prefix_of_blocks(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(1, n):
        before = tl.load(x + (k - 1) * B + i)
        tl.store(x + k * B + i, tl.load(x + k * B + i) + before)


def test_an_iteration_sees_the_stores_of_the_one_before() -> None:
    x = torch.randint(-9, 9, (10, 128)).float()
    expected = x.cumsum(0)
    prefix_of_blocks[(1,)](x, 10, B=128)
    same(x, expected)


@triton.jit
def scalar_counter(x, o, n):
    for k in range(n):
        v = tl.load(x)
        tl.store(x, v + k)
        tl.store(o + k, tl.load(x))


def test_a_scalar_in_memory() -> None:
    x, o = torch.zeros(1, dtype=torch.int32), torch.zeros(9, dtype=torch.int32)
    scalar_counter[(1,)](x, o, 9)
    same(o, torch.arange(9, dtype=torch.int32).cumsum(0).to(torch.int32))


@triton.jit
def broadcast_of_a_stored_scalar(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(x, tl.sum(v, 0))
    tl.store(o + i, v + tl.load(x))


def test_a_scalar_store_is_seen_by_a_scalar_load() -> None:
    x, o = torch.randint(-9, 9, (256,)).float(), torch.zeros(256)
    before = x.clone()
    broadcast_of_a_stored_scalar[(1,)](x, o, B=256)
    same(o, before + before.sum())


@triton.jit
def store_under_a_branch(x, o, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if flag > 0:
        tl.store(x + i, v * 2)
    tl.store(o + i, tl.load(x + i) + v)


@pytest.mark.parametrize("flag", [0, 2])
def test_a_store_in_a_branch_lies_between(flag: int) -> None:
    x, o = sample("float32", 512), torch.zeros(512)
    before = x.clone()
    store_under_a_branch[(1,)](x, o, flag, B=512)
    same(o, before * 3 if flag else before * 2)


@triton.jit
def one_value_stored_twice(x, a, b, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.exp(tl.load(x + i, mask=i < n, other=0.0))
    tl.store(a + i, v, mask=i < n)
    tl.store(b + i, v + 1, mask=i < n)


def test_a_dear_value_stored_over_its_own_input() -> None:
    x, b = torch.rand(500), torch.zeros(500)
    expected = x.double().exp()
    one_value_stored_twice[(1,)](x, x, b, 500, B=512)
    torch.testing.assert_close(x.double(), expected, rtol=1e-6, atol=0)
    torch.testing.assert_close(b.double(), expected + 1, rtol=1e-6, atol=0)


@triton.jit
def offsets_by_value(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    first = tl.load(x + i)
    tl.store(x + n + i, first)
    tl.store(x + i, tl.load(x + n + i + 1))


def test_offsets_known_only_at_run_time() -> None:
    x = sample("float32", 600)
    expected = x.clone()
    expected[3:259] = expected[:256].clone()
    expected[:256] = expected[4:260].clone()
    offsets_by_value[(1,)](x, 3, B=256)
    same(x, expected)
