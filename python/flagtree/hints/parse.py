# SPDX-License-Identifier: MIT
"""From the source of a kernel to its hints.

    x = tl.load(p)            #@hint: shared_memory
    acc = tl.dot(a, b, acc)   #@hints: dot_pad_only_k, tile(16, 16), stages=3

A list is a single pass over its commas, quotes and brackets: linear whatever the input, no backtracking, no recursion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from flagtree.hints.comments import hint_comments
from flagtree.hints.hint import Hint, Malformed, shortened

_NAME = re.compile(r"[\w \t]*")
_SPECIAL = re.compile(r"[,'\"()\[\]{}]")
_OPEN = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class ParsedHints:
    """All hints of one source: those that could be read and those that could not.

    own_lines: line → column of `#`, of the comments that stand on lines of their own
    """

    hints: tuple[Hint, ...]
    malformed: tuple[Malformed, ...]
    own_lines: Mapping[int, int]

    def __bool__(self) -> bool:
        return bool(self.hints or self.malformed)


@lru_cache(maxsize=1024)
def parse_source(source: str) -> ParsedHints:
    """Parse every hint comment of `source`. Never raises; what cannot be read is in `.malformed`."""
    hints: list[Hint] = []
    malformed: list[Malformed] = []
    own_lines: dict[int, int] = {}
    for line, column, body, body_at, own_line, problem in hint_comments(source):
        if own_line:
            own_lines[line] = column
        if problem or not body.strip():
            reason = problem or "the comment names no hint"
            malformed.append(Malformed(line, column, body.strip(), reason))
            continue
        for offset, text, name, args, reason in _items(body):
            if reason:
                malformed.append(Malformed(line, body_at + offset, text, reason))
            else:
                hints.append(tuple.__new__(Hint, (name, args, line, text, len(hints), body_at + offset)))
    return ParsedHints(tuple(hints), tuple(malformed), own_lines)


def read_attribute(text: str) -> tuple[Hint, ...]:
    """The hints that the attribute `flagtree_hints` holds: canonical texts between commas."""
    found = (item for item in _items(text) if not item.reason)
    return tuple(Hint(item.name, item.args, 0, item.text, at) for at, item in enumerate(found))


class _Item(NamedTuple):
    """One item of a list: a hint, or where `reason` is given none."""

    offset: int
    text: str
    name: str = ""
    args: tuple[str, ...] = ()
    reason: str = ""


@lru_cache(maxsize=4096)
def _items(body: str) -> tuple[_Item, ...]:
    # Most lines of most kernels have the same few lists, and most of these are one word.
    word = body.strip()
    if word.isidentifier():
        return (_Item(body.find(word), word, word),)
    return tuple(
        _parse_item(text.strip(), start + len(text) - len(text.lstrip())) for start, text in _split(body)
    )


def _split(text: str) -> Iterator[tuple[int, str]]:
    """Split at commas that are outside of brackets and quotes: (offset, piece). A last empty piece is dropped."""
    closers: list[str] = []
    quote = ""
    start = 0
    for found in _SPECIAL.finditer(text):
        char = found[0]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in _OPEN:
            closers.append(_OPEN[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif char == "," and not closers:
            yield start, text[start : found.start()]
            start = found.end()
    if text[start:].strip():
        yield start, text[start:]


def _parse_item(text: str, offset: int) -> _Item:
    head = _NAME.match(text).end()
    name = "_".join(text[:head].split())
    rest = text[head:].strip()
    if not name:
        return _Item(offset, text, reason="a hint starts with its name (letters, digits and _)")
    if not name.isidentifier():
        reason = f"{shortened(name)!r} is no name: letters, digits and _ only, no digit first"
        return _Item(offset, text, reason=reason)
    if not rest:
        return _Item(offset, name, name)
    parsed = _parse_rest(rest)
    if isinstance(parsed, str):
        return _Item(offset, text, reason=parsed)
    args, suffix = parsed
    return _Item(offset, name + suffix, name, args)


def _parse_rest(rest: str) -> tuple[tuple[str, ...], str] | str:
    """What follows a name: (args, canonical text), or the reason why it cannot be read."""
    if rest[0] == "=":
        value = rest[1:].strip()
        problem = _unbalanced(value)
        if not value:
            return "there is no value after ="
        return problem or ((value,), f"={value}")
    if rest[0] == "(":
        problem = _unbalanced(rest)
        if problem or not rest.endswith(")"):
            return problem or "there is text after the closing parenthesis"
        args = tuple(piece.strip() for _, piece in _split(rest[1:-1]))
        if not args:
            return (), ""
        if any(not arg for arg in args):
            return "an argument is empty"
        return args, f"({', '.join(args)})"
    return (
        f"unexpected {rest[0]!r} after the name; write name, name=value or name(args), commas between hints"
    )


def _unbalanced(text: str) -> str:
    """The reason why brackets or quotes of `text` do not match, or ""."""
    closers: list[str] = []
    quote = ""
    for char in _SPECIAL.findall(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in _OPEN:
            closers.append(_OPEN[char])
        elif char in ")]}" and (not closers or char != closers.pop()):
            return f"{char!r} closes nothing"
    if quote:
        return f"the quote {quote} is not closed"
    return f"{closers[-1]!r} is missing" if closers else ""
