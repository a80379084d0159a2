# SPDX-License-Identifier: MIT
"""Every program of a grid runs once, with its own ids."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import same


@triton.jit
def ids(o):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    nx, ny = tl.num_programs(0), tl.num_programs(1)
    at = o + ((z * ny + y) * nx + x) * 4
    tl.store(at, tl.load(at) + 1)
    tl.store(at + 1, x)
    tl.store(at + 2, y)
    tl.store(at + 3, z)


@pytest.mark.parametrize(
    "grid", [(1,), (7,), (3, 5), (1, 9), (2, 3, 4), (1, 1, 11), (65536,), (300, 301), (7, 1, 10000)]
)
def test_ids(grid: tuple[int, ...]) -> None:
    nx, ny, nz = (*grid, 1, 1)[:3]
    o = torch.zeros(nz, ny, nx, 4, dtype=torch.int32)
    ids[grid](o)
    assert (o[..., 0] == 1).all(), "a program ran not at all or twice"
    z, y, x = torch.meshgrid(torch.arange(nz), torch.arange(ny), torch.arange(nx), indexing="ij")
    same(o[..., 1:], torch.stack([x, y, z], -1).to(torch.int32))


@triton.jit
def sizes(o):
    tl.store(o, tl.num_programs(0))
    tl.store(o + 1, tl.num_programs(1))
    tl.store(o + 2, tl.num_programs(2))


def test_num_programs() -> None:
    o = torch.zeros(3, dtype=torch.int32)
    sizes[(3, 4, 5)](o)
    assert o.tolist() == [3, 4, 5]


@triton.jit
def grid_stride(x, o, n, B: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, B), tl.num_programs(0)):
        i = block * B + tl.arange(0, B)
        tl.store(o + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@pytest.mark.parametrize("programs", [1, 3, 16, 100])
def test_a_grid_stride_loop(programs: int) -> None:
    x, o = torch.rand(5001), torch.zeros(5001)
    grid_stride[(programs,)](x, o, 5001, B=256)
    same(o, x * 2)


@pytest.mark.parametrize("grid", [(0,), (0, 5), (5, 0), (2, 2, 0)])
def test_an_empty_grid_runs_nothing(grid: tuple[int, ...]) -> None:
    o = torch.zeros(16, dtype=torch.int32)
    ids[grid](o)
    assert not o.any()
