# SPDX-License-Identifier: MIT
"""Hint comments of a source text: `#@hint:` and `#@hints:`, found with Python's tokenizer."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

_KEYWORDS = ("hints", "hint")


@dataclass(frozen=True)
class Comment:
    """A hint comment.

    line:      1-based line
    column:    0-based column of `#`
    body:      what follows the colon
    body_at:   0-based column where `body` starts
    own_line:  True when nothing but blanks precede it
    """

    line: int
    column: int
    body: str
    body_at: int
    own_line: bool


def hint_comments(source: str) -> list[Comment]:
    """All hint comments of `source`, in order. Text inside strings is none. Linear in the length of `source`."""
    if "#" not in source or "@" not in source:
        return []
    return list(_scan(source))


def _scan(source: str) -> Iterator[Comment]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and (found := _match(token)) is not None:
                yield found
    except (tokenize.TokenError, IndentationError, SyntaxError):
        # Whoever compiles this source says what is wrong with it; hints never do.
        return


def _match(token: tokenize.TokenInfo) -> Comment | None:
    """The comment as a hint comment: `#`, `@`, `hint` or `hints`, `:`, with any blanks between them."""
    text = token.string
    at = _skip_blanks(text, 1)
    if at >= len(text) or text[at] != "@":
        return None
    at = _skip_blanks(text, at + 1)
    keyword = next((k for k in _KEYWORDS if text.startswith(k, at)), None)
    if keyword is None:
        return None
    at = _skip_blanks(text, at + len(keyword))
    if at >= len(text) or text[at] != ":":
        return None
    line, column = token.start
    own = not token.line[:column].strip() if "\n" not in token.line[:-1] else _own_line(token)
    return Comment(line, column, text[at + 1 :], column + at + 1, own)


def _own_line(token: tokenize.TokenInfo) -> bool:
    """`token.line` may hold several physical lines (inside brackets): look at the comment's own."""
    for physical in token.line.splitlines():
        if physical[token.start[1] :].rstrip() == token.string.rstrip():
            return not physical[: token.start[1]].strip()
    return False


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at
