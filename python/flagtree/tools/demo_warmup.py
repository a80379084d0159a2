# SPDX-License-Identifier: MIT
"""A kernel that is compiled and run before anything is measured."""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl


@triton.jit
def _copy(x, out, BLOCK: tl.constexpr):  # noqa: ANN001, ANN202  (a kernel: its types are Triton's business)
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))


def warm_up(device: Any) -> None:
    """What a process does once (loading the compiler, starting threads), so that no first call is charged with it."""
    import torch

    x = torch.zeros(16, device=device)
    _copy[(1,)](x, torch.empty_like(x), BLOCK=16)
