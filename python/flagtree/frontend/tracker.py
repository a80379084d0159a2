# SPDX-License-Identifier: MIT
"""The hints of one function while it is turned into IR: a stack of statements and what each hint reached."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from typing import NamedTuple

from flagtree.compiler.hardware import UnifiedHardware
from flagtree.frontend.bind import bind
from flagtree.frontend.validate import Entry, entry, settle
from flagtree.hints import ledger
from flagtree.hints.hint import Hint, shortened
from flagtree.hints.ledger import Place, Sighting
from flagtree.hints.mode import Problem, report
from flagtree.hints.parse import ParsedHints, parse_source
from flagtree.hints.support import Support
from flagtree.hints.suppress import is_suppressed, suppressed

_BESIDE_DECORATOR = "it stands at a decorator, which is no statement of the kernel"
_CALL = "; hints for what a function does stand in that function"
_UNROLLED = "its loop is unrolled while it is read (tl.static_range), so that none is left"


class Reach(NamedTuple):
    """A hint that holds for an operation, and what the target's backend does with it there; None: nothing."""

    entry: Entry
    use: Support | None


class HintTracker:
    """Knows which hints hold for the operation being created now.

    hardware: what is compiled for, or None when that is not known here; nothing is checked against it then
    support:  what its backend does with hints
    """

    def __init__(
        self,
        place: Place,
        source: str,
        parsed: ParsedHints,
        function: ast.FunctionDef,
        above: str = "",
        hardware: UnifiedHardware | None = None,
        support: Mapping[str, Support] | None = None,
    ) -> None:
        self.place = place
        self.source = source
        self.hardware = hardware
        self._support = support or {}
        self._above = above
        before = _shifted(parse_source(above), above.count("\n"))
        self._malformed = [*before.malformed, *parsed.malformed]
        binding = bind(function, parsed)
        self._known = frozenset(binding.statements)
        self._entries: list[Entry] = []
        self._by_statement: dict[ast.stmt, list[Entry]] = {}
        for statement, hints in binding.by_statement.items():
            entries = self._by_statement[statement] = self._take(hints, statement)
            settle(entries)
        for unbound in binding.unbound:
            self._take([unbound.hint], problem=unbound.reason)
        for hint in before.hints:
            self._take([hint._replace(index=len(parsed.hints) + hint.index)], problem=_BESIDE_DECORATOR)
        self._active: dict[tuple[ast.stmt, str], list[Entry]] = {}
        self._stack: list[ast.stmt] = []
        self._visited: set[ast.stmt] = set()

    def _take(self, hints: list[Hint], statement: ast.stmt | None = None, problem: str = "") -> list[Entry]:
        """Entries of `hints`, less those that are left out now; `problem` is worse than what else is wrong."""
        made = [entry(hint) for hint in hints if not is_suppressed(self.source, hint)]
        for each in made:
            each.statement = statement
            each.problem = problem or each.problem
        self._entries += made
        return made

    @classmethod
    def begin(
        cls,
        place: Place,
        source: str,
        function: ast.FunctionDef,
        above: str = "",
        hardware: UnifiedHardware | None = None,
        support: Mapping[str, Support] | None = None,
    ) -> HintTracker | None:
        """A tracker for `function`, or None when its source has no hint comments at all.

        above: the source's lines before `def`: decorators, with lines counted so that the last of them is 0
        """
        parsed = parse_source(source)
        if not parsed and not parse_source(above):
            return None
        return cls(place, source, parsed, function, above, hardware, support)

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

    def active(self, kind: str) -> list[Reach]:
        """The hints for an operation of `kind` created now: those of the innermost statement that take it."""
        if not self._stack:
            return []
        statement = self._stack[-1]
        entries = self._by_statement.get(statement)
        if not entries:
            return []
        key = (statement, kind)
        found = self._active.get(key)
        if found is None:
            reached = [Reach(e, self._use(e, kind)) for e in entries if _takes(e, kind)]
            found = self._active[key] = [r for r in reached if self._fits(r, kind)]
        return [r for r in found if not r.entry.problem]

    def attached(self, reached: list[Reach], kind: str) -> None:
        """Note that an operation of `kind` got the hints."""
        for each, use in reached:
            each.attached.append(kind)
            each.used = each.used or use is not None

    def finish(self) -> None:
        """Write the ledger, or else tell the problems. Raises HintError under FLAGTREE_HINTS=error only."""
        sightings = [self._sight(each) for each in self._entries]
        book = ledger.current()
        if book is not None:
            book.sightings += sightings
            book.malformed += [(self.place, bad) for bad in self._malformed]
        if not suppressed() and (book is None or not book.quiet):
            self._tell(sightings)

    def _use(self, each: Entry, kind: str) -> Support | None:
        use = self._support.get(each.spec.name) if each.spec else None
        return use if use is not None and kind in use.subjects else None

    def _fits(self, reach: Reach, kind: str) -> bool:
        each, use = reach
        if use is None or self.hardware is None:
            return True
        try:
            each.problem = use.refusal(each.hint, kind, self.hardware)
        except Exception as error:
            each.problem = f"whether the device can have it could not be found out ({error})"
        return not each.problem

    def _tell(self, sightings: list[Sighting]) -> None:
        found = [
            self._problem(bad.line, bad.column, f"malformed hint {shortened(bad.text)!r}: {bad.reason}")
            for bad in self._malformed
        ]
        found += [
            self._problem(s.hint.line, s.hint.column, f"hint {shortened(s.hint.text)!r}: {s.problem}")
            for s in sightings
            if s.problem
        ]
        report(sorted(found, key=lambda p: (p.line, p.column)), self.place.function)

    def _problem(self, line: int, column: int, text: str) -> Problem:
        lines = self._lines
        at = line - 1 + self._above.count("\n")
        source = lines[at] if 0 <= at < len(lines) else ""
        return Problem(self.place.file, self.place.line(line), column, text, source)

    @functools.cached_property
    def _lines(self) -> list[str]:
        # Not `splitlines`, which cuts at characters that do not end a line of Python.
        return (self._above + self.source).split("\n")

    def _sight(self, each: Entry) -> Sighting:
        visited = each.statement in self._visited
        problem = each.problem
        if not problem and visited and not each.attached:
            problem = _misplaced(each)
        kinds = tuple(each.attached)
        return Sighting(self.place, self.source, each.hint, kinds, visited, problem, each.used)


def _takes(each: Entry, kind: str) -> bool:
    return not each.problem and each.spec is not None and kind in each.spec.subjects


def _misplaced(each: Entry) -> str:
    wanted = sorted(each.spec.subjects) if each.spec else []
    statement = each.statement
    if isinstance(statement, ast.For) and "for" in wanted:
        return _UNROLLED
    text = f"misplaced: its statement has no operation that takes it ({', '.join(wanted)})"
    simple = isinstance(statement, (ast.Assign, ast.Expr, ast.Return))
    return text + _CALL if simple and isinstance(statement.value, ast.Call) else text


def _shifted(parsed: ParsedHints, lines: int) -> ParsedHints:
    """`parsed` with its lines counted back from the line after its last."""
    return ParsedHints(
        tuple(hint._replace(line=hint.line - lines) for hint in parsed.hints),
        tuple(bad._replace(line=bad.line - lines) for bad in parsed.malformed),
        frozenset(),
        {},
    )
