# SPDX-License-Identifier: MIT
"""Products of which only a part is stored, or is no padding: right results, and nothing read outside of matrices."""

from __future__ import annotations

import ctypes
import mmap

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, small

PAGE = mmap.PAGESIZE
NO_ACCESS = 0  # PROT_NONE


@pytest.fixture
def walled():
    """A function that copies a tensor to where no page follows its last element, nor goes before its first page."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    walls = []

    def copy(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.numel() == 0:
            return tensor
        size = tensor.numel() * tensor.element_size()
        pages = -(-size // PAGE)
        memory = mmap.mmap(-1, (pages + 2) * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        for wall in (start, start + (pages + 1) * PAGE):
            assert libc.mprotect(wall, PAGE, NO_ACCESS) == 0
            walls.append(wall)
        where = torch.frombuffer(
            memory, dtype=tensor.dtype, count=tensor.numel(), offset=(pages + 1) * PAGE - size
        )
        return where.view(tensor.shape).copy_(tensor)

    yield copy
    for wall in walls:
        libc.mprotect(wall, PAGE, mmap.PROT_READ | mmap.PROT_WRITE)


@triton.jit
def masked(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        right = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(left, right, acc, input_precision="ieee")
    tl.store(
        c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N)
    )


@triton.jit
def wrapped(a, b, c, M, N, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = (tl.program_id(0) * BM + tl.arange(0, BM)) % M
    n = (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    left = a + m[:, None] * sa + k[None, :]
    right = b + k[:, None] * sb + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        inside = K - step * BK
        x = tl.load(left, mask=k[None, :] < inside, other=0.0)
        y = tl.load(right, mask=k[:, None] < inside, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
        left += BK
        right += BK * sb
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    tl.store(
        c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N)
    )


SIZES = [
    (1, 1, 1),
    (3, 70, 31),
    (33, 65, 64),
    (64, 64, 96),
    (65, 17, 97),
    (100, 130, 5),
    (7, 64, 0),
    (64, 1, 129),
]


@pytest.mark.parametrize(
    ("depth", "name"), [(16, "float32"), (32, "float32"), (32, "bfloat16"), (64, "float16")]
)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kernel", [masked, wrapped])
def test_nothing_is_read_outside(walled, kernel, size: tuple[int, int, int], depth: int, name: str) -> None:
    m, n, k = size
    a, b = walled(small(name, m, k)), walled(small(name, k, n))
    c = guarded(m * n, "float32")
    strides = () if kernel is masked else (k, n)
    kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](a, b, c, m, n, k, *strides, BM=64, BN=64, BK=depth)
    check_guard(c, m * n)
    assert torch.equal(c[: m * n].view(m, n).double(), a.double() @ b.double())


@triton.jit
def unmasked(a, b, c, K, LIMIT, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, k = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, LIMIT, BK):
        left = tl.load(a + m[:, None] * K + start + k[None, :])
        right = tl.load(b + (start + k[:, None]) * BN + n[None, :])
        acc += tl.dot(left, right, input_precision="ieee")
    tl.store(c + m[:, None] * BN + n[None, :], acc)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("short", [False, True])
def test_a_loop_ends_where_it_says(walled, steps: int, short: bool) -> None:
    """Blocks are whole; with `short` the matrices go on behind the loop's end."""
    k = steps * 16
    length = k + 40 if short else k
    a, b = walled(small("float32", 32, length)), walled(small("float32", length, 16))
    c = torch.full((32, 16), -1.0)
    unmasked[(1,)](a, b, c, length, k, BM=32, BN=16, BK=16)
    assert torch.equal(c.double(), a[:, :k].double() @ b[:k].double())


@triton.jit
def padded_with_ones(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(a + m[:, None] * K + k[None, :], mask=k[None, :] < K, other=1.0)
        right = tl.load(b + k[:, None] * BN + n[None, :], mask=k[:, None] < K, other=1.0)
        acc = tl.dot(left, right, acc, input_precision="ieee")
    tl.store(c + m[:, None] * BN + n[None, :], acc)


@pytest.mark.parametrize("k", [5, 16, 20, 50])
def test_padding_that_counts_is_counted(k: int) -> None:
    a, b, c = small("float32", 16, k), small("float32", k, 16), torch.full((16, 16), -1.0)
    padded_with_ones[(1,)](a, b, c, k, BM=16, BN=16, BK=16)
    assert torch.equal(c.double(), a.double() @ b.double() + (-k % 16))


@triton.jit
def padded_on_one_side(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, k = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    left = tl.load(a + m[:, None] * BK + k[None, :], mask=k[None, :] < K, other=0.0)
    right = tl.load(b + k[:, None] * BN + n[None, :])
    tl.store(c + m[:, None] * BN + n[None, :], tl.dot(left, right, input_precision="ieee"))


def test_zero_times_infinity_is_no_number() -> None:
    a, b, c = small("float32", 16, 16), small("float32", 16, 16), torch.zeros(16, 16)
    b[12, 3] = float("inf")
    padded_on_one_side[(1,)](a, b, c, 10, BM=16, BN=16, BK=16)
    assert torch.isnan(c[:, 3]).all()
    assert not torch.isnan(c[:, 4:]).any()


@triton.jit
def row_sums(a, b, c, sums, M, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    left = tl.load(a + m[:, None] * BN + n[None, :], mask=m[:, None] < M, other=0.0)
    result = tl.dot(left, tl.load(b + n[:, None] * BN + n[None, :]), input_precision="ieee")
    tl.store(c + m[:, None] * BN + n[None, :], result, mask=m[:, None] < M)
    tl.store(sums + n, tl.sum(result, 0))


def test_rows_that_are_not_stored_and_are_asked_for() -> None:
    a, b, c, sums = (
        small("float32", 10, 16),
        small("float32", 16, 16),
        guarded(160, "float32"),
        torch.zeros(16),
    )
    row_sums[(1,)](a, b, c, sums, 10, BM=16, BN=16)
    check_guard(c, 160)
    expected = a.double() @ b.double()
    assert torch.equal(c[:160].view(10, 16).double(), expected)
    assert torch.equal(sums.double(), expected.sum(0))


@triton.jit
def stored_twice(a, b, c, d, M, L, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    left = tl.load(a + m[:, None] * BN + n[None, :])
    result = tl.dot(left, tl.load(b + n[:, None] * BN + n[None, :]), input_precision="ieee")
    tl.store(c + m[:, None] * BN + n[None, :], result, mask=m[:, None] < M)
    tl.store(d + m[:, None] * BN + n[None, :], result * 2, mask=m[:, None] < L)


@pytest.mark.parametrize(("first", "second"), [(3, 16), (16, 3), (5, 5), (0, 1)])
def test_each_store_gets_its_rows(first: int, second: int) -> None:
    a, b = small("float32", 16, 16), small("float32", 16, 16)
    c, d = guarded(first * 16, "float32"), guarded(second * 16, "float32")
    stored_twice[(1,)](a, b, c, d, first, second, BM=16, BN=16)
    check_guard(c, first * 16)
    check_guard(d, second * 16)
    expected = a.double() @ b.double()
    assert torch.equal(c[: first * 16].view(first, 16).double(), expected[:first])
    assert torch.equal(d[: second * 16].view(second, 16).double(), 2 * expected[:second])


@triton.jit
def negative_start(a, b, c, M, START, BM: tl.constexpr, BN: tl.constexpr):
    rows = START + tl.arange(0, BM)
    n = tl.arange(0, BN)
    left = tl.load(a + (rows % M)[:, None] * BN + n[None, :])
    result = tl.dot(left, tl.load(b + n[:, None] * BN + n[None, :]), input_precision="ieee")
    tl.store(c + tl.arange(0, BM)[:, None] * BN + n[None, :], result, mask=rows[:, None] < M)


@pytest.mark.parametrize("start", [-4, 0, 4, 12])
def test_remainders_of_negative_rows(start: int) -> None:
    """`%` takes the sign of what is divided: rows before the first one are read where they are."""
    memory = small("float32", 40, 16)
    a, b, c = memory[16:], small("float32", 16, 16), torch.full((16, 16), -7.0)
    negative_start[(1,)](a, b, c, 12, start, BM=16, BN=16)
    for i in range(16):
        row = start + i
        if row >= 12:
            assert (c[i] == -7).all()
            continue
        at = 16 + (-((-row) % 12) if row < 0 else row)
        assert torch.equal(c[i].double(), memory[at].double() @ b.double())
