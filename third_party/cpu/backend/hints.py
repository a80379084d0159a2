# SPDX-License-Identifier: MIT
"""Hints that the CPU uses."""

from __future__ import annotations

from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support

SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "unroll": Support({"for"}, "copies of the body whose work on blocks becomes one loop over registers"),
}
