# SPDX-License-Identifier: MIT
"""One hint, as a person wrote it."""

from __future__ import annotations

from typing import NamedTuple


class Hint(NamedTuple):
    """`name`, `name=value` or `name(args)` in a `#@hint:` comment.

    name:   identifier, blanks between words joined by `_` (`warp specialize` is `warp_specialize`)
    args:   the value after `=`, or the arguments in parentheses, as written; empty for a bare name
    line:   1-based line of the comment in the kernel's source, counted from its `def`
    text:   as written, less superfluous blanks
    index:  position among all hints of the source, so that two equal hints on one line stay two
    column: 0-based column of the hint's first character
    """

    name: str
    args: tuple[str, ...]
    line: int
    text: str
    index: int = 0
    column: int = 0


class Malformed(NamedTuple):
    """A piece of a hint comment that is no hint, and why. line and column as in `Hint`."""

    line: int
    column: int
    text: str
    reason: str


def shortened(text: str, limit: int = 60) -> str:
    """`text` for a message: a comment may be ten thousand characters long."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


class HintError(ValueError):
    """Raised only under FLAGTREE_HINTS=error: names the hint, its line and what is wrong with it."""

    def __repr__(self) -> str:
        # Upstream's front end puts the repr of an error into its own; lines must stay lines.
        return f"HintError: {self}"


class HintWarning(UserWarning):
    """Given under FLAGTREE_HINTS=warn for every hint that is malformed or misplaced."""
