# SPDX-License-Identifier: MIT
"""Two arguments that lie in one another: a block is read as a whole before any of it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def twice_and_sum(x, o, total, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(o + i, v * 2, mask=i < n)
    tl.store(total, tl.sum(v, 0))


@triton.jit
def copy_rows(x, o, x_stride, o_stride, n, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    tl.store(o + r * o_stride + c, tl.load(x + r * x_stride + c, mask=c < n), mask=c < n)


@triton.jit
def reversed_copy(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + B - 1 - i))


@triton.jit
def add_atomically(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(o + i, tl.load(x + i), sem="relaxed")


def launcher_of(kernel: Any) -> Any:
    """The launcher of the one compiled variant of `kernel` that upstream holds."""
    return next(iter(kernel.device_caches.values()))[0].popitem()[1].run


@pytest.mark.parametrize("name", ["float32", "int8", "float64"])
@pytest.mark.parametrize("shift", [-700, -64, -16, -3, -1, 0, 1, 2, 15, 16, 17, 300, 1000, 1024])
def test_a_shifted_copy_moves_the_values_from_before(shift: int, name: str) -> None:
    memory = (np.arange(4096) % 113).astype(name)
    expected = memory.copy()
    expected[1500 + shift : 2500 + shift] = memory[1500:2500]
    copy[(1,)](memory[1500:], memory[1500 + shift :], 1000, B=1024)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("shift", [-5, 0, 5, 2000])
def test_tensors_of_torch_and_a_value_that_is_used_twice(shift: int) -> None:
    memory = torch.arange(6000, dtype=torch.int64)
    expected, total = memory.clone(), torch.zeros(1, dtype=torch.int64)
    expected[2000 + shift : 3000 + shift] = memory[2000:3000] * 2
    right = memory[2000:3000].sum()
    twice_and_sum[(1,)](memory[2000:], memory[2000 + shift :], total, 1000, B=1024)
    assert torch.equal(memory, expected) and total.item() == right.item()


@pytest.mark.parametrize("shift", [-40, -8, 0, 1, 8, 24, 2000])
@pytest.mark.parametrize("strides", [(64, 64), (64, 70), (30, 30)])
def test_rows_whose_strides_the_launch_gives(strides: tuple[int, int], shift: int) -> None:
    x_stride, o_stride = strides
    memory = np.arange(8000, dtype=np.float32)
    expected = memory.copy()
    rows = [memory[1000 + r * x_stride :][:30].copy() for r in range(16)]
    for r in range(16):
        expected[1000 + shift + r * o_stride :][:30] = rows[r]
    copy_rows[(1,)](
        memory[1000:3000], memory[1000 + shift : 3000 + shift], x_stride, o_stride, 30, R=16, C=32
    )
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("shift", [-100, -1, 0, 1, 100, 256])
def test_a_reversal_into_what_it_reads(shift: int) -> None:
    memory = np.arange(1024, dtype=np.int32)
    expected = memory.copy()
    expected[300 + shift : 556 + shift] = memory[300:556][::-1]
    reversed_copy[(1,)](memory[300:556], memory[300 + shift : 556 + shift], B=256)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("shift", [0, 1, 7, 256])
def test_an_atomic_update_of_what_it_reads(shift: int) -> None:
    memory = np.arange(1024, dtype=np.int32)
    expected = memory.copy()
    expected[shift : 256 + shift] += memory[:256]
    add_atomically[(1,)](memory, memory[shift:], B=256)
    np.testing.assert_array_equal(memory, expected)


def test_only_launches_that_overlap_compile_careful_code() -> None:
    memory = np.zeros(4096, np.float32)
    copy.device_caches.clear()
    copy[(1,)](memory, np.zeros(1000, np.float32), 1000, B=1024)
    launcher = launcher_of(copy)
    assert launcher._bounded and not launcher._unbounded
    copy.device_caches.clear()
    copy[(1,)](memory, memory[1024:], 1000, B=1024)  # side by side
    copy[(1,)](memory, memory, 1000, B=1024)  # the same elements
    launcher = launcher_of(copy)
    assert launcher._careful is None
    copy.device_caches.clear()
    copy[(1,)](memory, memory[16:], 1000, B=1024)
    assert launcher_of(copy)._careful is not None


def test_an_expanded_tensor_is_one_element() -> None:
    source, o = torch.tensor([3.0]), torch.zeros(64, 64)
    copy_rows[(1,)](source.expand(64, 64), o, 0, 64, 1, R=64, C=64)
    assert (o[:, 0] == 3).all() and not o[:, 1:].any()
    # Part of what is written.
    copy_rows[(1,)](o[5:6, 0].expand(64, 64), o, 0, 64, 1, R=64, C=64)
    assert (o[:, 0] == 3).all()
