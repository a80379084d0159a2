# SPDX-License-Identifier: MIT
"""Hints and their fates as tables show them."""

from __future__ import annotations

import ast
import linecache

from rich.text import Text

from flagtree.hints.account import Fate, Status
from flagtree.hints.hint import shortened

_STYLES = {Status.APPLIED: "green", Status.UNUSED: "yellow", Status.REJECTED: "red"}


def in_words(fate: Fate | None, with_reason: bool = False) -> Text:
    """The cell of a table. None: the kernel could not be compiled for the target."""
    if fate is None:
        return Text("not compiled", style="dim")
    reason = fate.status is Status.REJECTED or with_reason
    text = f"{fate.status.value}: {fate.reason}" if reason else fate.status.value
    return Text(text, style=_STYLES[fate.status])


def hint_text(fate: Fate) -> Text:
    """The hint, as it was written, if that is not too long."""
    return Text(shortened(fate.text))


def statement_of(fate: Fate) -> str:
    """The statement that the hint is for, on one line, without what is nested in it."""
    lines = linecache.getlines(fate.file)
    line = fate.line
    while line < len(lines) and lines[line - 1].strip().startswith("#"):
        line += 1  # a hint on a line of its own is for what follows
    found = [n for n in ast.walk(ast.parse("".join(lines))) if isinstance(n, ast.stmt) and _covers(n, line)]
    if not found:
        return ""
    node = max(found, key=lambda n: n.lineno)
    body = getattr(node, "body", None)
    last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
    pieces = (text.partition("#")[0].strip() for text in lines[node.lineno - 1 : last])
    return " ".join(piece for piece in pieces if piece)


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
