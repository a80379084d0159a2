# SPDX-License-Identifier: MIT
"""FLAGTREE_HINTS: what becomes of hints and of what is wrong with them."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Problem:
    """What is wrong with one hint, and where: a file and a 1-based line in it."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def report(problems: list[Problem], function: str) -> None:
    """Tell the problems of `function` as the mode says. Raises HintError under FLAGTREE_HINTS=error only."""
    if not problems:
        return
    now = mode()
    if now is HintMode.ERROR:
        raise HintError("; ".join(map(str, problems)) + f" (kernel `{function}`, {_VARIABLE}=error)")
    if now is HintMode.WARN:
        for problem in problems:
            text = f"{problem.text} (kernel `{function}`)"
            warnings.warn_explicit(text, HintWarning, problem.file, problem.line)
