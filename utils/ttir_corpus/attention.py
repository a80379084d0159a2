# SPDX-License-Identifier: MIT
"""Attention: the tiled forward pass with a causal mask, and single-token decoding."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@triton.jit
def _attend(
    acc, total, peak, q, k_ptr, v_ptr, stride, lo, hi, offs_m, offs_n, scale,
    MASK: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    for step in tl.range(lo, hi, BN, num_stages=3):
        start = tl.multiple_of(step, BN)
        k = tl.load(k_ptr + start * stride)
        score = tl.dot(q, k) * scale
        if MASK:
            score += tl.where(offs_m[:, None] >= start + offs_n[None, :], 0, -1.0e6)
        new_peak = tl.maximum(peak, tl.max(score, 1))
        p = tl.math.exp2(score - new_peak[:, None])
        alpha = tl.math.exp2(peak - new_peak)
        total = total * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_ptr + start * stride)
        acc = tl.dot(p.to(tl.float16), v, acc)
        peak = new_peak
    return acc, total, peak


@case(
    "q:*fp16 k:*fp16 v:*fp16 out:*fp16 lse:*fp32 scale:fp32 head:i32 stride:i32 length:i32",
    aligned="q k v out lse head stride length",
    constants={"BM": 64, "BN": 32, "D": 64, "CAUSAL": True},
)
@triton.jit
def flash_attention(
    q, k, v, out, lse, scale, head, stride, length,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    start_m = tl.program_id(0)
    base = tl.program_id(1).to(tl.int64) * head
    offs_m = start_m * BM + tl.arange(0, BM)
    offs_n, offs_d = tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + base + offs_m[:, None] * stride + offs_d[None, :])
    k_ptr = k + base + offs_n[None, :] * stride + offs_d[:, None]
    v_ptr = v + base + offs_n[:, None] * stride + offs_d[None, :]
    peak = tl.zeros([BM], dtype=tl.float32) - float("inf")
    total = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, D], dtype=tl.float32)
    scale *= 1.44269504
    middle = start_m * BM if CAUSAL else length
    acc, total, peak = _attend(
        acc, total, peak, query, k_ptr, v_ptr, stride, 0, middle, offs_m, offs_n, scale, False, BN
    )
    if CAUSAL:
        acc, total, peak = _attend(
            acc,
            total,
            peak,
            query,
            k_ptr,
            v_ptr,
            stride,
            middle,
            middle + BM,
            offs_m,
            offs_n,
            scale,
            True,
            BN,
        )
    tl.store(lse + tl.program_id(1) * length + offs_m, peak + tl.math.log2(total))
    acc = acc / total[:, None]
    tl.store(out + base + offs_m[:, None] * stride + offs_d[None, :], acc.to(tl.float16))


@case("q:*bf16 k:*bf16 v:*bf16 out:*bf16 lengths:*i32 scale:fp32 stride:i32", constants={"BN": 64, "D": 128})
@triton.jit
def decode_attention(q, k, v, out, lengths, scale, stride, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(0)
    offs_d = tl.arange(0, D)
    query = tl.load(q + head * D + offs_d).to(tl.float32) * scale
    length = tl.load(lengths + head)
    peak = -float("inf")
    total = 0.0
    acc = tl.zeros([D], dtype=tl.float32)
    for start in range(0, length, BN):
        offs_n = start + tl.arange(0, BN)
        mask = offs_n < length
        keys = tl.load(k + offs_n[:, None] * stride + offs_d[None, :], mask=mask[:, None], other=0.0)
        score = tl.sum(query[None, :] * keys.to(tl.float32), axis=1)
        score = tl.where(mask, score, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(score, axis=0))
        p = tl.exp(score - new_peak)
        alpha = tl.exp(peak - new_peak)
        values = tl.load(v + offs_n[:, None] * stride + offs_d[None, :], mask=mask[:, None], other=0.0)
        acc = acc * alpha + tl.sum(p[:, None] * values.to(tl.float32), axis=0)
        total = total * alpha + tl.sum(p, axis=0)
        peak = new_peak
    tl.store(out + head * D + offs_d, (acc / total).to(tl.bfloat16))
