# SPDX-License-Identifier: MIT
"""Where accesses go: pointers that loops and branches carry, wrap-around, rows by index."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, same, small


@triton.jit
def column_sums(x, o, M, N, ld, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    p = x + m[:, None] * ld + n[None, :]
    total = tl.zeros((BN,), tl.float32)
    for s in range(0, tl.cdiv(M, BM)):
        v = tl.load(p, mask=(m[:, None] < M - s * BM) & (n[None, :] < N), other=0)
        total += tl.sum(v.to(tl.float32), 0)
        p += BM * ld
    tl.store(o + n, total, mask=n < N)


@pytest.mark.parametrize("name", ["float32", "float16", "int32", "int8"])
@pytest.mark.parametrize("shape", [(1, 1), (8, 16), (37, 13), (0, 5)])
def test_a_loop_moves_pointers_on(shape: tuple[int, int], name: str) -> None:
    M, N = shape
    x, o = small(name, M * 19, low=1).view(M, 19), guarded(16, "float32")
    column_sums[(1,)](x, o, M, N, 19, BM=8, BN=16)
    check_guard(o, 16)
    same(o[:N], x[:, :N].float().sum(0))


@triton.jit
def copy_by_positions(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for _ in range(0, tl.cdiv(n, B)):
        tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)
        i += B
    tl.store(o + i, i.to(tl.float32))


@pytest.mark.parametrize("n", [0, 1, 16, 37])
def test_a_loop_moves_positions_on(n: int) -> None:
    x, o = torch.randn(64), torch.zeros(80)
    copy_by_positions[(1,)](x, o, n, B=16)
    end = triton.cdiv(n, 16) * 16
    same(o[:n], x[:n])
    same(o[end : end + 16], torch.arange(end, end + 16, dtype=torch.float32))
    assert not o[end + 16 :].any()


@triton.jit
def copy_backwards(x, o, n, B: tl.constexpr):
    p = x + n - B + tl.arange(0, B)
    q = o + (B - 1) - tl.arange(0, B)
    while n > 0:
        tl.store(q, tl.load(p))
        p -= B
        q += B
        n -= B


def test_a_while_loop_moves_pointers_on() -> None:
    x, o = torch.randn(48), torch.zeros(48)
    copy_backwards[(1,)](x, o, 48, B=16)
    same(o, x.flip(0))


@triton.jit
def take_turns(x, y, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    q = y + tl.arange(0, B)
    for _ in range(n):
        tl.store(q, tl.load(p) * 2)
        p, q = q, p


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_buffers_may_take_turns(n: int) -> None:
    x, y = torch.arange(16.0), torch.zeros(16)
    expected = [x.clone(), y.clone()]
    for s in range(n):
        expected[(s + 1) % 2] = expected[s % 2] * 2
    take_turns[(1,)](x, y, n, B=16)
    same(x, expected[0])
    same(y, expected[1])


@triton.jit
def loops_in_loops(x, o, rows, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    q = o + tl.arange(0, B)
    for _ in range(rows):
        for _ in range(n):
            tl.store(q, tl.load(p))
            p += B
            q += B
        p += B


def test_loops_in_loops_share_their_pointers() -> None:
    x, o = torch.randn(3 * 5 * 8), torch.zeros(3 * 4 * 8)
    loops_in_loops[(1,)](x, o, 3, 4, B=8)
    same(o.view(3, 32), x.view(3, 40)[:, :32])


@triton.jit
def chase(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i
    for _ in range(n):
        p = x + tl.load(p)
    tl.store(o + i, tl.load(p))


def test_pointers_may_follow_what_they_read() -> None:
    x, o = torch.randperm(64, dtype=torch.int32), torch.zeros(16, dtype=torch.int32)
    chase[(1,)](x, o, 3, B=16)
    expected = torch.arange(16)
    for _ in range(4):
        expected = x[expected].long()
    same(o, expected.int())


@triton.jit
def by_branch(x, y, o, which, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i
    if which == 1:
        p = y + i * 2
    elif which == 2:
        p = x + 5 + i
    q = tl.where(which == 3, y, x) + i
    tl.store(o + i, tl.load(p) + tl.load(q))


@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_a_branch_chooses_pointers(which: int) -> None:
    x, y, o = torch.randn(64), torch.randn(64), torch.zeros(16)
    by_branch[(1,)](x, y, o, which, B=16)
    first = [x[:16], y[:32:2], x[5:21], x[:16]][which]
    same(o, first + (y if which == 3 else x)[:16])


@triton.jit
def wrapped(x, o, start, n, D, B: tl.constexpr, BD: tl.constexpr):
    i = (start + tl.arange(0, B)) % n
    d = tl.arange(0, BD)
    v = tl.load(x + i[:, None] * D + d[None, :], mask=d[None, :] < D, other=0)
    tl.store(o + tl.arange(0, B)[:, None] * BD + d[None, :], v)
    w = tl.load(x + i)
    tl.store(o + B * BD + tl.arange(0, B), w)


@pytest.mark.parametrize("name", ["float32", "float16", "int64", "int8"])
@pytest.mark.parametrize(("start", "n"), [(0, 16), (0, 5), (3, 40), (30, 40), (39, 40), (7, 1), (100, 23)])
def test_remainders_wrap_around(start: int, n: int, name: str) -> None:
    x = small(name, 40 * 6, low=1)
    o = guarded(16 * 8 + 16, name)
    wrapped[(1,)](x, o, start, n, 6, B=16, BD=8)
    check_guard(o, 16 * 8 + 16)
    i = (start + torch.arange(16)) % n
    same(o[:128].view(16, 8)[:, :6], x.view(40, 6)[i])
    assert not o[:128].view(16, 8)[:, 6:].any()
    same(o[128:144], x[i])


@triton.jit
def transposed_wrap(x, o, start, n, ld, B: tl.constexpr, BK: tl.constexpr):
    i = (start + tl.arange(0, B)) % n
    k = tl.arange(0, BK)
    p = x + i[:, None] + k[None, :] * ld
    total = tl.zeros((B, BK), tl.float32)
    for _ in range(3):
        total += tl.load(p)
        p += BK * ld
    tl.store(o + tl.arange(0, B)[:, None] * BK + k[None, :], total)


@pytest.mark.parametrize(("start", "n"), [(0, 16), (0, 5), (3, 40), (30, 40)])
def test_remainders_wrap_around_in_a_loop(start: int, n: int) -> None:
    x, o = torch.randn(12, 40), torch.zeros(16, 4)
    transposed_wrap[(1,)](x, o, start, n, 40, B=16, BK=4)
    i = (start + torch.arange(16)) % n
    torch.testing.assert_close(o, x[:, i].view(3, 4, 16).sum(0).t())


@triton.jit
def images(x, o, start, W, H, ld, B: tl.constexpr):
    i = start + tl.arange(0, B)
    w = i % W
    h = (i // W) % H
    c = i // (W * H)
    tl.store(o + tl.arange(0, B), tl.load(x + (c * H + h) * ld + w))


@pytest.mark.parametrize(("start", "W", "H"), [(0, 16, 2), (4, 7, 3), (16, 32, 2), (20, 40, 1), (3, 1, 5)])
def test_quotients_and_remainders(start: int, W: int, H: int) -> None:
    ld = W + 3
    x, o = torch.randn(40 * ld * H), torch.zeros(16)
    images[(1,)](x, o, start, W, H, ld, B=16)
    i = start + torch.arange(16)
    same(o, x[(i // (W * H) * H + i // W % H) * ld + i % W])


@triton.jit
def negative_remainder(x, o, start, n, B: tl.constexpr):
    i = (start + tl.arange(0, B)) % n
    tl.store(o + tl.arange(0, B), tl.load(x + i))


def test_remainders_of_negative_numbers_are_negative() -> None:
    x, o = torch.randn(64), torch.zeros(16)
    negative_remainder[(1,)](x[32:], o, -20, 7, B=16)
    same(o, x[32 + torch.arange(-20, -4).fmod(7)])


@triton.jit
def take_rows(x, rows, o, n, D, B: tl.constexpr, BD: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, BD)
    r = tl.load(rows + i, mask=i < n, other=0)
    m = (i[:, None] < n) & (d[None, :] < D)
    v = tl.load(x + r[:, None] * D + d[None, :], mask=m)
    tl.store(o + i[:, None] * D + d[None, :], v, mask=m)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize(("n", "D"), [(1, 1), (16, 32), (21, 19), (5, 31)])
def test_rows_by_index(n: int, D: int, dtype: torch.dtype) -> None:
    x, rows, o = torch.randn(50, D), torch.randint(0, 50, (n,), dtype=dtype), guarded(n * D, "float32")
    take_rows[(triton.cdiv(n, 16),)](x, rows, o, n, D, B=16, BD=32)
    check_guard(o, n * D)
    same(o[: n * D].view(n, D), x[rows.long()])


@triton.jit
def put_rows(x, rows, o, D, B: tl.constexpr, BD: tl.constexpr):
    i = tl.arange(0, B)
    d = tl.arange(0, BD)
    r = tl.load(rows + i)
    p = o + r[:, None] * D + d[None, :]
    m = d[None, :] < D
    tl.store(p, tl.load(x + i[:, None] * D + d[None, :], mask=m) + tl.load(p, mask=m), mask=m)


def test_rows_put_by_index() -> None:
    x, rows, o = torch.randn(16, 19), torch.randperm(50)[:16], torch.randn(50, 19)
    expected = o.clone()
    expected[rows] += x
    put_rows[(1,)](x, rows, o, 19, B=16, BD=32)
    same(o, expected)


@triton.jit
def rows_twice(o, rows, D: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    d = tl.arange(0, D)
    p = o + tl.load(rows + i)[:, None] * D + d[None, :]
    tl.store(p, tl.load(p) + 1)


def test_a_row_named_twice_is_read_before_it_is_written() -> None:
    o = torch.zeros(4, 64)
    rows_twice[(1,)](o, torch.tensor([1, 1, 3, 1]), D=64, B=4)
    expected = torch.zeros(4, 64)
    expected[[1, 3]] = 1
    same(o, expected)


@triton.jit
def columns_by_index(x, columns, o, ld, B: tl.constexpr, BN: tl.constexpr):
    i = tl.arange(0, B)
    n = tl.arange(0, BN)
    c = tl.load(columns + n)
    tl.store(o + i[:, None] * BN + n[None, :], tl.load(x + i[:, None] * ld + c[None, :]))


@pytest.mark.parametrize("name", ["float32", "float16", "float64", "int16", "int8"])
def test_columns_by_index(name: str) -> None:
    x, columns, o = (
        small(name, 8 * 21).view(8, 21),
        torch.randint(0, 21, (16,)),
        small(name, 8 * 16).view(8, 16),
    )
    columns_by_index[(1,)](x, columns, o, 21, B=8, BN=16)
    same(o, x[:, columns])


@triton.jit
def both_by_index(x, rows, columns, o, ld, B: tl.constexpr, BN: tl.constexpr):
    i = tl.arange(0, B)
    n = tl.arange(0, BN)
    r = tl.load(rows + i[:, None])
    c = tl.load(columns + n[None, :])
    tl.store(o + i[:, None] * BN + n[None, :], tl.load(x + r * ld + c))


def test_rows_and_columns_by_index() -> None:
    x, rows, columns = torch.randn(30, 21), torch.randint(0, 30, (8,)), torch.randint(0, 21, (16,))
    o = torch.zeros(8, 16)
    both_by_index[(1,)](x, rows, columns, o, 21, B=8, BN=16)
    same(o, x[rows][:, columns])


@triton.jit
def by_two_dimensions(x, at, o, B: tl.constexpr):
    p = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(o + p, tl.load(x + tl.load(at + p)))


def test_elements_by_index_in_two_dimensions() -> None:
    x, at, o = torch.randn(300), torch.randint(0, 300, (8, 8)), torch.zeros(8, 8)
    by_two_dimensions[(1,)](x, at, o, B=8)
    same(o, x[at])


@triton.jit
def reshaped(x, o, ld, B: tl.constexpr):
    i = (tl.arange(0, B * B) * 3).reshape(B, B)
    j = tl.arange(0, B).reshape(B, 1) * ld + tl.arange(0, B).reshape(1, B)
    at = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(o + at, tl.load(x + i) + tl.load(x + j))


def test_positions_may_be_reshaped() -> None:
    x, o = torch.randn(200), torch.zeros(8, 8)
    reshaped[(1,)](x, o, 21, B=8)
    same(o, x[: 64 * 3 : 3].view(8, 8) + x[: 8 * 21].view(8, 21)[:, :8])


@triton.jit
def product(a, b, c, M, N, K, sam, sak, sbk, sbn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = (tl.program_id(0) * BM + tl.arange(0, BM)) % M
    n = (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    p = a + m[:, None] * sam + k[None, :] * sak
    q = b + k[:, None] * sbk + n[None, :] * sbn
    total = tl.zeros((BM, BN), tl.float32)
    for s in range(0, tl.cdiv(K, BK)):
        x = tl.load(p, mask=k[None, :] < K - s * BK, other=0)
        y = tl.load(q, mask=k[:, None] < K - s * BK, other=0)
        total = tl.dot(x, y, total, input_precision="ieee")
        p += BK * sak
        q += BK * sbk
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    tl.store(c + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


@pytest.mark.parametrize("name", ["float32", "float16"])
@pytest.mark.parametrize("transposed", ["", "a", "b", "ab"])
@pytest.mark.parametrize("shape", [(32, 32, 16), (70, 45, 50), (5, 3, 7), (33, 64, 32)])
def test_products_of_blocks_that_wrap_around(shape: tuple[int, int, int], transposed: str, name: str) -> None:
    M, N, K = shape
    a = small(name, M * K).view(K, M).t() if "a" in transposed else small(name, M * K).view(M, K)
    b = small(name, K * N).view(N, K).t() if "b" in transposed else small(name, K * N).view(K, N)
    c = guarded(M * N, "float32")
    product[(triton.cdiv(M, 32), triton.cdiv(N, 32))](
        a, b, c, M, N, K, *a.stride(), *b.stride(), BM=32, BN=32, BK=16
    )
    check_guard(c, M * N)
    same(c[: M * N].view(M, N), (a.double() @ b.double()).float())
