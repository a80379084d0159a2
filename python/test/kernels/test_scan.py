# SPDX-License-Identifier: MIT
"""Scans along every axis, forwards and backwards, of one and of several tensors."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, close, dtype_of, guarded, same, sample, small

SIZES = [1, 2, 3, 16, 33, 100, 1000, 1024, 2048]


@triton.jit
def running_sum(x, o, n, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.cumsum(tl.load(x + i, mask=i < n, other=0), 0, reverse=REVERSE), mask=i < n)


def expected_sum(x: Any, axis: int, reverse: bool) -> Any:
    return x.flip(axis).cumsum(axis).flip(axis) if reverse else x.cumsum(axis)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["float32", "float64", "int32", "int64"])
def test_sums_of_whole_numbers(name: str, n: int, reverse: bool) -> None:
    x, o = small(name, n), guarded(n, name)
    running_sum[(1,)](x, o, n, REVERSE=reverse, B=triton.next_power_of_2(n))
    check_guard(o, n)
    same(o[:n], expected_sum(x, 0, reverse).to(dtype_of(name)))


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_sums_of_short_floats_are_rounded_once(name: str) -> None:
    x, o = sample(name, 512, scale=0.1), guarded(512, name)
    running_sum[(1,)](x, o, 512, REVERSE=False, B=512)
    close(o[:512], x.double().cumsum(0), ulps=1.01)


@pytest.mark.parametrize("n", [100, 4096])
def test_sums_are_as_good_as_in_sequence(n: int) -> None:
    x, o = sample("float32", n, scale=1.0), guarded(n, "float32")
    running_sum[(1,)](x, o, n, REVERSE=False, B=triton.next_power_of_2(n))
    exact = x.double().cumsum(0)
    in_sequence, total = [], torch.zeros(())
    for value in x:
        total = total + value
        in_sequence.append(total)
    error = (o[:n].double() - exact).abs().max()
    assert error <= (torch.stack(in_sequence).double() - exact).abs().max() + 1e-6


@pytest.mark.parametrize("name", ["int8", "int16", "uint8", "uint16", "bool"])
def test_sums_of_short_integers_are_wide(name: str) -> None:
    x, o = sample(name, 256), guarded(256, "int32")
    running_sum[(1,)](x, o, 256, REVERSE=False, B=256)
    same(o[:256], x.to(torch.int64).cumsum(0).to(torch.int32))


@triton.jit
def count_where(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.cumsum(tl.load(x + i) > 0, 0))


@pytest.mark.parametrize("n", [8, 256])
def test_booleans_are_counted(n: int) -> None:
    x, o = sample("float32", n), guarded(n, "int32")
    count_where[(1,)](x, o, B=n)
    check_guard(o, n)
    same(o[:n], (x > 0).to(torch.int32).cumsum(0).to(torch.int32))


@triton.jit
def running_product(x, o, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.cumprod(tl.load(x + i), 0, reverse=REVERSE))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["float32", "int64"])
def test_products(name: str, reverse: bool) -> None:
    x = torch.ones(256, dtype=dtype_of(name))
    x[::10] = 2
    x[5::17] = -1
    o = guarded(256, name)
    running_product[(1,)](x, o, REVERSE=reverse, B=256)
    expected = x.flip(0).cumprod(0).flip(0) if reverse else x.cumprod(0)
    same(o[:256], expected)


@triton.jit
def along(x, o, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    i = a * (B * C) + b * C + c
    tl.store(o + i, tl.cumsum(tl.load(x + i), AXIS, reverse=REVERSE))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(4, 8, 16), (2, 64, 2), (32, 2, 4), (1, 4, 128), (8, 1, 32), (64, 16, 1)])
def test_every_axis_of_three(shape: tuple[int, int, int], axis: int, reverse: bool) -> None:
    x = small("float32", *shape)
    o = guarded(x.numel(), "float32")
    along[(1,)](x, o, *shape, AXIS=axis, REVERSE=reverse)
    check_guard(o, x.numel())
    same(o[: x.numel()].view(shape), expected_sum(x, axis, reverse))


@triton.jit
def rows_and_columns(x, o, m, n, AXIS: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    r, c = tl.arange(0, A)[:, None], tl.arange(0, B)[None, :]
    inside = (r < m) & (c < n)
    tl.store(o + r * n + c, tl.cumsum(tl.load(x + r * n + c, mask=inside, other=0.0), AXIS), mask=inside)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(3, 5), (16, 100), (33, 17), (1, 65)])
def test_masked_rows_and_columns(shape: tuple[int, int], axis: int) -> None:
    x = small("float32", *shape)
    o = guarded(x.numel(), "float32")
    a, b = (triton.next_power_of_2(size) for size in shape)
    rows_and_columns[(1,)](x, o, *shape, AXIS=axis, A=a, B=b)
    check_guard(o, x.numel())
    same(o[: x.numel()].view(shape), x.cumsum(axis))


@triton.jit
def decay(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def recurrence(a, b, o, n, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    x, y = tl.load(a + i, mask=i < n, other=1.0), tl.load(b + i, mask=i < n, other=0.0)
    _, r = tl.associative_scan((x, y), 0, decay, reverse=REVERSE)
    tl.store(o + i, r, mask=i < n)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [1, 7, 64, 500])
def test_a_linear_recurrence(n: int, reverse: bool) -> None:
    a, b = torch.rand(n) * 0.9, sample("float32", n)
    o = guarded(n, "float32")
    recurrence[(1,)](a, b, o, n, REVERSE=reverse, B=triton.next_power_of_2(n))
    check_guard(o, n)
    expected, state = torch.zeros(n, dtype=torch.float64), 0.0
    for i in reversed(range(n)) if reverse else range(n):
        state = state * a[i].double() + b[i].double()
        expected[i] = state
    torch.testing.assert_close(o[:n].double(), expected, rtol=1e-5, atol=1e-5)


@triton.jit
def keep_left(a, b):
    return a


@triton.jit
def keep_right(a, b):
    return b


@triton.jit
def first_and_last(x, o, p, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + i, tl.associative_scan(v, 0, keep_left, reverse=REVERSE))
    tl.store(p + i, tl.associative_scan(v, 0, keep_right, reverse=REVERSE))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [4, 128])
def test_what_was_combined_so_far_is_on_the_left(n: int, reverse: bool) -> None:
    x, o, p = sample("int32", n), guarded(n, "int32"), guarded(n, "int32")
    first_and_last[(1,)](x, o, p, REVERSE=reverse, B=n)
    same(o[:n], x[-1 if reverse else 0].expand(n))
    same(p[:n], x)


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def farther(a, b):
    if a * a > b * b:  # noqa: SIM108
        r = a
    else:
        r = b
    return r


@triton.jit
def running(x, o, p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(o + i, tl.associative_scan(v, 0, larger), mask=i < n)
    tl.store(p + i, tl.associative_scan(v, 0, farther), mask=i < n)


@pytest.mark.parametrize("name", ["float32", "float16"])
@pytest.mark.parametrize("n", [5, 300])
def test_running_extremes(name: str, n: int) -> None:
    x, o, p = sample(name, n), guarded(n, name), guarded(n, name)
    running[(1,)](x, o, p, n, B=triton.next_power_of_2(n))
    check_guard(o, n)
    check_guard(p, n)
    same(o[:n], x.cummax(0).values)
    same(p[:n].abs(), x.abs().cummax(0).values)


@triton.jit
def used_again(x, o, s, p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    c = tl.cumsum(v, 0)
    tl.store(o + i, c * 2, mask=i < n)
    tl.store(p + i, tl.cumsum(c, 0) - c, mask=i < n)
    tl.store(s, tl.sum(c, 0))


@pytest.mark.parametrize("n", [1, 64, 100])
def test_a_scan_with_several_users(n: int) -> None:
    x, o, p, s = small("int32", n), guarded(n, "int32"), guarded(n, "int32"), guarded(1, "int32")
    used_again[(1,)](x, o, s, p, n, B=triton.next_power_of_2(n))
    c = x.to(torch.int64).cumsum(0)
    same(o[:n], (2 * c).to(torch.int32))
    same(p[:n], (c.cumsum(0) - c).to(torch.int32))
    if n in (1, 64):
        assert s[0] == c.sum()


@triton.jit
def scan_of_scan(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    c = tl.cumsum(tl.load(x + i, mask=i < n, other=0), 0)
    tl.store(o + i, tl.cumsum(c * c, 0) + c, mask=i < n)


@triton.jit
def both_ways(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(o + i, tl.cumsum(tl.cumsum(v, 0), 0, reverse=True), mask=i < n)


@pytest.mark.parametrize("n", [1, 64, 128, 1000])
def test_scans_of_scans(n: int) -> None:
    x, o = small("int64", n), guarded(n, "int64")
    scan_of_scan[(1,)](x, o, n, B=triton.next_power_of_2(n))
    c = x.cumsum(0)
    same(o[:n], (c * c).cumsum(0) + c)
    if n == triton.next_power_of_2(n):
        both_ways[(1,)](x, o, n, B=n)
        same(o[:n], c.flip(0).cumsum(0).flip(0))


@triton.jit
def in_place(x, n, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.cumsum(tl.load(x + i, mask=i < n, other=0), 0, reverse=REVERSE), mask=i < n)


@triton.jit
def shifted_in_place(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i + 1, tl.cumsum(tl.load(x + i), 0))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [10, 512])
def test_in_place(n: int, reverse: bool) -> None:
    x = small("int32", n)
    expected = expected_sum(x, 0, reverse).to(torch.int32)
    in_place[(1,)](x, n, REVERSE=reverse, B=triton.next_power_of_2(n))
    same(x, expected)


def test_in_place_one_further() -> None:
    x = small("int32", 257)
    expected = torch.cat([x[:1], x[:256].cumsum(0).to(torch.int32)])
    shifted_in_place[(1,)](x, B=256)
    same(x, expected)


@triton.jit
def in_chunks(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    carry = 0.0
    for start in range(0, n, B):
        v = tl.load(x + start + i, mask=start + i < n, other=0.0)
        tl.store(o + start + i, tl.cumsum(v, 0) + carry, mask=start + i < n)
        carry += tl.sum(v, 0)


@pytest.mark.parametrize("n", [1, 128, 1000])
def test_in_chunks(n: int) -> None:
    x, o = small("float32", n), guarded(n, "float32")
    in_chunks[(1,)](x, o, n, B=128)
    check_guard(o, n)
    same(o[:n], x.cumsum(0))
