# SPDX-License-Identifier: MIT
"""Functions that differ on the CPU, found by name; what is not here behaves as in the trunk."""

from __future__ import annotations

import os
from typing import Any


def hardware_facts(arch: str) -> dict[str, Any]:
    """What differs from one processor to the next: cores that may be used, and caches. Empty for another processor."""
    from flagtree.backends.cpu.host import cache_levels, machine, requested_cpu

    if arch != machine() or any(requested_cpu()):
        return {}
    caches = {f"l{level}": {"bytes": size} for level, size in cache_levels().items()}
    return {"compute_units": len(os.sched_getaffinity(0)), "memory": caches}
