# SPDX-License-Identifier: MIT
"""Hints: comments that tell the compiler more, and that can never break a compile."""

from __future__ import annotations

from flagtree.hints.hint import Hint, HintError, HintWarning, Malformed
from flagtree.hints.mode import HintMode, mode
from flagtree.hints.parse import ParsedHints, parse_source

__all__ = ["Hint", "HintError", "HintMode", "HintWarning", "Malformed", "ParsedHints", "mode", "parse_source"]
