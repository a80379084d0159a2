# SPDX-License-Identifier: MIT
"""The hints of one function while it is turned into IR: a stack of statements and what each hint reached."""

from __future__ import annotations

import ast

from flagtree.frontend.bind import bind
from flagtree.hints import ledger, registry
from flagtree.hints.hint import Hint
from flagtree.hints.ledger import Place
from flagtree.hints.mode import Problem, report
from flagtree.hints.parse import ParsedHints, parse_source
from flagtree.hints.suppress import is_suppressed, suppressed


def _subjects(name: str) -> frozenset[str]:
    """The kinds that hint `name` is for; all of them for a name that is not known."""
    spec = registry.get(name)
    return spec.subjects if spec is not None else registry.KINDS


class HintTracker:
    """Knows which hints hold for the operation being created now."""

    def __init__(self, place: Place, source: str, parsed: ParsedHints, function: ast.FunctionDef) -> None:
        self.place = place
        self.source = source
        self.parsed = parsed
        self.binding = bind(function, parsed)
        self._known = frozenset(node for node in ast.walk(function) if isinstance(node, ast.stmt))
        self._stack: list[ast.stmt] = []
        self._visited: set[ast.stmt] = set()
        self._attached: dict[int, list[str]] = {}
        self._unfit: dict[int, str] = {}

    @classmethod
    def begin(cls, place: Place, source: str, function: ast.FunctionDef) -> HintTracker | None:
        """A tracker for `function`, or None when its source has no hint comments at all."""
        parsed = parse_source(source)
        return cls(place, source, parsed, function) if parsed else None

    def enter(self, statement: ast.stmt) -> None:
        """`statement` is being visited now; it is the innermost until `leave`."""
        if statement not in self._known and self._stack:
            # Upstream visits statements of its own making (`a += b` as `a = a + b`): they stand for the real one.
            statement = self._stack[-1]
        self._stack.append(statement)
        self._visited.add(statement)

    def leave(self) -> None:
        """The innermost statement is done."""
        self._stack.pop()

    def active(self, kind: str) -> list[Hint]:
        """The hints for an operation of `kind` created now: those of the innermost statement that take it."""
        if not self._stack:
            return []
        hints = self.binding.by_statement.get(self._stack[-1], ())
        return [h for h in hints if kind in _subjects(h.name) and not is_suppressed(self.source, h)]

    def attached(self, hint: Hint, kind: str) -> None:
        """Note that an operation of `kind` got `hint`."""
        self._attached.setdefault(hint.index, []).append(kind)

    def unfit(self, hint: Hint, reason: str) -> None:
        """Note that `hint` reached an operation and cannot hold there."""
        self._unfit[hint.index] = reason

    def finish(self) -> None:
        """Write the ledger, or else tell the problems. Raises HintError under FLAGTREE_HINTS=error only."""
        bound = (self.binding.by_statement.get(statement, ()) for statement in self._visited)
        visited = {hint.index for hints in bound for hint in hints}
        unbound = {each.hint.index: each.reason for each in self.binding.unbound}
        sightings = [
            self._sight(hint, hint.index in visited, unbound.get(hint.index, ""))
            for hint in self.parsed.hints
            if not is_suppressed(self.source, hint)
        ]
        book = ledger.current()
        if book is not None:
            book.sightings += sightings
            book.malformed += [(self.place, bad) for bad in self.parsed.malformed]
        elif not suppressed():
            self._tell(sightings)

    def _tell(self, sightings: list[ledger.Sighting]) -> None:
        found = [(bad.line, f"malformed hint {bad.text!r}: {bad.reason}") for bad in self.parsed.malformed]
        found += [(s.hint.line, f"hint {s.hint.text!r}: {s.problem}") for s in sightings if s.problem]
        problems = [Problem(self.place.file, self.place.line(line), text) for line, text in found]
        report(problems, self.place.function)

    def _sight(self, hint: Hint, visited: bool, unbound: str) -> ledger.Sighting:
        kinds = tuple(self._attached.get(hint.index, ()))
        problem = self._unfit.get(hint.index, "") or unbound
        if not problem and visited and not kinds:
            wanted = ", ".join(sorted(_subjects(hint.name)))
            problem = f"misplaced: its statement has no operation that takes it ({wanted})"
        return ledger.Sighting(self.place, self.source, hint, kinds, visited, problem)
