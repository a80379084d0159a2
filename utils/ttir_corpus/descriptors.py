# SPDX-License-Identifier: MIT
"""Tensor descriptors: made in the kernel or passed in, load, store, reduce, gather, scatter."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case("x:*fp16 out:*fp16 M:i32 N:i32", aligned="x out N", constants={"BM": 32, "BN": 64}, locations=True)
@triton.jit
def descriptor_copy(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    dst = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    om, on = tl.program_id(0) * BM, tl.program_id(1) * BN
    dst.store([om, on], src.load([om, on]) * 2)


@case("x:*fp32 out:*fp32 M:i32 N:i32", constants={"BM": 8, "BN": 32})
@triton.jit
def descriptor_nan_padding(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(
        x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN], padding_option="nan"
    )
    tile = src.load([tl.program_id(0) * BM, 0])
    tl.store(out + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], tile)


@case("desc:tensordesc<fp32[16,64]> x:*fp32 i:i32", constants={"BM": 16, "BN": 64})
@triton.jit
def descriptor_reduce(desc, x, i, BM: tl.constexpr, BN: tl.constexpr):
    tile = tl.load(x + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :])
    desc.atomic_add([i, 0], tile + desc.load([i, 0]))


@case("desc:tensordesc<i32[16,64]> x:*i32 i:i32", constants={"BM": 16, "BN": 64})
@triton.jit
def descriptor_reduce_kinds(desc, x, i, BM: tl.constexpr, BN: tl.constexpr):
    tile = tl.load(x + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :])
    desc.atomic_min([i, 0], tile)
    desc.atomic_max([i, 0], tile)
    desc.atomic_and([i, 0], tile)
    desc.atomic_or([i, 0], tile)
    desc.atomic_xor([i, 0], tile)


@case("rows:tensordesc<bf16[1,64]> index:*i32 col:i32", constants={"N": 32})
@triton.jit
def descriptor_gather_scatter(rows, index, col, N: tl.constexpr):
    which = tl.load(index + tl.arange(0, N))
    tile = rows.gather(which, col)
    rows.scatter(tile + 1.0, which, col + 64)


@case("x:*bf16 out:*bf16 B:i32 M:i32 N:i32", constants={"BM": 16, "BN": 32})
@triton.jit
def descriptor_ranks(x, out, B, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x, shape=[B, M, N], strides=[M * N, N, 1], block_shape=[1, BM, BN])
    dst = tl.make_tensor_descriptor(out, shape=[B * M * N], strides=[1], block_shape=[BM * BN])
    tile = src.load([tl.program_id(2), tl.program_id(0) * BM, tl.program_id(1) * BN])
    dst.store([tl.program_id(0) * BM * BN], tile.reshape(BM * BN))
