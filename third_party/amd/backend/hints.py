# SPDX-License-Identifier: MIT
"""Hints that AMD devices use."""

from __future__ import annotations

from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support
from flagtree.upstream.hint_passes import CACHE_POLICY, LOAD_LAYOUT, LOOP_COPIES, SHARED_COPIES

SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "shared_memory": Support(
        {"load"},
        "a copy through LDS, asynchronous from gfx950 on; in a loop `tt.num_stages`, as many as keep the memory "
        "busy and fit",
        memory="shared",
    ),
    "num_stages": Support({"for"}, "`tt.num_stages`: upstream's pipeliner"),
    "unroll": Support({"for"}, "`tt.loop_unroll_factor`: upstream's loop unroller"),
    "flatten": Support({"for"}, "`tt.flatten`: upstream's fusion of nested loops"),
    "cache": Support({"load", "store"}, "the cache bits of loads and stores (`sc0`, `sc1`, `nt`)"),
    "layout": Support({"load"}, "a blocked layout of that order for the load"),
}
#: Passes between upstream's stages, in order.
PASSES = (CACHE_POLICY, LOOP_COPIES, LOAD_LAYOUT, SHARED_COPIES)
