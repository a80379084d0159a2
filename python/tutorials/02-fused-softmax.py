# SPDX-License-Identifier: MIT
"""Fused softmax
=============

softmax over the rows of a matrix, in one kernel that reads each element once and writes it once. Written with five
separate operations (maximum, subtraction, exponential, sum, division) the same matrix would travel to memory and back
several times; fused, the row stays in registers or in the cache between them.

    python python/tutorials/02-fused-softmax.py
"""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# The kernel
# ----------
# One program handles several rows, one after another: row `program_id`, then `num_programs` further, and so on. A row
# is read as one block, so BLOCK is the number of columns rounded up to a power of two. The columns that do not exist
# are read as minus infinity: their exponential is zero, so they change neither the maximum nor the sum.
#
# Subtracting the largest element changes nothing in exact arithmetic and keeps the exponential from overflowing.
#
# The hint is that of the first tutorial: what is stored is not read again here. To fetch the rows that come next while
# this one is worked on, `num_stages=3` on the loop, costs more than it gains: so many programs run at a time that the
# memory is busy anyway. The layer norm's way back, which has few programs, is where it pays.
#
# A hint stands at the end of any line of its statement, or on lines of its own before it.


@triton.jit
def softmax_kernel(x, out, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    exists = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        source = x + row * x_stride + column
        values = tl.load(source, mask=exists, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        # @hint: evict(first)
        tl.store(out + row * out_stride + column, powers / tl.sum(powers, axis=0), mask=exists)


# %%
# The launch
# ----------
# Enough programs to keep every core or multiprocessor busy, and not more than there are rows. `stride(0)` is the
# distance between rows in elements, so a matrix that is a part of a wider one works too.

PROGRAMS = 1024


def softmax(x: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """softmax over the last axis of a matrix whose rows are contiguous; written to `out` when it is given."""
    if x.dim() != 2 or x.stride(1) != 1:
        raise ValueError(
            f"softmax wants a matrix with contiguous rows, not shape {tuple(x.shape)}, strides {x.stride()}"
        )
    out = torch.empty_like(x) if out is None else out
    rows, columns = x.shape
    grid = (min(rows, PROGRAMS),)
    block = triton.next_power_of_2(columns)
    softmax_kernel[grid](x, out, x.stride(0), out.stride(0), rows, columns, BLOCK=block)
    return out


# %%
# Is it right, and is it fast?
# ----------------------------
# As in the first tutorial, `make demo` takes its cases from here.


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: see the first tutorial."""
    rows, columns = max(1, int(4096 * fraction)), 1000
    torch.manual_seed(0)
    x = torch.randn(rows, columns, device=DEVICE)
    out = torch.empty_like(x)
    return [
        {
            "name": "fused softmax",
            "size": f"{rows:,} × {columns:,} fp32",
            "kernel": softmax_kernel,
            "run": lambda: softmax(x, out),
            "torch": lambda: torch.softmax(x, dim=1, out=out),
            "expected": lambda: torch.softmax(x.double(), dim=1),
            "tolerance": 1e-6,
        }
    ]


def main() -> None:
    """Compare with torch, on a shape that is no multiple of anything, and print the result."""
    x = torch.randn(1823, 781, device=DEVICE)
    ours, theirs = softmax(x), torch.softmax(x, dim=1)
    print(f"FlagTree on {DEVICE}: {ours}")
    print(f"torch    on {DEVICE}: {theirs}")
    difference = (ours - theirs).abs().max().item()
    print(f"largest difference: {difference:.2g}")
    if not difference < 1e-6:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
