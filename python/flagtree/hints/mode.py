# SPDX-License-Identifier: MIT
"""FLAGTREE_HINTS: what becomes of hints and of what is wrong with them."""

from __future__ import annotations

import os
import warnings
from enum import Enum

from flagtree.hints.hint import HintError, HintWarning

_VARIABLE = "FLAGTREE_HINTS"


class HintMode(Enum):
    """off: comments are comments. silent: applied, problems kept in the report. warn, error: problems are told."""

    OFF = "off"
    SILENT = "silent"
    WARN = "warn"
    ERROR = "error"


def mode() -> HintMode:
    """The mode now. An unknown value counts as silent and is told once, for it must not break a compile."""
    value = os.environ.get(_VARIABLE, "").strip().lower()
    try:
        return HintMode(value) if value else HintMode.SILENT
    except ValueError:
        allowed = ", ".join(m.value for m in HintMode)
        warnings.warn(
            f"{_VARIABLE}={value!r} is unknown (allowed: {allowed}); silent is used",
            HintWarning,
            stacklevel=2,
        )
        return HintMode.SILENT


def report(problems: list[str], where: str) -> None:
    """Tell `problems` of the kernel `where` as the mode says. Raises HintError under FLAGTREE_HINTS=error only."""
    if not problems:
        return
    now = mode()
    if now is HintMode.ERROR:
        raise HintError(f"{where}: " + "; ".join(problems) + f" ({_VARIABLE}=error)")
    if now is HintMode.WARN:
        for problem in problems:
            warnings.warn(f"{where}: {problem}", HintWarning, stacklevel=2)
