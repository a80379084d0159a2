# SPDX-License-Identifier: MIT
"""Hints that NVIDIA devices use."""

from __future__ import annotations

from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support

SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "num_stages": Support({"for"}, "`tt.num_stages`: upstream's pipeliner"),
    "unroll": Support({"for"}, "`tt.loop_unroll_factor`: upstream's loop unroller"),
    "flatten": Support({"for"}, "`tt.flatten`: upstream's fusion of nested loops"),
    "disallow_acc_multi_buffer": Support({"for"}, "`tt.disallow_acc_multi_buffer`: upstream's pipeliner"),
    "warp_specialize": Support({"for"}, "`tt.warp_specialize`: upstream's warp specialisation"),
    "latency": Support({"load"}, "`tt.latency`: upstream's pipeliner"),
}
