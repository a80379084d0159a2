# SPDX-License-Identifier: MIT
"""Flash attention
===============

softmax(Q·Kᵀ / √D) · V without ever storing the matrix in the middle, which for T tokens has T² elements. A program owns
a block of queries and walks over blocks of keys. It keeps, for each query, the largest score so far, the sum of
exponentials and the weighted sum of values; when a larger score turns up, what was summed before is scaled down.

    python python/tutorials/05-flash-attention.py
"""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# The kernel
# ----------
# Scores are kept in units of log2, so that `exp2` serves, which is what processors compute. Causal attention lets a
# query see itself and what came before: blocks of keys behind the last query of the block are not visited at all.
#
# A row whose keys are all masked cannot occur: key 0 is seen by every query.
#
# Hints: blocks of keys and values are fetched ahead (`num_stages`, on GPUs), and what the products read goes through
# shared memory.


@triton.jit
def attention_kernel(
    q, k, v, out, tokens, scale, D: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr, CAUSAL: tl.constexpr
):
    first = tl.program_id(0) * BQ
    head = tl.program_id(1).to(tl.int64) * tokens * D
    query = first + tl.arange(0, BQ)
    d = tl.arange(0, D)
    queries = tl.load(q + head + query[:, None] * D + d[None, :], mask=query[:, None] < tokens, other=0.0)
    queries = (queries * (scale * 1.4426950408889634)).to(q.dtype.element_ty)  # log2(e)
    largest = tl.full((BQ,), -float("inf"), tl.float32)
    total = tl.zeros((BQ,), tl.float32)
    mixed = tl.zeros((BQ, D), tl.float32)
    end = tl.minimum(first + BQ, tokens) if CAUSAL else tokens
    # @hint: num_stages=2
    for start in tl.range(0, end, BK):
        key = start + tl.arange(0, BK)
        exists = key < tokens
        keys = tl.load(
            k + head + key[None, :] * D + d[:, None], mask=exists[None, :], other=0.0
        )  # @hint: shared_memory
        scores = tl.dot(queries, keys, input_precision="ieee")
        seen = exists[None, :]
        if CAUSAL:
            seen = seen & (key[None, :] <= query[:, None])
        scores = tl.where(seen, scores, -float("inf"))
        larger = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(largest - larger)
        values = tl.load(
            v + head + key[:, None] * D + d[None, :], mask=exists[:, None], other=0.0
        )  # @hint: shared_memory
        mixed = mixed * shrink[:, None] + tl.dot(weights.to(values.dtype), values, input_precision="ieee")
        total = total * shrink + tl.sum(weights, 1)
        largest = larger
    result = (mixed / total[:, None]).to(out.dtype.element_ty)
    tl.store(out + head + query[:, None] * D + d[None, :], result, mask=query[:, None] < tokens)


# %%
# The launch
# ----------


def attention(q, k, v, causal=False, out=None):
    """Attention of contiguous (batch, heads, tokens, D) tensors of one type, D a power of two from 16 on."""
    same = q.shape == k.shape == v.shape and q.dtype == k.dtype == v.dtype
    if q.dim() != 4 or not same or not all(t.is_contiguous() for t in (q, k, v)):
        raise ValueError(
            "attention wants three contiguous tensors of one shape and type, not "
            f"{tuple(q.shape)}, {tuple(k.shape)} and {tuple(v.shape)}"
        )
    batch, heads, tokens, width = q.shape
    if width < 16 or width & (width - 1):
        raise ValueError(f"attention wants heads of a power of two from 16 on, not {width}")
    out = torch.empty_like(q) if out is None else out
    grid = (triton.cdiv(tokens, 64), batch * heads)
    attention_kernel[grid](q, k, v, out, tokens, width**-0.5, D=width, BQ=64, BK=64, CAUSAL=causal)
    return out


# %%
# Is it right, and is it fast?
# ----------------------------


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: see the first tutorial."""
    tokens = max(8, int(1021 * fraction**0.5))
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 8, tokens, 64, device=DEVICE) for _ in range(3))
    out = torch.empty_like(q)
    torch_attention = torch.nn.functional.scaled_dot_product_attention
    return [
        {
            "name": "flash attention, causal",
            "size": f"8 × {tokens:,} × 64 fp32",
            "kernel": attention_kernel,
            "run": lambda: attention(q, k, v, True, out),
            "torch": lambda: torch_attention(q, k, v, is_causal=True),
            "expected": lambda: torch_attention(q.double(), k.double(), v.double(), is_causal=True),
            "tolerance": 1e-4,
        }
    ]


def main() -> None:
    """Compare with float64, causal and not, on a length that is no multiple of anything."""
    q, k, v = (torch.randn(2, 3, 301, 32, device=DEVICE) for _ in range(3))
    worst = 0.0
    for causal in (False, True):
        exact = torch.nn.functional.scaled_dot_product_attention(
            q.double(), k.double(), v.double(), is_causal=causal
        )
        difference = (attention(q, k, v, causal) - exact).abs().max().item()
        print(f"{'causal' if causal else 'full':7} largest difference: {difference:.2g}")
        worst = max(worst, difference)
    if not worst < 1e-4:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
