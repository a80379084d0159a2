# SPDX-License-Identifier: MIT
"""Hint comments of a source text: `#@hint:` and `#@hints:`.

Sources without anything that looks like one cost one search, and those without strings little more. The others are
scanned for strings and comments by one regular expression; Python's own tokenizer, which is a hundred times slower,
reads only those with an f-string, because since Python 3.12 these nest.
"""

from __future__ import annotations

import functools
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

_CANDIDATE = re.compile(r"#[ \t]*@[ \t]*hint", re.IGNORECASE)
#: What a comment starts with to be meant as one of hints: `hint` or `hints`, and no longer word.
_HEAD = re.compile(r"#[ \t]*@[ \t]*(hints?)(?!\w)[ \t]*(:?)", re.IGNORECASE)
_F_STRING = re.compile(r"\b(?:f|fr|rf|t|tr|rt)['\"]", re.IGNORECASE)
#: In order: a comment, long strings, short strings. Each alternative starts with a character of its own, which lets
#: `re` leap from one to the next, and ends where it cannot go back.
_LEXEME = re.compile(
    r"#[^\r\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\r\n]*(?:\\(?:\r\n|.)[^"\\\r\n]*)*"'
    r"|'[^'\\\r\n]*(?:\\(?:\r\n|.)[^'\\\r\n]*)*'",
    re.DOTALL,
)
#: Characters of a comment that is worth remembering.
_SHORT = 200
_LINE_END = re.compile(r"\r\n|\r|\n")


class Comment(NamedTuple):
    """A hint comment.

    line:      1-based line
    column:    0-based column of `#`
    body:      what follows the colon
    body_at:   0-based column where `body` starts
    own_line:  True when nothing but blanks precede it
    problem:   why it is no hint comment although it looks like one, or ""
    """

    line: int
    column: int
    body: str
    body_at: int
    own_line: bool
    problem: str = ""


def hint_comments(source: str) -> list[Comment]:
    """All hint comments of `source`, in order. Text inside strings is none. Linear in the length of `source`."""
    if _CANDIDATE.search(source) is None:
        return []
    if not any(char in source for char in "'\"\r"):
        return list(_searched(source))
    return list(_tokenised(source) if _F_STRING.search(source) else _scanned(source))


def _searched(source: str) -> Iterator[Comment]:
    """Of a source without strings: the first `#` of a line starts its comment."""
    for line, text in enumerate(source.split("\n"), 1):
        column = text.find("#")
        if column >= 0:
            comment = _match(text[column:], line, column, text[:column])
            if comment is not None:
                yield comment


def _scanned(source: str) -> Iterator[Comment]:
    starts = [0, *(end.end() for end in _LINE_END.finditer(source))]
    line = 0
    for found in _LEXEME.finditer(source):
        if found[0][0] != "#":
            continue  # a string
        at = found.start()
        while line + 1 < len(starts) and starts[line + 1] <= at:
            line += 1
        comment = _match(found[0], line + 1, at - starts[line], source[starts[line] : at])
        if comment is not None:
            yield comment


def _tokenised(source: str) -> Iterator[Comment]:
    lines = _LINE_END.split(source)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                line, column = token.start
                before = lines[line - 1][:column] if line <= len(lines) else ""
                comment = _match(token.string.rstrip("\r\n"), line, column, before)
                if comment is not None:
                    yield comment
    except (tokenize.TokenError, IndentationError, SyntaxError):
        # Whoever compiles this source says what is wrong with it; hints never do.
        return


def _match(text: str, line: int, column: int, before: str) -> Comment | None:
    """The comment `text` as a hint comment, or None. before: what precedes it on its line."""
    found = _read(text) if len(text) < _SHORT else _read.__wrapped__(text)
    if found is None:
        return None
    body, skipped, problem = found
    return tuple.__new__(Comment, (line, column, body, column + skipped, not before.strip(), problem))


@functools.lru_cache(maxsize=4096)
def _read(text: str) -> tuple[str, int, str] | None:
    """(body, characters before it, problem) of a comment, or None. Most comments of most kernels are the same few."""
    head = _HEAD.match(text)
    if head is None:
        return None
    word, colon = head.groups()
    problem = "" if colon else f"there is no colon after #@{word}"
    if not word.islower():
        problem = f"write it in lower case: #@{word.lower()}:"
    return text[head.end() :], head.end(), problem
