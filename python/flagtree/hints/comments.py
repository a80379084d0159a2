# SPDX-License-Identifier: MIT
"""Hint comments of a source text: `#@hint:` and `#@hints:`.

Sources without anything that looks like one cost one search, and those without strings little more. The others are
scanned for strings and comments by one regular expression; Python's own tokenizer, which is a hundred times slower,
reads only those with an f-string, because since Python 3.12 these nest.
"""

from __future__ import annotations

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
    """Of a source without strings: what looks like one is one, if no comment started before it on its line."""
    line, counted = 1, 0
    for found in _HEAD.finditer(source):
        at = found.start()
        start = source.rfind("\n", 0, at) + 1
        before = source[start:at]
        if "#" in before:
            continue
        line += source.count("\n", counted, at)
        counted = at
        end = source.find("\n", at)
        yield _comment(found, source[found.end() : end if end >= 0 else None], line, at - start, before)


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
    head = _HEAD.match(text)
    return None if head is None else _comment(head, text[head.end() :], line, column, before)


def _comment(head: re.Match[str], body: str, line: int, column: int, before: str) -> Comment:
    problem = ""
    if not head[1].islower():
        problem = f"write it in lower case: #@{head[1].lower()}:"
    elif not head[2]:
        problem = f"there is no colon after #@{head[1]}"
    return Comment(line, column, body, column + head.end() - head.start(), not before.strip(), problem)
