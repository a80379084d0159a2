# SPDX-License-Identifier: MIT
"""Changes of shape: transpose, reshape, join, split, interleave, concatenate, permute, flip, broadcast."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case("x:*fp32 out:*fp32 M:i32 N:i32", aligned="x out M N", constants={"BM": 32, "BN": 64})
@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (om[:, None] < M) & (on[None, :] < N)
    tile = tl.load(x + om[:, None] * N + on[None, :], mask=mask)
    tl.store(out + on[:, None] * M + om[None, :], tl.trans(tile), mask=tl.trans(mask))


@case("x:*fp32 y:*fp32 out:*fp32", constants={"N": 64})
@triton.jit
def shape_changes(x, y, out, N: tl.constexpr):
    o = tl.arange(0, N)
    a, b = tl.load(x + o), tl.load(y + o)
    pair = tl.join(a, b)
    left, right = tl.split(pair)
    woven = tl.interleave(left, right)
    both = tl.cat(a, b, can_reorder=True)
    cube = tl.permute(tl.reshape(woven, (8, 4, N // 16)), (2, 0, 1))
    flat = tl.ravel(cube) + both
    flipped = tl.flip(flat, 0)
    wide = tl.broadcast_to(a[None, :], (2, N)).reshape(2 * N)
    tl.store(out + tl.arange(0, 2 * N), flipped + wide + tl.view(flat, (2 * N,)))


@case("x:*fp32 out:*fp32")
@triton.jit
def one_element(x, out):
    one = tl.load(x + tl.arange(0, 1))
    scalar = tl.sum(one, 0)
    a, b = tl.split(tl.load(x + tl.arange(0, 2)))
    tl.store(out, scalar + a + b)
    tl.store(out + tl.arange(0, 1), tl.full((1,), 3.5, tl.float32) + one)
    tl.store(out + tl.zeros((4, 4), tl.int32), tl.full((4, 4), 0.25, tl.float32))


@case("x:*i32 out:*i32")
@triton.jit
def scalar_from_tensor(x, out):
    one = tl.load(x + tl.arange(0, 1))
    tl.store(out, one.item())
