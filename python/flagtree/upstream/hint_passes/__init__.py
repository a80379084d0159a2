# SPDX-License-Identifier: MIT
"""Hint passes over upstream's modules, shared by all backends that go through TTIR and TTGIR.

A backend's hints.py lists those it wants as `PASSES`; `stages` runs them between upstream's own stages.
"""

from __future__ import annotations

from flagtree.upstream.hint_passes.cache_policy import CACHE_POLICY
from flagtree.upstream.hint_passes.load_layout import LOAD_LAYOUT
from flagtree.upstream.hint_passes.loop_copies import LOOP_COPIES
from flagtree.upstream.hint_passes.shared_copies import SHARED_COPIES

__all__ = ["CACHE_POLICY", "LOAD_LAYOUT", "LOOP_COPIES", "SHARED_COPIES"]
