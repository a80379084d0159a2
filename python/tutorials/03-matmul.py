# SPDX-License-Identifier: MIT
"""Matrix product
==============

The product of two matrices, tile by tile. Each program computes one tile of the result: it walks along K, and each
step multiplies a block of rows of the left matrix by a block of columns of the right one and adds to the tile.

    python python/tutorials/03-matmul.py
"""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# The kernel
# ----------
# Neighbouring programs should share what they read. Tiles in plain order read a whole band of the right matrix for one
# band of the left; `tl.swizzle2d` makes them walk down GROUP tiles before they move on, so that both bands stay in a
# cache for longer.
#
# Pointers are moved along K by the loop. Rows and columns that do not exist are read from the other side (`%`): they
# give elements of the tile that are never stored, and reading needs no mask for them. Only K needs one, in its last
# block.
#
# Hints. `num_stages=3` fetches blocks ahead on a GPU. `dot_pad_only_k` tells an NPU that only K is padded.
# `input_precision="ieee"` is no hint: it asks for products in full fp32, which a GPU would round to tf32.


@triton.jit
def matmul_kernel(
    a, b, out, M, N, K, a_row, a_column, b_row, b_column, out_row,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    tile_row, tile_column = tl.swizzle2d(
        tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), GROUP
    )
    row = (tile_row * BM + tl.arange(0, BM)) % M
    column = (tile_column * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    left = a + row[:, None] * a_row + k[None, :] * a_column
    right = b + k[:, None] * b_row + column[None, :] * b_column
    total = tl.zeros((BM, BN), tl.float32)
    # @hint: num_stages=3
    for start in tl.range(0, K, BK):
        x = tl.load(left, mask=k[None, :] < K - start, other=0.0)  # @hint: shared_memory
        y = tl.load(right, mask=k[:, None] < K - start, other=0.0)  # @hint: shared_memory
        total = tl.dot(x, y, total, input_precision="ieee")  # @hint: dot_pad_only_k
        left += BK * a_column
        right += BK * b_row
    row = tile_row * BM + tl.arange(0, BM)
    column = tile_column * BN + tl.arange(0, BN)
    inside = (row[:, None] < M) & (column[None, :] < N)
    tl.store(out + row[:, None] * out_row + column[None, :], total.to(out.dtype.element_ty), mask=inside)


# %%
# The launch
# ----------
# Strides are passed, so transposed matrices and parts of wider ones need no copy.


def matmul(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """The product of `a` (M × K) and `b` (K × N), summed in fp32; written to `out`, whose rows are contiguous."""
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[0] or a.dtype != b.dtype:
        raise ValueError(
            "matmul wants matrices M × K and K × N of one type, not "
            f"{tuple(a.shape)} {a.dtype} and {tuple(b.shape)} {b.dtype}"
        )
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device) if out is None else out
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    matmul_kernel[grid](
        a, b, out, m, n, k, *a.stride(), *b.stride(), out.stride(0), BM=64, BN=64, BK=32, GROUP=8
    )  # fmt: skip
    return out


# %%
# Is it right, and is it fast?
# ----------------------------


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: see the first tutorial."""
    size = max(8, int(1000 * fraction ** (1 / 3)))
    torch.manual_seed(0)
    a, b = torch.randn(size, size, device=DEVICE), torch.randn(size, size, device=DEVICE)
    out = torch.empty_like(a)
    return [
        {
            "name": "matrix product",
            "size": f"{size:,}³ fp32",
            "kernel": matmul_kernel,
            "run": lambda: matmul(a, b, out),
            "torch": lambda: torch.mm(a, b, out=out),
            "expected": lambda: a.double() @ b.double(),
            "tolerance": 2e-3,
        }
    ]


def main() -> None:
    """Compare with float64, on shapes that are no multiple of anything, plain and transposed, and print the result."""
    a, b = torch.randn(301, 257, device=DEVICE), torch.randn(193, 257, device=DEVICE).t()
    ours, exact = matmul(a, b), a.double() @ b.double()
    print(f"FlagTree on {DEVICE}: {ours}")
    print(f"float64  on {DEVICE}: {exact}")
    difference = (ours - exact).abs().max().item()
    print(f"largest difference: {difference:.2g}")
    if not difference < 1e-3:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
