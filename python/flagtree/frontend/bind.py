# SPDX-License-Identifier: MIT
"""Bind each hint of a source to the statement it stands at, by lines of the syntax tree."""

from __future__ import annotations

import ast
import functools
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from flagtree.hints.hint import Hint
from flagtree.hints.parse import ParsedHints

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
#: Behind every column.
_FAR = 1 << 30
_NO_STATEMENT = "no statement is on this line or follows it"
_NOT_IN_ITS_BLOCK = "no statement follows it in its block"


@dataclass(frozen=True)
class Unbound:
    """A hint with no statement to belong to, and why."""

    hint: Hint
    reason: str


@dataclass
class Binding:
    """Statement → its hints, in source order. Statements are compared by identity."""

    by_statement: dict[ast.stmt, list[Hint]] = field(default_factory=dict)
    unbound: list[Unbound] = field(default_factory=list)


def bind(function: ast.FunctionDef, parsed: ParsedHints) -> Binding:
    """Bind `parsed` to the statements inside `function`, both counted from the same first line."""
    result = Binding()
    if not parsed.hints:
        return result
    statements = _statements(function)
    headers = _innermost_by_line(statements, _header_end)
    on_own_line = _OnOwnLine(statements) if parsed.own_lines else None
    line, bound = 0, []
    for hint in parsed.hints:
        if hint.line != line:  # hints of one line share their fate
            line = hint.line
            column = parsed.own_lines.get(line)
            if column is None or on_own_line is None:
                inside, reason = headers.get(line), _NO_STATEMENT
            else:
                inside, reason = on_own_line.find(line, column)
            bound = result.by_statement.setdefault(inside, []) if inside is not None else None
        if bound is not None:
            bound.append(hint)
        else:
            result.unbound.append(Unbound(hint, reason))
    return result


class _OnOwnLine:
    """Finds the statement of a comment that stands on a line of its own: the one around it, or else the next."""

    def __init__(self, statements: list[ast.stmt]) -> None:
        self._touched = _innermost_by_line(statements, _expression_end)
        self._starts = sorted(statements, key=lambda s: (s.lineno, s.col_offset))

    def find(self, line: int, column: int) -> tuple[ast.stmt | None, str]:
        """The statement, or None and why there is none."""
        inside = self._touched.get(line)
        if inside is not None:
            return inside, ""
        at = bisect_right(self._starts, line, key=lambda s: s.lineno)
        if at == len(self._starts):
            return None, _NO_STATEMENT
        following = self._starts[at]
        return (following, "") if following.col_offset >= column else (None, _NOT_IN_ITS_BLOCK)


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """Outer ones before those within. Only blocks are looked through: expressions hold no statements and are most of
    a tree."""
    found: list[ast.stmt] = []
    _gather(function, found)
    return found


def _gather(around: ast.AST, found: list[ast.stmt]) -> None:
    for name in _blocks(type(around)):
        for node in getattr(around, name):
            if isinstance(node, ast.stmt):
                found.append(node)
            if _blocks(type(node)):
                _gather(node, found)


@functools.cache
def _blocks(kind: type[ast.AST]) -> tuple[str, ...]:
    """Fields of such nodes that hold statements, or what holds statements."""
    return tuple(name for name in _BLOCKS if name in kind._fields)


def _innermost_by_line(statements: list[ast.stmt], end: Callable[[ast.stmt], int]) -> dict[int, ast.stmt]:
    """Line → the statement that owns it. Statements come outside in, so the innermost, then the last, wins."""
    owner: dict[int, ast.stmt] = {}
    for statement in statements:
        first, last = statement.lineno, statement.end_lineno
        owner[first] = statement
        if last != first:
            for line in range(first + 1, end(statement) + 1):
                owner[line] = statement
    return owner


def span(statement: ast.stmt) -> tuple[int, int, int, int]:
    """First line, first column, last line and the column behind the last; of a compound statement, of its header."""
    last, behind = _header_end(statement), statement.end_col_offset or 0
    if getattr(statement, "body", None):
        behind = _FAR
    return statement.lineno, statement.col_offset, last, behind


def _header_end(statement: ast.stmt) -> int:
    """Last line of a simple statement, or of a compound statement's part before its body."""
    body = getattr(statement, "body", None)
    if not body:
        return statement.end_lineno or statement.lineno
    # A body on the header's own line is a statement of its own and is visited later, so it wins.
    return max(statement.lineno, body[0].lineno - 1)


def _expression_end(statement: ast.stmt) -> int:
    """Last line that the statement, or the expressions of its header, touch: comments below are on their own."""
    if not getattr(statement, "body", None):
        return statement.end_lineno or statement.lineno
    parts = [getattr(statement, name, None) for name in ("target", "iter", "test")]
    parts += [item.context_expr for item in getattr(statement, "items", ())]
    return max([statement.lineno, *(p.end_lineno or p.lineno for p in parts if p is not None)])
