# SPDX-License-Identifier: MIT
"""Hints that AMD devices use."""

from __future__ import annotations

from flagtree.hints.registry import HintSpec
from flagtree.hints.support import Support

SPECS: tuple[HintSpec, ...] = ()
SUPPORT: dict[str, Support] = {
    "num_stages": Support({"for"}, "`tt.num_stages`: upstream's pipeliner"),
    "unroll": Support({"for"}, "`tt.loop_unroll_factor`: upstream's loop unroller"),
}
