# SPDX-License-Identifier: MIT
"""Hints that the CPU uses."""

from __future__ import annotations

from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support

SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "prefetch": Support({"load"}, "prefetch instructions for the block that the load reads that much later"),
    "unroll": Support({"for"}, "copies of the body whose work on blocks becomes one loop over registers"),
    "vectorize": Support(
        {"for", "load", "store"}, "how many elements a loop over registers takes at once, unless it adds up"
    ),
}
_CACHES = "memory is read through caches"
#: Why others are not used, for the user guide.
UNUSED: dict[str, str] = {
    "dma": "there is no copy engine",
    "latency": f"{_CACHES}; `prefetch` asks for what comes later",
    "multibuffer": f"{_CACHES}, which hold several blocks anyway",
    "num_stages": f"{_CACHES}; `prefetch` asks for what comes later",
    "parallel": "programs are what runs at the same time here",
    "shared_memory": _CACHES,
    "warp_specialize": "there are no warps",
}
