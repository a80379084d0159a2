# SPDX-License-Identifier: MIT
"""Kernels that the CPU backend refuses, as the documents say."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def descriptor_reduce(a, o, n, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    d = tl.make_tensor_descriptor(o, [n], [1], [B])
    d.atomic_add([0], tl.load(a + i))
