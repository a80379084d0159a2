# SPDX-License-Identifier: MIT
"""Vector addition
===============

The smallest kernel that shows how Triton thinks: many small programs, each of which handles one block of the data.
It also shows the one thing that FlagTree adds to the source: hints.

Run it as it is, on a laptop or on a machine with a GPU:

    python python/tutorials/01-vector-add.py

Nothing here imports FlagTree. Once it is installed, `import triton` is enough.
"""

import torch
import triton
import triton.language as tl

# The device that Triton has chosen: a GPU when there is one, else the CPU. The rest of this file does not care.
DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# The kernel
# ----------
# A launch starts `cdiv(n, BLOCK)` programs. Each learns its number from `tl.program_id` and works out which elements
# are its own. BLOCK is a `tl.constexpr`: it is known when the kernel is compiled, so that the compiler can choose
# vector instructions for it.
#
# The vector need not be a multiple of BLOCK. `mask` says which lanes exist; nothing is read or written for the others.
#
# A hint is a comment. `#@hint: evict(first)` says that what is stored here is not soon read again, so a GPU's cache may
# drop it before anything else and keep what is read. A device that does not use a hint ignores it, and Triton without
# FlagTree sees a comment: the kernel is the same program everywhere. What became of each hint is part of the table
# that `make demo` prints.


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    exists = index < n
    a = tl.load(x + index, mask=exists)
    b = tl.load(y + index, mask=exists)
    tl.store(out + index, a + b, mask=exists)  # @hint: evict(first)


# %%
# The launch
# ----------
# A kernel knows nothing of shapes or devices, so a function around it does the book-keeping. The part in brackets is
# the grid, the number of programs. The first call compiles, which takes milliseconds; later calls find the kernel in
# memory, and other processes find it on disk.


def add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """x + y, for tensors of one shape and type that are contiguous; written to `out` when it is given."""
    if x.shape != y.shape or not (x.is_contiguous() and y.is_contiguous()):
        raise ValueError(
            f"add wants contiguous tensors of one shape, not {tuple(x.shape)} and {tuple(y.shape)}"
        )
    out = torch.empty_like(x) if out is None else out
    n = out.numel()
    block = 1024
    add_kernel[(triton.cdiv(n, block),)](x, y, out, n, BLOCK=block)
    return out


# %%
# Is it right, and is it fast?
# ----------------------------
# `make demo` asks every tutorial for its cases and does the measuring. `fraction` scales the problem, because an
# interpreter needs a smaller one.


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: its name and size in words, the kernel, and functions without arguments.

    run, torch: compute into the same output tensor and return it; expected: the result in float64
    tolerance:  the largest absolute error that is right
    """
    n = max(1, int((4 << 20) * fraction)) + 3  # not a multiple of anything
    torch.manual_seed(0)
    x, y = torch.rand(n, device=DEVICE), torch.rand(n, device=DEVICE)
    out = torch.empty_like(x)
    return [
        {
            "name": "vector add",
            "size": f"{n:,} × fp32",
            "kernel": add_kernel,
            "run": lambda: add(x, y, out),
            "torch": lambda: torch.add(x, y, out=out),
            "expected": lambda: x.double() + y.double(),
            "tolerance": 2e-7,
        }
    ]


def main() -> None:
    """Compare with torch and print the result."""
    x, y = torch.rand(98_432, device=DEVICE), torch.rand(98_432, device=DEVICE)
    ours, theirs = add(x, y), x + y
    print(f"FlagTree on {DEVICE}: {ours}")
    print(f"torch    on {DEVICE}: {theirs}")
    difference = (ours - theirs).abs().max().item()
    print(f"largest difference: {difference}")
    if difference != 0:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
