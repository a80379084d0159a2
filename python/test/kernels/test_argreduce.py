# SPDX-License-Identifier: MIT
"""Reductions that need no neutral element: positions of extremes, combiners of the user's, several results."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, INTS, check_guard, guarded, same, sample, small

SIZES = [1, 2, 3, 8, 33, 100, 1000, 1024]


@triton.jit
def positions(x, highest, at_highest, lowest, at_lowest, n, low, high, B: tl.constexpr):
    i = tl.arange(0, B)
    v, p = tl.max(tl.load(x + i, mask=i < n, other=low), 0, return_indices=True)
    tl.store(highest, v)
    tl.store(at_highest, p)
    v, p = tl.min(tl.load(x + i, mask=i < n, other=high), 0, return_indices=True)
    tl.store(lowest, v)
    tl.store(at_lowest, p)


def bounds(name: str) -> tuple[Any, Any]:
    if name in FLOATS:
        return -float("inf"), float("inf")
    kind = torch.iinfo(getattr(torch, name))
    return kind.min, kind.max


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(
    "name", ["float32", "float64", "int32", "int64", "float16", "bfloat16", "int8", "int16"]
)
def test_the_first_of_equal_extremes(name: str, n: int) -> None:
    x = small(name, n)  # many ties
    low, high = bounds(name)
    if name in ("int64", "int8", "int16"):
        low, high = -100, 100
    highest, lowest = guarded(1, name), guarded(1, name)
    at_highest, at_lowest = guarded(1, "int32"), guarded(1, "int32")
    positions[(1,)](x, highest, at_highest, lowest, at_lowest, n, low, high, B=triton.next_power_of_2(n))
    for out in (highest, lowest, at_highest, at_lowest):
        check_guard(out, 1)
    wide = x.double()
    assert highest[0] == wide.max() and lowest[0] == wide.min()
    assert at_highest[0] == (wide == wide.max()).nonzero()[0, 0]
    assert at_lowest[0] == (wide == wide.min()).nonzero()[0, 0]


@triton.jit
def argmax_unmasked(x, o, B: tl.constexpr):
    tl.store(o, tl.argmax(tl.load(x + tl.arange(0, B)), 0))


@pytest.mark.parametrize("name", [name for name in INTS if name.startswith("u")])
def test_unsigned_values_compare_as_such(name: str) -> None:
    signed = name[1:]
    x = small(signed, 64, low=0, high=9)
    x[41] = -1  # the largest
    x = x.view(getattr(torch, name))
    o = guarded(1, "int32")
    argmax_unmasked[(1,)](x, o, B=64)
    assert o[0] == 41


@pytest.mark.parametrize("at", [0, 1, 31, 32, 63, 500, 1023])
def test_each_lane_can_win(at: int) -> None:
    x, o = torch.zeros(1024), guarded(1, "int32")
    x[at] = 1
    argmax_unmasked[(1,)](x, o, B=1024)
    check_guard(o, 1)
    assert o[0] == at


@pytest.mark.parametrize("n", [1, 7, 600])
def test_a_row_of_the_pad_value_gives_an_index_within(n: int) -> None:
    x, index = torch.full((n,), -float("inf")), guarded(1, "int32")
    v, lowest, other = guarded(1, "float32"), guarded(1, "float32"), guarded(1, "int32")
    positions[(1,)](x, v, index, lowest, other, n, -float("inf"), float("inf"), B=triton.next_power_of_2(n))
    assert v[0] == -float("inf") and index[0] == 0 and other[0] == 0


def test_nan_everywhere_gives_an_index_within() -> None:
    x, o = torch.full((256,), float("nan")), guarded(1, "int32")
    argmax_unmasked[(1,)](x, o, B=256)
    assert 0 <= o[0] < 256


@triton.jit
def tie_break_fast(x, o, p, B: tl.constexpr):
    v, i = tl.max(tl.load(x + tl.arange(0, B)), 0, return_indices=True, return_indices_tie_break_left=False)
    tl.store(o, v)
    tl.store(p, i)


def test_without_tie_break_any_of_the_largest() -> None:
    x, o, p = small("float32", 512), guarded(1, "float32"), guarded(1, "int32")
    tie_break_fast[(1,)](x, o, p, B=512)
    assert o[0] == x.max() and x[int(p[0])] == x.max()


@triton.jit
def along(x, v, p, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr, KEEP: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    value, place = tl.max(tl.load(x + a * (B * C) + b * C + c), AXIS, return_indices=True, keep_dims=KEEP)
    value, place = tl.ravel(value), tl.ravel(place)
    o = tl.arange(0, value.shape[0])
    tl.store(v + o, value)
    tl.store(p + o, place)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(4, 8, 16), (2, 64, 2), (32, 2, 4), (1, 4, 128), (8, 1, 32), (64, 16, 1)])
def test_every_axis_of_three(shape: tuple[int, int, int], axis: int, keep: bool) -> None:
    x = small("float32", *shape)
    count = x.numel() // shape[axis]
    v, p = guarded(count, "float32"), guarded(count, "int32")
    along[(1,)](x, v, p, *shape, AXIS=axis, KEEP=keep)
    check_guard(v, count)
    check_guard(p, count)
    same(v[:count], x.amax(axis).flatten())
    first = (x == x.amax(axis, keepdim=True)).to(torch.int32).argmax(axis).flatten()
    assert p[:count].tolist() == first.tolist()


@triton.jit
def welford(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    delta = mean_b - mean_a
    share = tl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def variance(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    ones = (i < n).to(tl.float32)
    mean, m2, count = tl.reduce((v, tl.zeros_like(v), ones), 0, welford)
    tl.store(o, mean)
    tl.store(o + 1, m2 / count)


@pytest.mark.parametrize("n", [1, 5, 64, 777])
def test_three_results_of_one_combiner(n: int) -> None:
    x, o = sample("float32", n), guarded(2, "float32")
    variance[(1,)](x, o, n, B=triton.next_power_of_2(n))
    check_guard(o, 2)
    wide = x.double()
    expected = torch.stack([wide.mean(), wide.var(unbiased=False)])
    torch.testing.assert_close(o[:2].double(), expected, rtol=1e-5, atol=1e-5)


@triton.jit
def longest(a, b):
    if a * a > b * b:  # noqa: SIM108
        r = a
    else:
        r = b
    return r


@triton.jit
def with_a_branch(x, o, B: tl.constexpr):
    tl.store(o, tl.reduce(tl.load(x + tl.arange(0, B)), 0, longest))


@pytest.mark.parametrize("name", ["float32", "int64"])
def test_a_combiner_that_branches(name: str) -> None:
    x = torch.randperm(256).sub(100).to(getattr(torch, name))
    o = guarded(1, name)
    with_a_branch[(1,)](x, o, B=256)
    assert o[0] == x[(x * x).argmax()]


@triton.jit
def low_bits(a, b):
    return ((a & 15) + (b & 15)) & 15


@triton.jit
def rows(x, o, n, W: tl.constexpr, B: tl.constexpr):
    r, c = tl.arange(0, W), tl.arange(0, B)
    v = tl.load(x + r[:, None] * n + c[None, :], mask=c[None, :] < n, other=0)
    tl.store(o + r, tl.reduce(v, 1, low_bits))


@pytest.mark.parametrize("n", [3, 40, 200])
def test_rows_with_a_tail(n: int) -> None:
    x, o = sample("int32", 8, n), guarded(8, "int32")
    rows[(1,)](x, o, n, W=8, B=triton.next_power_of_2(n))
    check_guard(o, 8)
    same(o[:8], ((x & 15).sum(1) & 15).to(torch.int32))


@triton.jit
def both(a, b, c, d):
    return a | c, b & d


@triton.jit
def any_and_all(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B)) != 0
    some, every = tl.reduce((v, v), 0, both)
    tl.store(o, some)
    tl.store(o + 1, every)


@pytest.mark.parametrize("ones", [0, 1, 64])
def test_booleans(ones: int) -> None:
    x, o = torch.zeros(64, dtype=torch.int32), guarded(2, "int32")
    x[:ones] = 7
    any_and_all[(1,)](x, o, B=64)
    assert o[:2].tolist() == [int(ones > 0), int(ones == 64)]


@triton.jit
def argmax_then_use(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    best = -float("inf")
    at = 0
    for start in range(0, n, B):
        v, p = tl.max(tl.load(x + start + i, mask=start + i < n, other=-float("inf")), 0, return_indices=True)
        if v > best:
            best = v
            at = start + p
    tl.store(o, at)


@pytest.mark.parametrize("n", [1, 64, 1000])
def test_in_a_loop(n: int) -> None:
    x, o = sample("float32", n), guarded(1, "int32")
    argmax_then_use[(1,)](x, o, n, B=64)
    assert o[0] == x.argmax()
