# SPDX-License-Identifier: MIT
"""Cross entropy
=============

The loss of a language model: for each row of scores, the logarithm of the sum of their exponentials minus the score of
the right class. A vocabulary is too wide for one block, so a program walks over it once, with the largest score so far
and the sum of exponentials relative to it. The second kernel turns the same scores into their gradient.

    python python/tutorials/06-cross-entropy.py
"""

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

# %%
# The kernels
# -----------
# Each lane of the block keeps its own maximum and sum, and they are put together once, at the end: the loop then has
# no reduction in it. A lane that has seen nothing has minus infinity as its maximum, and its sum must count as zero.
#
# A row whose target is IGNORED has loss 0 and gradient 0, as in torch.

IGNORED = tl.constexpr(-100)


@triton.jit
def loss_kernel(scores, targets, losses, logsums, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    source = scores + row.to(tl.int64) * classes
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    # @hint: unroll(4)
    for start in tl.range(0, classes, BLOCK):
        column = start + tl.arange(0, BLOCK)
        x = tl.load(source + column, mask=column < classes, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(largest, x)
        # Before its first score a lane has nothing to scale, and inf - inf would be no number.
        shrink = tl.where(larger == -float("inf"), 0.0, tl.exp(largest - larger))
        total = total * shrink + tl.where(x == -float("inf"), 0.0, tl.exp(x - larger))
        largest = larger
    top = tl.max(largest, 0)
    logsum = tl.log(tl.sum(total * tl.exp(largest - top), 0)) + top
    target = tl.load(targets + row)
    right = tl.load(source + tl.where(target == IGNORED, 0, target)).to(tl.float32)
    tl.store(losses + row, tl.where(target == IGNORED, 0.0, logsum - right))
    tl.store(logsums + row, logsum)


@triton.jit
def gradient_kernel(scores, targets, logsums, dlosses, dscores, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    target = tl.load(targets + row)
    factor = tl.where(target == IGNORED, 0.0, tl.load(dlosses + row))
    logsum = tl.load(logsums + row)
    start = row.to(tl.int64) * classes
    # @hint: num_stages=3
    for first in tl.range(0, classes, BLOCK):
        column = first + tl.arange(0, BLOCK)
        exists = column < classes
        x = tl.load(scores + start + column, mask=exists, other=-float("inf")).to(
            tl.float32
        )  # @hint: shared_memory
        probability = tl.exp(x - logsum)
        gradient = tl.where(column == target, probability - 1, probability) * factor
        tl.store(dscores + start + column, gradient.to(dscores.dtype.element_ty), mask=exists)


# %%
# The launches
# ------------

BLOCK = 1024


def cross_entropy(scores, targets, losses=None):
    """(losses, logsums) of contiguous scores (rows × classes) and int64 targets (rows); a loss for each row."""
    if scores.dim() != 2 or not scores.is_contiguous() or targets.shape != scores.shape[:1]:
        raise ValueError(
            "cross_entropy wants contiguous scores, rows × classes, and a target for each row, not "
            f"{tuple(scores.shape)} and {tuple(targets.shape)}"
        )
    rows, classes = scores.shape
    losses = torch.empty(rows, device=scores.device) if losses is None else losses
    logsums = torch.empty(rows, device=scores.device)
    loss_kernel[(rows,)](scores, targets, losses, logsums, classes, BLOCK=BLOCK)
    return losses, logsums


def cross_entropy_backward(scores, targets, logsums, dlosses):
    """The gradient of the scores, of the gradient of each row's loss."""
    dscores = torch.empty_like(scores)
    rows, classes = scores.shape
    gradient_kernel[(rows,)](scores, targets, logsums, dlosses, dscores, classes, BLOCK=BLOCK)
    return dscores


# %%
# Is it right, and is it fast?
# ----------------------------


def benchmark_cases(fraction: float = 1.0) -> list[dict]:
    """Each case: see the first tutorial."""
    rows, classes = max(1, int(256 * fraction)), 32_003
    torch.manual_seed(0)
    scores = torch.randn(rows, classes, device=DEVICE)
    targets = torch.randint(0, classes, (rows,), device=DEVICE)
    losses = torch.empty(rows, device=DEVICE)
    torch_loss = torch.nn.functional.cross_entropy
    return [
        {
            "name": "cross entropy",
            "size": f"{rows:,} × {classes:,} fp32",
            "kernel": loss_kernel,
            "run": lambda: cross_entropy(scores, targets, losses)[0],
            "torch": lambda: torch_loss(scores, targets, reduction="none"),
            "expected": lambda: torch_loss(scores.double(), targets, reduction="none"),
            "tolerance": 1e-4,
        }
    ]


def main() -> None:
    """Compare losses and gradients with float64, with an ignored row, and print the largest differences."""
    scores = torch.randn(37, 5_003, device=DEVICE) * 5
    targets = torch.randint(0, 5_003, (37,), device=DEVICE)
    targets[3] = -100
    dlosses = torch.rand(37, device=DEVICE)
    losses, logsums = cross_entropy(scores, targets)
    dscores = cross_entropy_backward(scores, targets, logsums, dlosses)
    exact = scores.double().requires_grad_()
    expected = torch.nn.functional.cross_entropy(exact, targets, reduction="none", ignore_index=-100)
    expected.backward(dlosses.double())
    pairs = {"losses": (losses, expected.detach()), "gradients": (dscores, exact.grad)}
    differences = {name: (a - b).abs().max().item() for name, (a, b) in pairs.items()}
    for name, difference in differences.items():
        print(f"{name:10} largest difference: {difference:.2g}")
    if not max(differences.values()) < 1e-4:
        raise SystemExit("the results differ")


if __name__ == "__main__":
    main()
