# SPDX-License-Identifier: MIT
"""Loops, branches, calls and what they carry."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import same, sample, small


@triton.jit
def accumulate(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        total += tl.load(x + start + i, mask=start + i < n)
    tl.store(o + i, total)


@pytest.mark.parametrize("n", [0, 1, 256, 1000])
def test_a_carried_sum(n: int) -> None:
    x, o = small("float32", n), torch.ones(256)
    accumulate[(1,)](x, o, n, B=256)
    padded = torch.zeros(1024)
    padded[:n] = x
    same(o, padded.view(4, 256).sum(0))


@triton.jit
def swap_each_time(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    for _ in range(n):
        a, b = b, a
    tl.store(x + i, a)
    tl.store(y + i, b)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_two_carried_tensors_swap(n: int) -> None:
    x, y = sample("float32", 128), sample("float32", 128)
    expected = (y.clone(), x.clone()) if n % 2 else (x.clone(), y.clone())
    swap_each_time[(1,)](x, y, n, B=128)
    same(x, expected[0])
    same(y, expected[1])


@triton.jit
def fibonacci(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    for _ in range(n):
        a, b = b, a + b
    tl.store(x + i, a)
    tl.store(y + i, b)


def test_carried_tensors_depend_on_each_other() -> None:
    x, y = small("int32", 256), small("int32", 256)
    a, b = x.clone(), y.clone()
    for _ in range(7):
        a, b = b, a + b
    fibonacci[(1,)](x, y, 7, B=256)
    same(x, a)
    same(y, b)


@triton.jit
def running_maximum(x, top, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    best = tl.full((B,), -float("inf"), tl.float32)
    count = tl.zeros((B,), tl.int32)
    for start in range(0, n, B):
        v = tl.load(x + start + i, mask=start + i < n, other=-float("inf"))
        count = tl.where(v > best, count + 1, count)
        best = tl.maximum(best, v)
    tl.store(top + i, best)
    tl.store(o + i, count)


def test_a_running_maximum_and_how_often_it_rose() -> None:
    x, top, o = sample("float32", 10, 128), torch.zeros(128), torch.zeros(128, dtype=torch.int32)
    running_maximum[(1,)](x, top, o, 1280, B=128)
    best = x.cummax(0).values
    same(top, best[-1])
    same(o, 1 + (best[1:] > best[:-1]).sum(0).to(torch.int32))


@triton.jit
def carried_offsets(x, o, n, s, B: tl.constexpr):
    at = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in range(n):
        total += tl.load(x + at)
        at += s
    tl.store(o + tl.arange(0, B), total)


@triton.jit
def carried_pointers(x, o, n, s, B: tl.constexpr):
    p = x + tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in range(n):
        total += tl.load(p)
        p += s
    tl.store(o + tl.arange(0, B), total)


@pytest.mark.parametrize("kernel", [carried_offsets, carried_pointers], ids=lambda k: k.__name__)
@pytest.mark.parametrize("stride", [1, 64, 100])
def test_carried_positions(kernel: triton.JITFunction, stride: int) -> None:
    x, o = small("float32", 700), torch.zeros(64)
    kernel[(1,)](x, o, 6, stride, B=64)
    same(o, sum(x[k * stride : k * stride + 64] for k in range(6)))


@triton.jit
def nested(x, o, rows, columns, s, B: tl.constexpr):
    i = tl.arange(0, B)
    for r in range(rows):
        total = tl.zeros((B,), tl.float32)
        for start in range(0, columns, B):
            total += tl.load(x + r * s + start + i, mask=start + i < columns)
        tl.store(o + r, tl.sum(total, 0))


def test_nested_loops() -> None:
    x, o = small("float32", 5, 300), torch.zeros(5)
    nested[(1,)](x, o, 5, 300, 300, B=128)
    same(o, x.sum(1))


@triton.jit
def ranges(o, a, b, s):
    k = 0
    for i in range(a, b, s):
        tl.store(o + k, i)
        k += 1
    tl.store(o + 15, k)


@pytest.mark.parametrize("bounds", [(0, 5, 1), (3, 3, 1), (5, 3, 1), (2, 11, 4), (-4, 3, 2)])
def test_range_is_pythons(bounds: tuple[int, int, int]) -> None:
    o = torch.full((16,), -99, dtype=torch.int32)
    ranges[(1,)](o, *bounds)
    numbers = list(range(*bounds))
    assert o.tolist() == numbers + [-99] * (15 - len(numbers)) + [len(numbers)]


@triton.jit
def backwards(o, n):
    k = 0
    for i in range(n - 1, -1, -1):
        tl.store(o + k, i)
        k += 1  # noqa: SIM113 - kernels have no enumerate


def test_range_downwards() -> None:
    o = torch.zeros(5, dtype=torch.int32)
    backwards[(1,)](o, 5)
    assert o.tolist() == [4, 3, 2, 1, 0]


@triton.jit
def unrolled(o, N: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.zeros((B,), tl.int32)
    for k in tl.static_range(N):
        v += i * k
    tl.store(o + i, v)


def test_static_range() -> None:
    o = torch.zeros(64, dtype=torch.int32)
    unrolled[(1,)](o, N=5, B=64)
    same(o, torch.arange(64, dtype=torch.int32) * 10)


@triton.jit
def collatz(x, o):
    v = tl.load(x + tl.program_id(0))
    steps = 0
    while v > 1:
        if v % 2 == 0:  # noqa: SIM108 - a branch is what is tested
            v = v // 2
        else:
            v = 3 * v + 1
        steps += 1
    tl.store(o + tl.program_id(0), steps)


def test_while() -> None:
    x, o = torch.arange(1, 31, dtype=torch.int32), torch.zeros(30, dtype=torch.int32)
    collatz[(30,)](x, o)

    def steps(v: int) -> int:
        return 0 if v == 1 else 1 + steps(v // 2 if v % 2 == 0 else 3 * v + 1)

    assert o.tolist() == [steps(v) for v in range(1, 31)]


@triton.jit
def newton(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    r = a
    off = tl.max(tl.abs(r * r - a), 0)
    rounds = 0
    while (off > 1e-4) & (rounds < 50):
        r = 0.5 * (r + a / r)
        off = tl.max(tl.abs(r * r - a), 0)
        rounds += 1
    tl.store(o + i, r)


def test_while_with_carried_tensors() -> None:
    x, o = torch.rand(128) + 0.5, torch.zeros(128)
    newton[(1,)](x, o, B=128)
    torch.testing.assert_close(o, x.sqrt(), rtol=1e-4, atol=1e-4)


@triton.jit
def early(x, o, n, B: tl.constexpr):
    row = tl.program_id(0)
    if row >= n:
        return
    i = tl.arange(0, B)
    if tl.load(x + row * B) < 0:
        tl.store(o + row * B + i, tl.zeros((B,), tl.float32))
        return
    tl.store(o + row * B + i, tl.load(x + row * B + i) * 2)


def test_early_return() -> None:
    x, o = sample("float32", 12, 32), torch.full((12, 32), 9.0)
    early[(12,)](x, o, 10, B=32)
    expected = torch.where(x[:, :1] < 0, torch.zeros(()), x * 2)
    same(o[:10], expected[:10])
    assert (o[10:] == 9).all()


@triton.jit
def branch_values(x, o, k, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    w = v
    if k == 0:
        w = v + 1
        s = 1.0
    elif k == 1:
        w = tl.exp(v)
        s = 2.0
    else:
        s = 3.0
    tl.store(o + i, w * s)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_tensors_from_branches(k: int) -> None:
    x, o = torch.rand(256), torch.zeros(256)
    branch_values[(1,)](x, o, k, B=256)
    expected = [(x + 1), x.exp() * 2, x * 3][k]
    torch.testing.assert_close(o, expected, rtol=1e-6, atol=0)


@triton.jit
def branch_in_loop(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for k in range(n):
        v = tl.load(x + k * B + i)
        if k % 2 == 0:
            total += v
        else:
            total -= v * 2
    tl.store(o + i, total)


def test_a_branch_in_a_loop() -> None:
    x, o = small("float32", 7, 128), torch.zeros(128)
    branch_in_loop[(1,)](x, o, 7, B=128)
    same(o, x[0::2].sum(0) - 2 * x[1::2].sum(0))


@triton.jit
def horner(v, a, b, c):
    return scale(scale(v, a, b), v, c)


@triton.jit
def scale(v, a, b):
    return v * a + b


@triton.jit
def pair(v):
    return v + 1, v * 2


@triton.jit
def calls(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    p, q = pair(horner(tl.load(x + i), 2.0, 3.0, 4.0))
    tl.store(o + i, p + q)


def test_functions_call_functions() -> None:
    x, o = small("float32", 64), torch.zeros(64)
    calls[(1,)](x, o, B=64)
    h = (x * 2 + 3) * x + 4
    same(o, h + 1 + h * 2)


@triton.jit(noinline=True)
def apart(v, k):
    return v * k + 1


@triton.jit
def calls_apart(x, o, k, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) + apart(apart(k, k), k))


def test_functions_that_upstream_keeps_apart() -> None:
    x, o = small("int32", 64), torch.zeros(64, dtype=torch.int32)
    calls_apart[(1,)](x, o, 3, B=64)
    same(o, x + 31)


@triton.jit
def returns_early(v, limit):
    if limit < 0:
        return v
    return v + limit


@triton.jit
def calls_with_branches(x, o, k, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, returns_early(tl.load(x + i), k))


@pytest.mark.parametrize("k", [-3, 3])
def test_a_function_with_two_returns(k: int) -> None:
    x, o = small("int32", 64), torch.zeros(64, dtype=torch.int32)
    calls_with_branches[(1,)](x, o, k, B=64)
    same(o, x + max(k, 0))


@triton.jit
def scalars(x, o, a, b):
    p = tl.load(x)
    q = tl.load(x + 1)
    big = p if p > q else q
    tl.store(o, big * a + b)
    tl.store(o + 1, tl.maximum(p, q) - tl.minimum(p, q))
    tl.store(o + 2, tl.where(p > 0, p, -p))
    tl.store(o + 3, (p * q + a) / 2)


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_scalar_arithmetic(name: str) -> None:
    x = torch.tensor([-3.5, 2.25]).to(getattr(torch, name))
    o = torch.zeros(4, dtype=x.dtype)
    scalars[(1,)](x, o, 4, 0.5)
    expected = [2.25 * 4 + 0.5, 5.75, 3.5, (-3.5 * 2.25 + 4) / 2]
    torch.testing.assert_close(o, torch.tensor(expected, dtype=x.dtype))


@triton.jit
def welford(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    count, mean, m2 = tl.zeros((B,), tl.float32), tl.zeros((B,), tl.float32), tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        m = start + i < n
        v = tl.load(x + start + i, mask=m, other=0.0)
        more = tl.where(m, count + 1, count)
        delta = tl.where(m, v - mean, 0.0)
        mean += tl.where(m, delta / tl.maximum(more, 1.0), 0.0)
        m2 += delta * tl.where(m, v - mean, 0.0)
        count = more
    whole = tl.sum(mean * count, 0) / n
    spread = tl.sum(m2 + count * (mean - whole) * (mean - whole), 0) / n
    tl.store(o, whole)
    tl.store(o + 1, spread)


@pytest.mark.parametrize("n", [1, 100, 1000])
def test_three_carried_tensors_of_welford(n: int) -> None:
    x, o = sample("float32", n) + 5, torch.zeros(2)
    welford[(1,)](x, o, n, B=128)
    wide = x.double()
    expected = torch.stack([wide.mean(), wide.var(unbiased=False)])
    torch.testing.assert_close(o.double(), expected, rtol=1e-4, atol=1e-5)


@triton.jit
def carried_reduction(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    best, total = -float("inf"), 0.0
    for start in range(0, n, B):
        v = tl.load(x + start + i, mask=start + i < n, other=-float("inf"))
        new = tl.maximum(best, tl.max(v, 0))
        total = total * tl.exp(best - new) + tl.sum(tl.exp(v - new), 0)
        best = new
    tl.store(o, best + tl.log(total))


def test_carried_scalars_of_an_online_log_sum_exp() -> None:
    x, o = sample("float32", 1000), torch.zeros(1)
    carried_reduction[(1,)](x, o, 1000, B=128)
    torch.testing.assert_close(o.double(), x.double().logsumexp(0)[None], rtol=1e-5, atol=1e-5)


@triton.jit
def carried_matrix(x, o, n, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    at = r[:, None] * C + c[None, :]
    total = tl.zeros((R, C), tl.float32)
    peak = tl.full((R,), -float("inf"), tl.float32)
    for k in range(n):
        v = tl.load(x + k * R * C + at)
        total += v
        peak = tl.maximum(peak, tl.max(v, 1))
    tl.store(o + at, total - peak[:, None])


def test_a_matrix_and_a_column_are_carried() -> None:
    x, o = small("float32", 5, 8, 32), torch.zeros(8, 32)
    carried_matrix[(1,)](x, o, 5, R=8, C=32)
    same(o, x.sum(0) - x.amax((0, 2))[:, None])


@triton.jit
def old_value_after_update(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    for k in range(n):
        b = a * 2
        tl.store(o + k * B + i, a)
        a = b + 1
        tl.store(o + (n + k) * B + i, a)


def test_the_value_before_an_update_is_stored_too() -> None:
    x, o = small("float32", 128), torch.zeros(6, 128)
    old_value_after_update[(1,)](x, o, 3, B=128)
    a, expected = x, []
    for _ in range(3):
        expected.append((a, a * 2 + 1))
        a = a * 2 + 1
    same(o, torch.stack([e[0] for e in expected] + [e[1] for e in expected]))


@triton.jit
def shifted_carry(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    one, two, three = tl.load(x + i), tl.load(x + B + i), tl.load(x + 2 * B + i)
    for _ in range(n):
        one, two, three = two, three, one + two * three
    tl.store(o + i, one)
    tl.store(o + B + i, two)
    tl.store(o + 2 * B + i, three)


def test_three_carried_tensors_rotate() -> None:
    x, o = torch.rand(3, 128), torch.zeros(3, 128)
    shifted_carry[(1,)](x, o, 4, B=128)
    a, b, c = x.double()
    for _ in range(4):
        a, b, c = b, c, a + b * c
    torch.testing.assert_close(o.double(), torch.stack([a, b, c]), rtol=1e-5, atol=1e-6)
