# SPDX-License-Identifier: MIT
"""Functions: never inlined ones, several results, early returns, tensors that loops rotate; mapped regions."""

from __future__ import annotations

import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit(noinline=True)
def pick(v, n):
    if n > 3:
        return v * 2, n + 1
    else:
        if n < 0:
            return v - 1, n
    return v, n * 10


@triton.jit
def call_in_loop(x, o, n):
    total = 0
    sum_of_second = 0
    for j in range(n):
        v, m = pick(tl.load(x + j), j - 1)
        total += v
        sum_of_second += m
    tl.store(o, total)
    tl.store(o + 1, sum_of_second)


def test_a_function_of_early_returns_that_is_never_inlined_within_a_loop() -> None:
    x, o = np.arange(5, 17, dtype=np.int32), np.zeros(2, np.int32)
    call_in_loop[(1,)](x, o, 12)
    both = [
        (v * 2, n + 1) if n > 3 else (v - 1, n) if n < 0 else (v, n * 10)
        for v, n in zip(x, range(-1, 11), strict=True)
    ]
    assert o.tolist() == [sum(v for v, _ in both), sum(m for _, m in both)]


@triton.jit
def early(x, n):
    if n == 0:
        return
    if n > 5:
        if n > 7:
            tl.store(x, 100)
            return
        tl.store(x, 50)
    else:
        return
    tl.store(x + 1, n)


@triton.jit
def early_kernel(x, n):
    if n == 3:
        return
    early(x, n)
    tl.store(x + 2, 1)


@pytest.mark.parametrize("n", range(10))
def test_returns_from_nested_branches(n: int) -> None:
    x = np.zeros(3, np.int32)
    early_kernel[(1,)](x, n)
    inner = [100, 0] if n > 7 else [50, n] if n > 5 else [0, 0]
    assert x.tolist() == ([0, 0, 0] if n == 3 else [*inner, 1])


@triton.jit
def split_block(v, flag):
    if flag > 0:
        return v * 2.0, tl.sum(v, 0)
    return v, tl.max(v, 0)


@triton.jit
def blocks_in_loop(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    block = tl.load(x + i)
    total = 0.0
    for j in range(n):
        block, number = split_block(block, j % 2)
        total += number
    tl.store(o + i, block)
    tl.store(o + B, total)


@pytest.mark.parametrize("n", [0, 1, 4, 7])
def test_a_function_gives_a_block_and_a_number(n: int) -> None:
    x, o = np.arange(64, dtype=np.float32) - 20, np.zeros(65, np.float32)
    blocks_in_loop[(1,)](x, o, n, B=64)
    block, total = x.copy(), 0.0
    for j in range(n):
        total += block.sum() if j % 2 else block.max()
        block = block * 2 if j % 2 else block
    np.testing.assert_array_equal(o, np.append(block, np.float32(total)))


@triton.jit
def fibonacci(v, n):
    a = v
    b = v + 1
    for _ in range(n):
        a, b = b, a + b
    return a, b


@triton.jit
def rotated(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = fibonacci(tl.load(x + i), n)
    tl.store(o + i, a)
    tl.store(o + B + i, b)


@pytest.mark.parametrize("B", [16, 512, 65536])
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_a_loop_that_rotates_two_blocks(n: int, B: int) -> None:
    x, o = np.arange(B, dtype=np.int64), np.zeros(2 * B, np.int64)
    rotated[(1,)](x, o, n, B=B)
    a, b = x, x + 1
    for _ in range(n):
        a, b = b, a + b
    np.testing.assert_array_equal(o, np.concatenate([a, b]))


@triton.jit
def three_in_a_ring(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = a + 1
    c = a * 2
    left = n + 0 * tl.program_id(0)
    while left > 0:
        a, b, c = b, c, a + b - c
        for _ in range(left % 3):
            a, b = b, a
        left -= 1
    tl.store(o + i, a)
    tl.store(o + B + i, b)
    tl.store(o + 2 * B + i, c)


@pytest.mark.parametrize("B", [32, 4096])
@pytest.mark.parametrize("n", [0, 1, 5, 8])
def test_loops_in_loops_that_rotate_three_blocks(n: int, B: int) -> None:
    x, o = np.arange(B, dtype=np.int64), np.zeros(3 * B, np.int64)
    three_in_a_ring[(1,)](x, o, n, B=B)
    a, b, c = x, x + 1, x * 2
    while n > 0:
        a, b, c = b, c, a + b - c
        for _ in range(n % 3):
            a, b = b, a
        n -= 1
    np.testing.assert_array_equal(o, np.concatenate([a, b, c]))


@triton.jit
def while_block(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    c = 0
    while tl.sum(v, 0) < 1000:
        v = v * 2 + 1
        c += 1
    tl.store(o + i, v)
    tl.store(o + B, c)


def test_a_while_loop_carries_a_block() -> None:
    x, o = np.arange(16, dtype=np.float32), np.zeros(17, np.float32)
    while_block[(1,)](x, o, B=16)
    v, c = x, 0
    while v.sum() < 1000:
        v, c = v * 2 + 1, c + 1
    np.testing.assert_array_equal(o, np.append(v, c))


@triton.jit
def itself(n):
    if n > 0:
        return itself(n - 1) + 1
    return n


@triton.jit
def recursive(o, n):
    tl.store(o, itself(n))


def test_recursion_is_refused_by_the_front_end() -> None:
    with pytest.raises(triton.CompilationError, match="recursive"):
        recursive[(1,)](np.zeros(1, np.int32), 5)


@triton.jit
def hints_of_the_language(x, o, n, B: tl.constexpr):
    tl.assume(n > 0)
    n = tl.multiple_of(n, 4)
    i = tl.max_contiguous(tl.multiple_of(tl.arange(0, B), B), B)
    size = tl.num_programs(0) * 100 + tl.num_programs(1) * 10 + tl.num_programs(2)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=0) + size)


def test_the_grid_s_sizes_and_what_the_user_promises() -> None:
    x, o = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    hints_of_the_language[(2, 3, 4)](x, o, 8, B=16)
    np.testing.assert_array_equal(o, np.where(np.arange(16) < 8, x, 0) + 234)


@triton.jit
def ordering(a, b):
    if a < b:
        return -1
    elif a == b:
        return 0
    else:
        return 1


@triton.jit
def collatz(a):
    steps = 0
    while a > 1:
        if a % 2 == 0:  # noqa: SIM108 - a branch is what is tested
            a = a // 2
        else:
            a = 3 * a + 1
        steps += 1
    return steps


@triton.jit
def both_ways(a, b):
    return a + b, a - b


@triton.jit
def swap_pairs(a0, a1):
    return a1 * 10, a0


@triton.jit
def map_two(a, b, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.map_elementwise(ordering, tl.load(a + i, mask=i < n, other=1), tl.load(b + i, mask=i < n, other=1))
    tl.store(o + i, v, mask=i < n)


@triton.jit
def map_one(a, o, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    tl.store(o + at, tl.map_elementwise(collatz, tl.load(a + at)))


@triton.jit
def map_to_two(a, b, o, B: tl.constexpr):
    i = tl.arange(0, B)
    s, d = tl.map_elementwise(both_ways, tl.load(a + i), tl.load(b + i))
    tl.store(o + i, s)
    tl.store(o + B + i, d)


@triton.jit
def map_packed(a, o, B: tl.constexpr):
    i = tl.arange(0, B)
    (swapped,) = tl.map_elementwise(swap_pairs, tl.load(a + i), pack=2)
    tl.store(o + i, swapped)


@pytest.mark.parametrize("n", [1, 100, 1000])
def test_a_mapped_function_with_branches(n: int) -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 5, (2, 1000)).astype(np.int32)
    o = np.full(1000, 7, np.int32)
    made = map_two[(4,)](a, b, o, n, B=256)
    np.testing.assert_array_equal(o, np.where(np.arange(1000) < n, np.sign(a - b), 7))
    assert "scf.for" not in str(made.asm["linalg"])  # computed as a block


def test_a_mapped_function_with_a_loop_runs_element_by_element() -> None:
    def steps(a: int) -> int:
        return 0 if a <= 1 else 1 + steps(a // 2 if a % 2 == 0 else 3 * a + 1)

    a, o = np.arange(1, 65, dtype=np.int32).reshape(4, 16), np.zeros((4, 16), np.int32)
    map_one[(1,)](a, o, R=4, C=16)
    np.testing.assert_array_equal(o.ravel(), [steps(int(each)) for each in a.ravel()])


@pytest.mark.parametrize("name", ["int32", "float32", "float64"])
def test_a_mapped_function_with_two_results(name: str) -> None:
    a, b, o = np.arange(64).astype(name), np.arange(64)[::-1].astype(name).copy(), np.zeros(128, name)
    map_to_two[(1,)](a, b, o, B=64)
    np.testing.assert_array_equal(o, np.concatenate([a + b, a - b]))


def test_a_mapped_function_of_two_elements_at_once() -> None:
    a, o = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    map_packed[(1,)](a, o, B=32)
    expected = np.stack([a[1::2] * 10, a[::2]], 1).ravel()
    np.testing.assert_array_equal(o, expected)
