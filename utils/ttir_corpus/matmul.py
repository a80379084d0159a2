# SPDX-License-Identifier: MIT
"""Matrix products: grouped order, batched, several input precisions, scaled (microscaling) operands."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case

_TILE = {"BM": 64, "BN": 64, "BK": 32}


@case(
    "a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32 K:i32 sam:i32 sak:i32 sbk:i32 sbn:i32 scm:i32 scn:i32",
    aligned="a b c M N K sam sbk scm",
    constants={**_TILE, "GROUP": 8},
)
@triton.jit
def matmul(
    a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(axis=0)
    rows, cols = tl.cdiv(M, BM), tl.cdiv(N, BN)
    per_group = GROUP * cols
    first = (pid // per_group) * GROUP
    height = min(rows - first, GROUP)
    pid_m = first + ((pid % per_group) % height)
    pid_n = (pid % per_group) // height
    tl.assume(pid_m >= 0)
    tl.assume(pid_n >= 0)
    offs_m = (pid_m * BM + tl.arange(0, BM)) % M
    offs_n = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a + (offs_m[:, None] * sam + offs_k[None, :] * sak)
    b_ptrs = b + (offs_k[:, None] * sbk + offs_n[None, :] * sbn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        y = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    acc = tl.where(acc >= 0, acc, 0.01 * acc)
    om = pid_m * BM + tl.arange(0, BM)
    on = pid_n * BN + tl.arange(0, BN)
    tl.store(
        c + scm * om[:, None] + scn * on[None, :],
        acc.to(tl.float16),
        mask=(om[:, None] < M) & (on[None, :] < N),
    )


@case(
    "a:*fp32 b:*fp32 c:*fp32 M:i32 N:i32 K:i32",
    aligned="a b c",
    constants={"BB": 2, "BM": 32, "BN": 32, "BK": 16},
)
@triton.jit
def batched_matmul(a, b, c, M, N, K, BB: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    ob = tl.program_id(2) * BB + tl.arange(0, BB)[:, None, None]
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    acc = tl.zeros((BB, BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + ob * M * K + om[None, :, None] * K + (k + ok)[None, None, :])
        y = tl.load(b + ob * K * N + (k + ok)[None, :, None] * N + on[None, None, :])
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + ob * M * N + om[None, :, None] * N + on[None, None, :], acc)


@case("a:*i8 b:*i8 x:*fp32 y:*fp32 p:*fp8e5 q:*fp8e5 c:*fp32", constants={"N": 32})
@triton.jit
def dot_precisions(a, b, x, y, p, q, c, N: tl.constexpr):
    o = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    integer = tl.dot(tl.load(a + o), tl.load(b + o))
    f, g = tl.load(x + o), tl.load(y + o)
    total = tl.dot(f, g) + tl.dot(f, g, input_precision="tf32x3") + tl.dot(f, g, input_precision="ieee")
    total += tl.dot(tl.load(p + o), tl.load(q + o), max_num_imprecise_acc=16)
    total += tl.dot(f, g, input_precision="bf16x3") + tl.dot(f, g, input_precision="bf16x6")
    half = tl.dot(f.to(tl.float16), g.to(tl.float16), out_dtype=tl.float16)
    tl.store(c + o, total + integer.to(tl.float32) + half)


@case("a:*u8 sa:*u8 b:*fp8e5 sb:*u8 c:*fp32", constants={"M": 128, "N": 128, "K": 64})
@triton.jit
def scaled_matmul(a, sa, b, sb, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    om, on, ok = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    packed = tl.arange(0, K // 2)
    groups = tl.arange(0, K // 32)
    x = tl.load(a + om[:, None] * (K // 2) + packed[None, :])
    y = tl.load(b + ok[:, None] * N + on[None, :])
    scale_x = tl.load(sa + om[:, None] * (K // 32) + groups[None, :])
    scale_y = tl.load(sb + on[:, None] * (K // 32) + groups[None, :])
    acc = tl.dot_scaled(x, scale_x, "e2m1", y, scale_y, "e5m2")
    acc = tl.dot_scaled(x, scale_x, "e2m1", y, None, "e5m2", acc=acc, fast_math=True)
    tl.store(c + om[:, None] * N + on[None, :], acc)


@case("a:*u8 b:*bf16 c:*fp32", constants={"M": 64, "N": 64, "K": 64})
@triton.jit
def scaled_matmul_packed_rows(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    om, on, ok = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    packed = tl.arange(0, M // 2)
    x = tl.load(a + packed[:, None] * K + ok[None, :])
    y = tl.load(b + ok[:, None] * N + on[None, :])
    acc = tl.dot_scaled(x, None, "e2m1", y, None, "bf16", lhs_k_pack=False)
    tl.store(c + om[:, None] * N + on[None, :], acc)


@case("a:*fp16 b:*fp16 c:*fp32 K:i32", aligned="a b c", constants=_TILE, until=(3, 8))
@triton.jit
def block_pointer_matmul(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    x = tl.make_block_ptr(a, (256, K), (K, 1), (pm * BM, 0), (BM, BK), (1, 0))
    y = tl.make_block_ptr(b, (K, 256), (256, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        p = tl.load(x, boundary_check=(0, 1), padding_option="zero")
        q = tl.load(
            y, boundary_check=(0,), padding_option="nan", cache_modifier=".cg", eviction_policy="evict_last"
        )
        acc = tl.dot(p, q, acc)
        x = tl.advance(x, (0, BK))
        y = tl.advance(y, (BK, 0))
    z = tl.make_block_ptr(c, (256, 256), (256, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(z, acc, boundary_check=(0, 1))
