# SPDX-License-Identifier: MIT
"""Kernels as programs use them: normalisations, softmax and losses, against fp64."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import dtype_of, sample

SHAPES = [(1, 1), (4, 64), (7, 1000), (3, 781)]


@triton.jit
def layer_norm(x, w, b, o, mean_out, rstd_out, s, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    x += row * s
    o += row * s
    total = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)
        total += tl.load(x + c, mask=c < n, other=0.0).to(tl.float32)
    mean = tl.sum(total, 0) / n
    square = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)
        d = tl.where(c < n, tl.load(x + c, mask=c < n, other=0.0).to(tl.float32) - mean, 0.0)
        square += d * d
    rstd = 1 / tl.sqrt(tl.sum(square, 0) / n + eps)
    tl.store(mean_out + row, mean)
    tl.store(rstd_out + row, rstd)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)
        m = c < n
        v = (tl.load(x + c, mask=m, other=0.0).to(tl.float32) - mean) * rstd
        tl.store(o + c, v * tl.load(w + c, mask=m) + tl.load(b + c, mask=m), mask=m)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_layer_norm(shape: tuple[int, int], name: str) -> None:
    x, w, b = sample(name, *shape), sample(name, shape[1]), sample(name, shape[1])
    o, mean, rstd = torch.zeros_like(x), torch.zeros(shape[0]), torch.zeros(shape[0])
    layer_norm[(shape[0],)](x, w, b, o, mean, rstd, x.stride(0), shape[1], 1e-5, B=256)
    wide = x.double()
    expected = torch.nn.functional.layer_norm(wide, (shape[1],), w.double(), b.double(), 1e-5)
    eps = torch.finfo(dtype_of(name)).eps
    torch.testing.assert_close(o.double(), expected, rtol=4 * eps, atol=max(2e-5, 4 * eps))
    torch.testing.assert_close(mean.double(), wide.mean(1), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(
        rstd.double(), (wide.var(1, unbiased=False) + 1e-5).rsqrt(), rtol=1e-5, atol=1e-5
    )


@triton.jit
def rms_norm(x, w, o, s, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row * s + c, mask=c < n, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / n + eps)
    tl.store(o + row * s + c, v * scale * tl.load(w + c, mask=c < n), mask=c < n)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_rms_norm(shape: tuple[int, int], name: str) -> None:
    x, w = sample(name, *shape), sample(name, shape[1])
    o = torch.zeros_like(x)
    rms_norm[(shape[0],)](x, w, o, x.stride(0), shape[1], 1e-6, B=triton.next_power_of_2(shape[1]))
    wide = x.double()
    expected = wide * (wide.square().mean(1, keepdim=True) + 1e-6).rsqrt() * w.double()
    eps = torch.finfo(dtype_of(name)).eps
    torch.testing.assert_close(o.double(), expected, rtol=max(1e-5, eps), atol=1e-6)


def check_softmax(o: torch.Tensor, x: torch.Tensor) -> None:
    eps = torch.finfo(o.dtype).eps
    torch.testing.assert_close(o.double(), x.double().softmax(1), rtol=max(2e-6, eps), atol=1e-7)


@triton.jit
def softmax_block(x, o, s, n, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row * s + c, mask=c < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * s + c, e / tl.sum(e, 0), mask=c < n)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_in_one_block(shape: tuple[int, int], name: str) -> None:
    x = sample(name, *shape)
    o = torch.zeros_like(x)
    softmax_block[(shape[0],)](x, o, x.stride(0), shape[1], B=triton.next_power_of_2(shape[1]))
    check_softmax(o, x)


@triton.jit
def softmax_loop(x, o, s, n, B: tl.constexpr):
    row = tl.program_id(0)
    top = tl.full((B,), -float("inf"), tl.float32)
    total = tl.zeros((B,), tl.float32)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)
        v = tl.load(x + row * s + c, mask=c < n, other=-float("inf"))
        new = tl.maximum(top, v)
        total = total * tl.exp(top - new) + tl.exp(v - new)
        total = tl.where(new == -float("inf"), 0.0, total)
        top = new
    best = tl.max(top, 0)
    whole = tl.sum(total * tl.exp(top - best), 0)
    for start in range(0, n, B):
        c = start + tl.arange(0, B)
        v = tl.load(x + row * s + c, mask=c < n)
        tl.store(o + row * s + c, tl.exp(v - best) / whole, mask=c < n)


@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_in_a_loop(shape: tuple[int, int]) -> None:
    x = sample("float32", *shape)
    o = torch.zeros_like(x)
    softmax_loop[(shape[0],)](x, o, x.stride(0), shape[1], B=128)
    check_softmax(o, x)


@triton.jit
def softmax_persistent(x, o, s, rows, n, B: tl.constexpr):
    c = tl.arange(0, B)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        v = tl.load(x + row * s + c, mask=c < n, other=-float("inf"))
        e = tl.exp(v - tl.max(v, 0))
        tl.store(o + row * s + c, e / tl.sum(e, 0), mask=c < n)


@pytest.mark.parametrize("programs", [1, 2, 5])
@pytest.mark.parametrize("shape", SHAPES)
def test_persistent_softmax(shape: tuple[int, int], programs: int) -> None:
    x = sample("float32", *shape)
    o = torch.zeros_like(x)
    softmax_persistent[(programs,)](x, o, x.stride(0), *shape, B=triton.next_power_of_2(shape[1]))
    check_softmax(o, x)


@triton.jit
def softmax_rows(x, o, s, rows, n, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    m = (r[:, None] < rows) & (c[None, :] < n)
    v = tl.load(x + r[:, None] * s + c[None, :], mask=m, other=-float("inf"))
    v = tl.where((r < rows)[:, None], v, 0.0)
    e = tl.exp(v - tl.max(v, 1)[:, None])
    tl.store(o + r[:, None] * s + c[None, :], e / tl.sum(e, 1)[:, None], mask=m)


@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_of_several_rows_a_program(shape: tuple[int, int]) -> None:
    x = sample("float32", *shape)
    o = torch.zeros_like(x)
    softmax_rows[(triton.cdiv(shape[0], 4),)](
        x, o, x.stride(0), *shape, R=4, C=triton.next_power_of_2(shape[1])
    )
    check_softmax(o, x)


@triton.jit
def cross_entropy(x, labels, loss, grad, s, n, ignored, B: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    c = tl.arange(0, B)
    if label == ignored:
        tl.store(loss + row, 0.0)
        tl.store(grad + row * s + c, tl.zeros((B,), tl.float32), mask=c < n)
        return
    v = tl.load(x + row * s + c, mask=c < n, other=-float("inf"))
    top = tl.max(v, 0)
    e = tl.exp(v - top)
    total = tl.sum(e, 0)
    tl.store(loss + row, tl.log(total) + top - tl.load(x + row * s + label))
    p = e / total
    tl.store(grad + row * s + c, tl.where(c == label, p - 1, p), mask=c < n)


@pytest.mark.parametrize("shape", [(4, 64), (7, 1000), (3, 781)])
def test_cross_entropy_with_gradient(shape: tuple[int, int]) -> None:
    x, labels = sample("float32", *shape), torch.randint(0, shape[1], (shape[0],))
    labels[1] = -100
    loss, grad = torch.ones(shape[0]), torch.ones_like(x)
    block = triton.next_power_of_2(shape[1])
    cross_entropy[(shape[0],)](x, labels, loss, grad, x.stride(0), shape[1], -100, B=block)
    wide = x.double().requires_grad_()
    expected = torch.nn.functional.cross_entropy(wide, labels, reduction="none")
    expected.sum().backward()
    torch.testing.assert_close(loss.double(), expected.detach(), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(grad.double(), wide.grad, rtol=1e-5, atol=1e-6)


@triton.jit
def group_norm(x, o, group, n, eps, B: tl.constexpr):
    i = tl.arange(0, B)
    at = tl.program_id(0) * group * n + i
    v = tl.load(x + at, mask=i < group * n, other=0.0)
    mean = tl.sum(v, 0) / (group * n)
    d = tl.where(i < group * n, v - mean, 0.0)
    tl.store(o + at, d * tl.rsqrt(tl.sum(d * d, 0) / (group * n) + eps), mask=i < group * n)


def test_group_norm() -> None:
    x = sample("float32", 6, 4, 50)
    o = torch.zeros_like(x)
    group_norm[(12,)](x, o, 2, 50, 1e-5, B=128)
    expected = torch.nn.functional.group_norm(x.double(), 2, eps=1e-5)
    torch.testing.assert_close(o.double(), expected, rtol=1e-5, atol=1e-5)


@triton.jit
def gelu(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(o + i, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=i < n)


def test_gelu() -> None:
    x = sample("float32", 1000)
    o = torch.zeros_like(x)
    gelu[(4,)](x, o, 1000, B=256)
    torch.testing.assert_close(o.double(), torch.nn.functional.gelu(x.double()), rtol=1e-4, atol=1e-6)


@triton.jit
def dropout(x, o, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    keep = tl.rand(seed, i) > p
    v = tl.load(x + i, mask=i < n)
    tl.store(o + i, tl.where(keep, v / (1 - p), 0.0), mask=i < n)


def test_dropout_keeps_the_share_asked_for() -> None:
    x = torch.ones(4000)
    o, again = torch.zeros_like(x), torch.zeros_like(x)
    dropout[(16,)](x, o, 4000, 0.25, 11, B=256)
    dropout[(4,)](x, again, 4000, 0.25, 11, B=1024)
    assert abs((o > 0).float().mean() - 0.75) < 0.03 and torch.equal(o, again)
    torch.testing.assert_close(o[o > 0], torch.full_like(o[o > 0], 1 / 0.75))
