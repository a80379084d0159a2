# SPDX-License-Identifier: MIT
"""Bind each hint of a source to the statement it stands at, by lines of the syntax tree."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from flagtree.hints.hint import Hint
from flagtree.hints.parse import ParsedHints

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


@dataclass(frozen=True)
class Unbound:
    """A hint with no statement to belong to, and why."""

    hint: Hint
    reason: str


@dataclass
class Binding:
    """Statement → its hints, in source order. Statements are compared by identity.

    statements: all of the function, outer ones before those within
    """

    by_statement: dict[ast.stmt, list[Hint]] = field(default_factory=dict)
    unbound: list[Unbound] = field(default_factory=list)
    statements: list[ast.stmt] = field(default_factory=list)


def bind(function: ast.FunctionDef, parsed: ParsedHints) -> Binding:
    """Bind `parsed` to the statements inside `function`, both counted from the same first line."""
    result = Binding(statements=list(_statements(function)))
    if not parsed.hints:
        return result
    touched = _innermost_by_line(result.statements, _expression_end)
    headers = _innermost_by_line(result.statements, _header_end)
    starts = sorted(result.statements, key=lambda s: (s.lineno, s.col_offset))
    for hint in parsed.hints:
        own_line = hint.line in parsed.own_lines
        inside = (touched if own_line else headers).get(hint.line)
        if inside is None and own_line:
            inside = _following(starts, hint.line)
        if inside is None:
            result.unbound.append(Unbound(hint, "no statement is on this line or follows it"))
        elif own_line and inside.lineno > hint.line and inside.col_offset < parsed.columns[hint.line]:
            result.unbound.append(Unbound(hint, "no statement follows it in its block"))
        else:
            result.by_statement.setdefault(inside, []).append(hint)
    return result


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Outside in. Only blocks are looked through: expressions hold no statements and are most of a tree."""
    level: list[ast.AST] = [function]
    while level:
        inner: list[ast.AST] = []
        for node in level:
            for name in _BLOCKS:
                inner += getattr(node, name, ())
        yield from (node for node in inner if isinstance(node, ast.stmt))
        level = inner


def _innermost_by_line(statements: list[ast.stmt], end: Callable[[ast.stmt], int]) -> dict[int, ast.stmt]:
    """Line → the statement that owns it. Statements come outside in, so the innermost, then the last, wins."""
    owner: dict[int, ast.stmt] = {}
    for statement in statements:
        for line in range(statement.lineno, end(statement) + 1):
            owner[line] = statement
    return owner


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


def _following(starts: list[ast.stmt], line: int) -> ast.stmt | None:
    at = bisect_right(starts, line, key=lambda s: s.lineno)
    return starts[at] if at < len(starts) else None
