# SPDX-License-Identifier: MIT
"""Row-wise normalisations and losses: softmax, layer norm forward and backward, RMS norm, cross entropy."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case(
    "out:*fp32 x:*fp32 stride_x:i32 stride_out:i32 cols:i32",
    aligned="out x",
    constants={"BLOCK": 1024},
    locations=True,
)
@triton.jit
def fused_softmax(out, x, stride_x, stride_out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride_x + offs, mask=offs < cols, other=-float("inf"))
    values = values - tl.max(values, axis=0)
    numerator = tl.exp(values)
    tl.store(out + row * stride_out + offs, numerator / tl.sum(numerator, axis=0), mask=offs < cols)


@case(
    "out:*fp32 x:*fp32 stride:i32 rows:i32 cols:i32",
    aligned="out x stride",
    constants={"BLOCK": 512, "STAGES": 4},
)
@triton.jit
def persistent_softmax(out, x, stride, rows, cols, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, rows, step, num_stages=STAGES):
        offs = tl.arange(0, BLOCK)
        mask = offs < cols
        values = tl.load(x + row * stride + offs, mask=mask, other=-float("inf"))
        tl.store(out + row * stride + offs, tl.softmax(values), mask=mask)


@case(
    "x:*fp16 y:*fp16 w:*fp16 b:*fp16 mean:*fp32 rstd:*fp32 stride:i32 cols:i32 eps:fp32",
    aligned="x y w b",
    constants={"BLOCK": 512},
)
@triton.jit
def layer_norm_forward(x, y, w, b, mean, rstd, stride, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    y += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        total += tl.load(x + offs, mask=offs < cols, other=0.0).to(tl.float32)
    mu = tl.sum(total, axis=0) / cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        value = tl.load(x + offs, mask=offs < cols, other=0.0).to(tl.float32)
        value = tl.where(offs < cols, value - mu, 0.0)
        squares += value * value
    inverse = 1 / tl.sqrt(tl.sum(squares, axis=0) / cols + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, inverse)
    for start in range(0, cols, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        mask = offs < cols
        value = tl.load(x + offs, mask=mask, other=0.0).to(tl.float32)
        scaled = (value - mu) * inverse * tl.load(w + offs, mask=mask) + tl.load(b + offs, mask=mask)
        tl.store(y + offs, scaled, mask=mask)


@case(
    "dx:*fp16 dy:*fp16 dw:*fp32 db:*fp32 x:*fp16 w:*fp16 mean:*fp32 rstd:*fp32 lock:*i32 stride:i32 cols:i32",
    constants={"GROUP": 64, "BLOCK": 512},
)
@triton.jit
def layer_norm_backward(
    dx, dy, dw, db, x, w, mean, rstd, lock, stride, cols, GROUP: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < cols
    value = tl.load(x + row * stride + offs, mask=mask, other=0).to(tl.float32)
    grad = tl.load(dy + row * stride + offs, mask=mask, other=0).to(tl.float32)
    weight = tl.load(w + offs, mask=mask).to(tl.float32)
    inverse = tl.load(rstd + row)
    centred = tl.where(mask, (value - tl.load(mean + row)) * inverse, 0.0)
    weighted = tl.where(mask, weight * grad, 0.0)
    c1 = tl.sum(centred * weighted, axis=0) / cols
    c2 = tl.sum(weighted, axis=0) / cols
    tl.store(dx + row * stride + offs, (weighted - (centred * c1 + c2)) * inverse, mask=mask)
    group = row % GROUP
    count = lock + GROUP + group
    while tl.atomic_cas(lock + group, 0, 1) == 1:
        pass
    part_w = grad * centred
    part_b = grad
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        part_w += tl.load(dw + group * cols + offs, mask=mask)
        part_b += tl.load(db + group * cols + offs, mask=mask)
    tl.store(dw + group * cols + offs, part_w, mask=mask)
    tl.store(db + group * cols + offs, part_b, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock + group, 0)


@case(
    "x:*bf16 w:*bf16 out:*bf16 stride:i64 cols:i32 eps:fp32",
    aligned="x w out cols",
    constants={"BLOCK": 2048},
)
@triton.jit
def rms_norm(x, w, out, stride, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < cols
    value = tl.load(x + row * stride + offs, mask=mask, other=0.0).to(tl.float32)
    inverse = tl.rsqrt(tl.sum(value * value, axis=0) / cols + eps)
    weight = tl.load(w + offs, mask=mask, other=0.0)
    tl.store(out + row * stride + offs, (value * inverse).to(tl.bfloat16) * weight, mask=mask)


@case(
    "logits:*fp32 labels:*i64 loss:*fp32 lse:*fp32 stride:i64 cols:i32 ignore:i32", constants={"BLOCK": 1024}
)
@triton.jit
def cross_entropy(logits, labels, loss, lse, stride, cols, ignore, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    logits += row * stride
    offs = tl.arange(0, BLOCK)
    label = tl.load(labels + row).to(tl.int32)
    values = tl.load(logits + offs, mask=offs < cols, other=-float("inf")).to(tl.float32)
    peak = tl.max(values, 0)
    log_sum = peak + tl.log(tl.sum(tl.exp(values - peak), 0))
    if label != ignore:  # noqa: SIM108 - a branch, not a select
        result = log_sum - tl.load(logits + label).to(tl.float32)
    else:
        result = 0.0
    tl.store(lse + row, log_sum)
    tl.store(loss + row, result)
