# SPDX-License-Identifier: MIT
"""Reductions into tensor descriptors: atomic, within bounds, signed and not."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_data import check_guard, guarded, same, small


@triton.jit
def reduce_into(x, o, M, N, m, n, KIND: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    into = tl.make_tensor_descriptor(o, [M, N], [N, 1], [BM, BN])
    rows, columns = tl.arange(0, BM)[:, None], tl.arange(0, BN)[None, :]
    value = tl.load(x + tl.program_id(0) * BM * BN + rows * BN + columns)
    if KIND == "add":
        into.atomic_add([m, n], value)
    elif KIND == "min":
        into.atomic_min([m, n], value)
    elif KIND == "max":
        into.atomic_max([m, n], value)
    elif KIND == "and":
        into.atomic_and([m, n], value)
    elif KIND == "or":
        into.atomic_or([m, n], value)
    else:
        into.atomic_xor([m, n], value)


NUMPY = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@pytest.mark.parametrize("place", [(0, 0), (3, 0), (-5, 16), (6, -3), (100, 0)])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("add", "int32"),
        ("add", "uint64"),
        ("min", "int32"),
        ("max", "int64"),
        ("min", "uint32"),
        ("max", "uint32"),
        ("min", "uint64"),
        ("and", "uint32"),
        ("or", "int64"),
        ("xor", "int32"),
    ],
)
def test_whole_numbers(kind: str, name: str, place: tuple[int, int]) -> None:
    rows, columns, programs = 9, 20, 5
    dice = np.random.default_rng(1)
    limits = np.iinfo(name)
    x = dice.integers(limits.min, limits.max, (programs, 8, 16), dtype=name, endpoint=True)
    o = dice.integers(limits.min, limits.max, (rows, columns), dtype=name, endpoint=True)
    expected = o.copy()
    m, n = place
    for i in range(8):
        for j in range(16):
            if 0 <= m + i < rows and 0 <= n + j < columns:
                for program in range(programs):
                    expected[m + i, n + j] = NUMPY[kind](expected[m + i, n + j], x[program, i, j])
    reduce_into[(programs,)](x, o, rows, columns, m, n, KIND=kind, BM=8, BN=16)
    np.testing.assert_array_equal(o, expected)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_sums_of_floats(name: str) -> None:
    rows, columns, programs = 5, 24, 7
    x = small(name, programs, 8, 16)
    o = guarded(rows * columns, name)
    o[: rows * columns] = 1
    reduce_into[(programs,)](x, o, rows, columns, 1, 8, KIND="add", BM=8, BN=16)
    check_guard(o, rows * columns)
    expected = torch.ones(rows, columns, dtype=torch.float64)
    expected[1:, 8:] += x.double().sum(0)[:4]
    same(o[: rows * columns].view(rows, columns).double(), expected)


@triton.jit
def histogram_rows(x, o, n, B: tl.constexpr):
    into = tl.make_tensor_descriptor(o, [4, 16], [16, 1], [1, 16])
    into.atomic_add([tl.load(x + tl.program_id(0)), 0], tl.full([1, 16], 1, tl.int32))


def test_rows_chosen_at_run_time_are_counted_by_many_programs() -> None:
    x = torch.randint(-1, 5, (1000,), dtype=torch.int32)
    o = torch.zeros(4, 16, dtype=torch.int32)
    histogram_rows[(1000,)](x, o, 1000, B=16)
    expected = torch.stack([(x == row).sum() for row in range(4)]).int()
    assert torch.equal(o, expected[:, None].expand(4, 16))
