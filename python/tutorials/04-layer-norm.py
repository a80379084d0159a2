# SPDX-License-Identifier: MIT
"""Layer normalisation, forward and backward
==========================================

Each row is brought to mean 0 and variance 1, then scaled by a weight and shifted by a bias. Backward needs three
gradients: that of the input, a row at a time, and those of weight and bias, which are sums over all rows.

    python python/tutorials/04-layer-norm.py
"""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# Forward
# -------
# One program, one row. The row is read once and kept: variance is the mean square distance from the mean, which is more
# exact than the difference of two large sums. Mean and 1/deviation are stored for the way back.


@triton.jit
def forward_kernel(x, weight, bias, out, means, scales, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    exists = column < columns
    values = tl.load(x + row * columns + column, mask=exists, other=0.0)
    mean = tl.sum(values, 0) / columns
    distance = tl.where(exists, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(distance * distance, 0) / columns + eps)
    w = tl.load(weight + column, mask=exists)
    b = tl.load(bias + column, mask=exists)
    tl.store(out + row * columns + column, distance * scale * w + b, mask=exists)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)


# %%
# Backward
# --------
# With n = (x - mean) · scale and g = dout · weight, the gradient of the input is
# scale · (g - mean(g) - n · mean(g · n)). A program handles several rows and adds what each gives to weight and bias in
# its own row of `dweight` and `dbias`; a second kernel sums these rows. No program waits for another, and sums come out
# the same each time, as they would not with atomic additions.
#
# Few programs, each with many rows: on a GPU nothing hides the time that a row takes to arrive, unless it is asked for
# early. `num_stages=3` on the loop fetches two rows ahead, which Triton does by itself only for loops that multiply
# matrices; `shared_memory` on the loads says where they wait. A CPU fetches ahead by itself.


@triton.jit
def backward_kernel(
    dout, x, weight, means, scales, dx, dweight, dbias, rows, columns, BLOCK: tl.constexpr
):  # fmt: skip
    column = tl.arange(0, BLOCK)
    exists = column < columns
    w = tl.load(weight + column, mask=exists, other=0.0)
    dw = tl.zeros((BLOCK,), tl.float32)
    db = tl.zeros((BLOCK,), tl.float32)
    # @hint: num_stages=3
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        gradient = tl.load(dout + row * columns + column, mask=exists, other=0.0)  # @hint: shared_memory
        values = tl.load(x + row * columns + column, mask=exists, other=0.0)  # @hint: shared_memory
        scale = tl.load(scales + row)
        normal = tl.where(exists, (values - tl.load(means + row)) * scale, 0.0)
        g = gradient * w
        along = tl.sum(g * normal, 0) / columns
        tl.store(
            dx + row * columns + column, (g - tl.sum(g, 0) / columns - normal * along) * scale, mask=exists
        )
        dw += gradient * normal
        db += gradient
    tl.store(dweight + tl.program_id(0) * columns + column, dw, mask=exists)
    tl.store(dbias + tl.program_id(0) * columns + column, db, mask=exists)


@triton.jit
def sum_rows_kernel(parts, out, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    column = tl.program_id(0) * BC + tl.arange(0, BC)
    total = tl.zeros((BC,), tl.float32)
    for start in range(0, rows, BR):
        row = start + tl.arange(0, BR)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        total += tl.sum(tl.load(parts + row[:, None] * columns + column[None, :], mask=inside, other=0.0), 0)
    tl.store(out + column, total, mask=column < columns)


# %%
# The launches
# ------------

PROGRAMS = 32


def layer_norm(x, weight, bias, eps=1e-5, out=None):
    """(y, means, scales) of a contiguous fp32 matrix `x` (rows × columns); y is written to `out` when it is given."""
    if x.dim() != 2 or not x.is_contiguous() or weight.shape != x.shape[1:] or bias.shape != x.shape[1:]:
        raise ValueError(
            f"layer_norm wants a contiguous matrix and a weight and a bias for each column, not {tuple(x.shape)}, "
            f"{tuple(weight.shape)} and {tuple(bias.shape)}"
        )
    rows, columns = x.shape
    out = torch.empty_like(x) if out is None else out
    means, scales = torch.empty(rows, device=x.device), torch.empty(rows, device=x.device)
    block = triton.next_power_of_2(columns)
    forward_kernel[(rows,)](x, weight, bias, out, means, scales, columns, eps, BLOCK=block)
    return out, means, scales


def layer_norm_backward(dout, x, weight, means, scales, dx=None):
    """(dx, dweight, dbias), of what `layer_norm` was given and gave; dx is written to `dx` when it is given."""
    rows, columns = x.shape
    programs = min(rows, PROGRAMS)
    dx = torch.empty_like(x) if dx is None else dx
    parts = torch.empty(2, programs, columns, device=x.device)
    block = triton.next_power_of_2(columns)
    backward_kernel[(programs,)](
        dout, x, weight, means, scales, dx, parts[0], parts[1], rows, columns, BLOCK=block
    )  # fmt: skip
    sums = torch.empty(2, columns, device=x.device)
    for part, total in zip(parts, sums, strict=True):
        sum_rows_kernel[(triton.cdiv(columns, 64),)](part, total, programs, columns, BR=16, BC=64)
    return dx, sums[0], sums[1]


# %%
# Is it right, and is it fast?
# ----------------------------


def _exact(x, weight, bias, dout, eps=1e-5):
    """(y, dx, dweight, dbias) by torch in float64."""
    x, weight, bias = (t.double().requires_grad_() for t in (x, weight, bias))
    y = torch.nn.functional.layer_norm(x, (x.shape[1],), weight, bias, eps)
    y.backward(dout.double())
    return y.detach(), x.grad, weight.grad, bias.grad


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: see the first tutorial."""
    rows, columns = max(1, int(4096 * fraction)), 1000
    torch.manual_seed(0)
    x, dout = torch.randn(rows, columns, device=DEVICE), torch.randn(rows, columns, device=DEVICE)
    weight, bias = torch.randn(columns, device=DEVICE), torch.randn(columns, device=DEVICE)
    out, dx = torch.empty_like(x), torch.empty_like(x)
    # By torch: a kernel's first launch, which compiles it, is the measurement's.
    means, scales = x.mean(1), torch.rsqrt(x.var(1, correction=0) + 1e-5)
    native = torch.ops.aten.native_layer_norm_backward
    statistics = means[:, None], scales[:, None]
    return [
        {
            "name": "layer norm",
            "size": f"{rows:,} × {columns:,} fp32",
            "kernel": forward_kernel,
            "run": lambda: layer_norm(x, weight, bias, out=out)[0],
            "torch": lambda: torch.nn.functional.layer_norm(x, (columns,), weight, bias),
            "expected": lambda: _exact(x, weight, bias, dout)[0],
            "tolerance": 1e-4,
        },
        {
            "name": "layer norm, backward",
            "size": f"{rows:,} × {columns:,} fp32",
            "kernel": backward_kernel,
            "run": lambda: layer_norm_backward(dout, x, weight, means, scales, dx)[0],
            "torch": lambda: native(dout, x, (columns,), *statistics, weight, bias, [True, True, True])[0],
            "expected": lambda: _exact(x, weight, bias, dout)[1],
            "tolerance": 1e-4,
        },
    ]


def main() -> None:
    """Compare all four results with float64, on a shape that is no multiple of anything."""
    x, dout = torch.randn(183, 781, device=DEVICE), torch.randn(183, 781, device=DEVICE)
    weight, bias = torch.randn(781, device=DEVICE), torch.randn(781, device=DEVICE)
    y, means, scales = layer_norm(x, weight, bias)
    ours = (y, *layer_norm_backward(dout, x, weight, means, scales))
    exact = _exact(x, weight, bias, dout)
    names = ("y", "dx", "dweight", "dbias")
    differences = [(a - b).abs().max().item() for a, b in zip(ours, exact, strict=True)]
    for name, difference in zip(names, differences, strict=True):
        print(f"{name:8}largest difference: {difference:.2g}")
    if not max(differences) < 1e-3:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
