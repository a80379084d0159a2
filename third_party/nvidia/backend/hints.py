# SPDX-License-Identifier: MIT
"""Hints that NVIDIA devices use.

The front end sets upstream's own attributes, which upstream's pipeline reads by itself; they need no pass.
"""

from __future__ import annotations

#: Hint → the kinds of operation on which upstream's pipeline for this device acts on it.
UPSTREAM_HINTS: dict[str, tuple[str, ...]] = {
    "num_stages": ("for",),
    "loop_unroll_factor": ("for",),
    "flatten": ("for",),
    "disallow_acc_multi_buffer": ("for",),
    "warp_specialize": ("for",),
    "latency": ("load",),
}
