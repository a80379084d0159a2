# SPDX-License-Identifier: MIT
"""Hints that NVIDIA devices use."""

from __future__ import annotations

from flagtree.compiler.hardware import UnifiedHardware
from flagtree.hints.hint import Hint
from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support
from flagtree.upstream.hint_passes import CACHE_POLICY, LOAD_LAYOUT, LOOP_COPIES, SHARED_COPIES


def _specialises(hint: Hint, kind: str, hardware: UnifiedHardware) -> str:
    if not hardware.facts.get("warp_size") or hardware.has("warp_specialization"):
        return ""  # of an architecture that is not known here, upstream decides
    return f"warps are specialised from sm90 on, this is {hardware.arch}"


SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "shared_memory": Support(
        {"load"},
        "`cp.async` into shared memory, begun early and awaited before the first use; in a loop `tt.num_stages`, "
        "as many as keep the memory busy and fit",
        memory="shared",
    ),
    "num_stages": Support({"for"}, "`tt.num_stages`: upstream's pipeliner"),
    "unroll": Support({"for"}, "`tt.loop_unroll_factor`: upstream's loop unroller"),
    "flatten": Support({"for"}, "`tt.flatten`: upstream's fusion of nested loops"),
    "disallow_acc_multi_buffer": Support({"for"}, "`tt.disallow_acc_multi_buffer`: upstream's pipeliner"),
    "warp_specialize": Support(
        {"for"}, "`tt.warp_specialize`: upstream's warp specialisation, from sm90 on", _specialises
    ),
    "latency": Support({"load"}, "`tt.latency`: upstream's pipeliner"),
    "cache": Support({"load", "store"}, "the cache modifier of `ld.global`, `st.global` and `cp.async`"),
    "evict": Support({"load", "store"}, "`L1::evict_…`, and for L2 a cache policy"),
    "layout": Support({"load"}, "a blocked layout of that order for the load"),
}
#: Passes between upstream's stages, in order.
PASSES = (CACHE_POLICY, LOOP_COPIES, LOAD_LAYOUT, SHARED_COPIES)
