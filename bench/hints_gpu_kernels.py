# SPDX-License-Identifier: MIT
"""Kernels of `hints_gpu.py`: each with its data, its grid of configurations and what it has to compute.

The functions are plain: the benchmark compiles each twice, with its hints and with FLAGTREE_HINTS=off.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import triton
import triton.language as tl

DEVICE = "cuda"


@dataclass
class Case:
    """One kernel.

    hints:    which, for the table
    launch:   (kernel, index of the data set, configuration) → launches it
    sets:     number of data sets; launches go round, so that what is read was not just read
    grid:     all configurations that both sides may use
    result:   what the first data set's launch has written
    expected: the same by torch, in float64
    bar:      the least gain; None for those that are measured to show where hints gain little
    """

    name: str
    function: Any
    hints: str
    launch: Callable[..., None]
    sets: int
    grid: list[dict]
    result: Callable[[], torch.Tensor]
    expected: Callable[[], torch.Tensor]
    tolerance: float = 1e-3
    bar: float | None = 1.1


def _grid(**choices):
    return [dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())]


def _randn(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device=DEVICE, dtype=dtype)


def recurrence(q, k, v, g, out, steps, scale, K: tl.constexpr, V: tl.constexpr, BV: tl.constexpr):
    """Gated linear attention, one step after the other: state = state · gate + value ⊗ key; out = state · query."""
    head = tl.program_id(1).to(tl.int64)
    i = tl.arange(0, K)
    j = tl.program_id(0) * BV + tl.arange(0, BV)
    state = tl.zeros((BV, K), tl.float32)
    for step in range(steps):
        at = head * steps + step
        key = tl.load(k + at * K + i).to(tl.float32)  # @hint: shared_memory
        gate = tl.load(g + at * K + i).to(tl.float32)  # @hint: shared_memory
        value = tl.load(v + at * V + j).to(tl.float32)  # @hint: shared_memory
        query = tl.load(q + at * K + i).to(tl.float32) * scale  # @hint: shared_memory
        state = state * gate[None, :] + value[:, None] * key[None, :]
        tl.store(out + at * V + j, tl.sum(state * query[None, :], 1).to(out.dtype.element_ty))


def recurrence_case():
    heads, steps, width, scale = 64, 1024, 128, 0.088
    q, k, v = (_randn(heads, steps, width) for _ in range(3))
    g = torch.rand(heads, steps, width, device=DEVICE).mul(0.1).add(0.9).to(torch.bfloat16)
    out = torch.empty_like(v)

    def expected():
        state = torch.zeros(heads, width, width, device=DEVICE, dtype=torch.float64)
        rows = []
        for t in range(64):
            state = state * g[:, t, None, :].double() + v[:, t, :, None].double() * k[:, t, None, :].double()
            rows.append((state * q[:, t, None, :].double() * scale).sum(-1))
        return torch.stack(rows, 1)

    def launch(kernel, _, BV, **options):
        kernel[(width // BV, heads)](q, k, v, g, out, steps, scale, K=width, V=width, BV=BV, **options)

    grid = _grid(BV=[8, 16, 32, 64], num_warps=[1, 2, 4, 8])
    name = f"gated linear recurrence, {heads} heads × {steps} steps × {width}"
    return Case(
        name, recurrence, "shared_memory", launch, 1, grid, lambda: out[:, :64], expected, tolerance=2e-2
    )


def column_sums(x, out, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    """Sum over the first dimension, as a bias gradient is."""
    column = tl.program_id(0) * BC + tl.arange(0, BC)
    total = tl.zeros((BR, BC), tl.float32)
    for start in range(0, rows, BR):
        row = (start + tl.arange(0, BR)).to(tl.int64)
        total += tl.load(x + row[:, None] * columns + column[None, :]).to(tl.float32)  # @hint: shared_memory
    tl.store(out + column, tl.sum(total, 0))


def column_sums_case():
    rows, columns = 65536, 8192
    x, out = _randn(rows, columns), torch.empty(columns, device=DEVICE)

    def launch(kernel, _, BR, BC, **options):
        kernel[(columns // BC,)](x, out, rows, columns, BR=BR, BC=BC, **options)

    grid = _grid(BR=[16, 32, 64, 128], BC=[32, 64, 128], num_warps=[2, 4, 8, 16, 32])
    name = f"column sums, {rows} × {columns}"
    exact = lambda: x.sum(0, dtype=torch.float64)  # noqa: E731
    return Case(name, column_sums, "shared_memory", launch, 1, grid, lambda: out, exact, bar=None)


def greedy(logits, out, vocabulary, BLOCK: tl.constexpr):
    """Greedy sampling: the index of the largest logit of each row, the first of equals."""
    row = tl.program_id(0).to(tl.int64)
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    at = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, vocabulary, BLOCK):  # @hint: num_stages=3
        i = start + tl.arange(0, BLOCK)
        value = tl.load(logits + row * vocabulary + i, mask=i < vocabulary, other=-float("inf")).to(
            tl.float32
        )
        better = value > best
        best = tl.where(better, value, best)
        at = tl.where(better, i, at)
    top = tl.max(best, 0)
    tl.store(out + row, tl.min(tl.where(best == top, at, 2147483647), 0))


def greedy_case():
    rows, vocabulary, sets = 64, 151936, 8
    logits, out = _randn(sets, rows, vocabulary), torch.empty(rows, device=DEVICE, dtype=torch.int32)

    def launch(kernel, index, **options):
        kernel[(rows,)](logits[index], out, vocabulary, **options)

    grid = _grid(BLOCK=[1024, 2048, 4096, 8192, 16384], num_warps=[2, 4, 8, 16, 32])
    name = f"greedy sampling, {rows} × {vocabulary}"
    result = lambda: logits[0].gather(1, out.long()[:, None])[:, 0]  # noqa: E731
    return Case(
        name, greedy, "num_stages", launch, sets, grid, result, lambda: logits[0].double().amax(1), bar=None
    )  # fmt: skip


def cumulative(x, out, columns, BLOCK: tl.constexpr):
    """Running sums of long rows."""
    row = tl.program_id(0).to(tl.int64)
    carried = 0.0
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + i, mask=i < columns, other=0.0)  # @hint: shared_memory
        tl.store(out + row * columns + i, tl.cumsum(value, 0) + carried, mask=i < columns)
        carried += tl.sum(value, 0)


def cumulative_case():
    rows, columns = 132, 1 << 18
    x = _randn(rows, columns, dtype=torch.float32)
    out = torch.empty_like(x)

    def launch(kernel, _, **options):
        kernel[(rows,)](x, out, columns, **options)

    grid = _grid(BLOCK=[1024, 2048, 4096, 8192, 16384], num_warps=[2, 4, 8, 16, 32])
    name = f"running sums, {rows} × {columns}"
    return Case(
        name, cumulative, "shared_memory", launch, 1, grid, lambda: out[:, ::1000],
        lambda: x.double().cumsum(1)[:, ::1000], bar=None,
    )  # fmt: skip


def sandwich(x, residual, w1, w2, hidden, out, columns, eps, BLOCK: tl.constexpr):
    """What stands between two layers of Gemma: norm, residual, norm. One row a program, no loop."""
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    exists = i < columns
    value = tl.load(x + row * columns + i, mask=exists, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, 0) / columns + eps)
    first = tl.load(w1 + i, mask=exists, other=0.0).to(tl.float32)  # @hint: shared_memory
    kept = tl.load(residual + row * columns + i, mask=exists, other=0.0)  # @hint: shared_memory
    total = kept.to(tl.float32) + value * scale * first
    scale = tl.rsqrt(tl.sum(total * total, 0) / columns + eps)
    second = tl.load(w2 + i, mask=exists, other=0.0).to(tl.float32)  # @hint: shared_memory
    tl.store(hidden + row * columns + i, total.to(hidden.dtype.element_ty), mask=exists)
    tl.store(out + row * columns + i, (total * scale * second).to(out.dtype.element_ty), mask=exists)


def sandwich_case(rows, columns, bar=None):
    sets = max(1, min(64, 200_000_000 // (rows * columns * 4)))
    x, residual = _randn(sets, rows, columns), _randn(sets, rows, columns)
    w1, w2 = _randn(sets, columns), _randn(sets, columns)
    hidden, out = torch.empty_like(x), torch.empty_like(x)

    def launch(kernel, index, **options):
        kernel[(rows,)](
            x[index],
            residual[index],
            w1[index],
            w2[index],
            hidden[index],
            out[index],
            columns,
            1e-6,
            **options,
        )

    def norm(t, w):
        return t * torch.rsqrt(t.square().mean(-1, keepdim=True) + 1e-6) * w.double()

    grid = _grid(BLOCK=[triton.next_power_of_2(columns)], num_warps=[1, 2, 4, 8, 16, 32])
    name = f"norm, residual, norm; {rows} × {columns}"
    return Case(
        name, sandwich, "shared_memory, no loop", launch, sets, grid, lambda: out[0],
        lambda: norm(residual[0].double() + norm(x[0].double(), w1[0]), w2[0]), 2e-2, bar,
    )  # fmt: skip


def long_softmax(x, out, columns, BLOCK: tl.constexpr):
    """softmax of rows too long for a block: read twice, written once."""
    row = tl.program_id(0).to(tl.int64)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + i, mask=i < columns, other=-1e30).to(
            tl.float32
        )  # @hint: evict(last)
        now = tl.maximum(largest, value)
        total = total * tl.exp(largest - now) + tl.exp(value - now)
        largest = now
    top = tl.max(largest, 0)
    scale = 1 / tl.sum(total * tl.exp(largest - top), 0)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + i, mask=i < columns, other=-1e30).to(
            tl.float32
        )  # @hint: evict(first)
        power = tl.exp(value - top) * scale
        tl.store(
            out + row * columns + i, power.to(out.dtype.element_ty), mask=i < columns
        )  # @hint: evict(first)


def long_softmax_case(rows, columns, bar=None):
    x = _randn(rows, columns)
    out = torch.empty_like(x)

    def launch(kernel, _, **options):
        kernel[(rows,)](x, out, columns, **options)

    grid = _grid(BLOCK=[2048, 4096, 8192, 16384], num_warps=[4, 8, 16])
    name = f"softmax of long rows, {rows} × {columns}"
    return Case(
        name, long_softmax, "evict", launch, 1, grid, lambda: out[:4],
        lambda: torch.softmax(x[:4].double(), 1), 1e-2, bar=bar,
    )  # fmt: skip


def delta_rule(q, k, v, beta, out, steps, scale, K: tl.constexpr, V: tl.constexpr, BV: tl.constexpr):
    """Linear attention by the delta rule: what the state says of the key is replaced by the value."""
    head = tl.program_id(1).to(tl.int64)
    i = tl.arange(0, K)
    j = tl.program_id(0) * BV + tl.arange(0, BV)
    state = tl.zeros((BV, K), tl.float32)
    for step in range(steps):  # @hint: num_stages=3
        at = head * steps + step
        key = tl.load(k + at * K + i).to(tl.float32)
        value = tl.load(v + at * V + j).to(tl.float32)
        query = tl.load(q + at * K + i).to(tl.float32) * scale
        change = (value - tl.sum(state * key[None, :], 1)) * tl.load(beta + at)
        state += change[:, None] * key[None, :]
        tl.store(out + at * V + j, tl.sum(state * query[None, :], 1).to(out.dtype.element_ty))


def delta_rule_case():
    heads, steps, width, scale, checked = 64, 512, 128, 0.088, 64
    q, k, v = (_randn(heads, steps, width) for _ in range(3))
    k = torch.nn.functional.normalize(k, dim=-1)
    beta = torch.rand(heads, steps, device=DEVICE)
    out = torch.empty_like(v)

    def expected():
        state = torch.zeros(heads, width, width, device=DEVICE, dtype=torch.float64)
        rows = []
        for t in range(checked):
            key, value = k[:, t].double(), v[:, t].double()
            change = (value - (state @ key[..., None])[..., 0]) * beta[:, t, None].double()
            state = state + change[..., None] * key[:, None, :]
            rows.append((state @ q[:, t].double()[..., None])[..., 0] * scale)
        return torch.stack(rows, 1)

    def launch(kernel, _, BV, **options):
        kernel[(width // BV, heads)](q, k, v, beta, out, steps, scale, K=width, V=width, BV=BV, **options)

    grid = _grid(BV=[8, 16, 32, 64], num_warps=[1, 2, 4, 8])
    name = f"delta rule, {heads} heads × {steps} steps × {width}"
    return Case(name, delta_rule, "num_stages", launch, 1, grid, lambda: out[:, :checked], expected, 2e-2)


def sparse_rows(starts, columns, values, x, out, D: tl.constexpr, BD: tl.constexpr):
    """A sparse matrix (CSR) times a dense one: each row gathers the rows that it has values for."""
    row = tl.program_id(0)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    total = tl.zeros((BD,), tl.float32)
    for j in range(tl.load(starts + row), tl.load(starts + row + 1)):  # @hint: unroll(8)
        column = tl.load(columns + j).to(tl.int64)
        total += tl.load(values + j) * tl.load(x + column * D + d).to(tl.float32)
    tl.store(out + row * D + d, total)


def sparse_rows_case(rows, filled, width):
    nodes = 200_000
    x = _randn(nodes, width)
    columns = torch.randint(0, nodes, (rows * filled,), device=DEVICE, dtype=torch.int32)
    values = torch.randn(rows * filled, device=DEVICE)
    starts = torch.arange(0, rows * filled + 1, filled, device=DEVICE, dtype=torch.int32)
    out = torch.empty(rows, width, device=DEVICE)

    def expected():
        gathered = x[columns.long().view(rows, filled)[:64]].double()
        return (gathered * values.view(rows, filled, 1)[:64].double()).sum(1)

    def launch(kernel, _, BD, **options):
        kernel[(rows, width // BD)](starts, columns, values, x, out, D=width, BD=BD, **options)

    grid = _grid(BD=[b for b in (32, 64, 128, 256) if b <= width], num_warps=[1, 2, 4])
    name = f"sparse × dense, {rows} rows × {filled} × {width}"
    return Case(name, sparse_rows, "unroll", launch, 1, grid, lambda: out[:64], expected, 1e-2)


CASES = (
    recurrence_case,
    delta_rule_case,
    lambda: sparse_rows_case(256, 1024, 256),
    lambda: sparse_rows_case(2048, 256, 128),
    lambda: sandwich_case(4096, 16384, 1.1),
    lambda: sandwich_case(4096, 8192),
    lambda: sandwich_case(128, 8192),
    column_sums_case,
    greedy_case,
    cumulative_case,
    lambda: long_softmax_case(132, 1 << 17),
    lambda: long_softmax_case(264, 1 << 17),
    lambda: long_softmax_case(1024, 1 << 16, 1.1),
)
