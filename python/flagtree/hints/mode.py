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
    """What is wrong with one hint, and where.

    file, line: as an editor counts; column: 0-based, in `source`, which is that line
    """

    file: str
    line: int
    column: int
    text: str
    source: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"

    def with_caret(self) -> str:
        """The text, the line, and a caret below the hint."""
        start = max(0, self.column - _BEFORE)
        shown = self.source[start : start + _SHOWN].rstrip()
        # One column each, so that the caret is where it should be.
        line = "".join(char if char.isprintable() else " " for char in shown)
        return f"{self}\n    {line}\n    {' ' * (self.column - start)}^"


#: Of a long line, what is shown: so much before the caret, so much in all.
_BEFORE, _SHOWN = 70, 100


def report(problems: list[Problem], function: str) -> None:
    """Tell the problems of `function` as the mode says. Raises HintError under FLAGTREE_HINTS=error only."""
    if not problems:
        return
    now = mode()
    if now is HintMode.ERROR:
        each = "\n".join(problem.with_caret() for problem in problems)
        raise HintError(f"{each}\n(kernel `{function}`, {_VARIABLE}=error)")
    if now is HintMode.WARN:
        for problem in problems:
            text = f"{problem.text} (kernel `{function}`)"
            warnings.warn_explicit(text, HintWarning, problem.file, problem.line)
