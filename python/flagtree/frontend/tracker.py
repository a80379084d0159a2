# SPDX-License-Identifier: MIT
"""The hints of one function while it is turned into IR: which statement is visited, and what each hint reached."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence

from flagtree.compiler.hardware import UnifiedHardware
from flagtree.frontend.bind import bind, span
from flagtree.frontend.reach import Hinted, HintList, Outcome
from flagtree.frontend.validate import Entry, read
from flagtree.hints import ledger
from flagtree.hints.hint import Hint, shortened
from flagtree.hints.ledger import Place, Sighting, Span
from flagtree.hints.mode import HintMode, Problem, mode, report
from flagtree.hints.parse import ParsedHints, parse_source
from flagtree.hints.support import Support
from flagtree.hints.suppress import is_suppressed, suppressed

_BESIDE_DECORATOR = "it stands at a decorator, which is no statement of the kernel"
_CALL = "; hints for what a function does stand in that function"
_UNROLLED = "its loop is unrolled while it is read (tl.static_range), so that none is left"


class HintTracker:
    """Knows which hints hold for the operation being created now.

    now:      the innermost statement that is visited, or None when it has no hints; whoever visits statements keeps it
    hinted:   the statements that have hints
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
        self.now: Hinted | None = None
        self._support = support or {}
        self._above = above
        before = parse_source(above)
        if before:
            before = _shifted(before, above.count("\n"))
        self._malformed = [*before.malformed, *parsed.malformed]
        binding = bind(function, parsed)
        self._lists: dict[str | tuple[str, ...], HintList] = {}
        self._taken: list[Hinted] = []
        self.hinted: dict[ast.stmt, Hinted] = {}
        for statement, hints in binding.by_statement.items():
            self._take(hints, statement)
        for unbound in binding.unbound:
            self._take([unbound.hint], problem=unbound.reason)
        for hint in before.hints:
            self._take([hint._replace(index=len(parsed.hints) + hint.index)], problem=_BESIDE_DECORATOR)

    def _take(self, hints: Sequence[Hint], statement: ast.stmt | None = None, problem: str = "") -> None:
        """Note a statement's `hints`, less those that are left out now; `problem` is worse than what else is wrong."""
        if suppressed():
            hints = [hint for hint in hints if not is_suppressed(self.source, hint)]
        if not hints:
            return
        key = hints[0].text if len(hints) == 1 else tuple([hint.text for hint in hints])
        listed = self._lists.get(key)
        if listed is None:
            listed = self._lists[key] = HintList(read(hints), self.hardware, self._support)
        made = Hinted(statement, hints, listed)
        if problem:
            made.reject(0, problem)
        self._taken.append(made)
        if statement is not None:
            self.hinted[statement] = made

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

    def kinds(self) -> set[str]:
        """The kinds of operation that can get a hint in this function."""
        entries = (each for listed in self._lists.values() for each in listed.entries)
        return {kind for each in entries if each.spec is not None for kind in each.spec.subjects}

    def finish(self) -> None:
        """Write the ledger, or else tell the problems. Raises HintError under FLAGTREE_HINTS=error only."""
        book = ledger.current()
        if book is not None:
            if self._taken:
                book.see(self.sightings)
            book.malformed += [(self.place, bad) for bad in self._malformed]
        if mode() is not HintMode.SILENT and not suppressed() and (book is None or not book.quiet):
            self._tell()

    def _tell(self) -> None:
        found = [
            self._problem(bad.line, bad.column, f"malformed hint {shortened(bad.text)!r}: {bad.reason}")
            for bad in self._malformed
        ]
        found += [
            self._problem(s.hint.line, s.hint.column, f"hint {shortened(s.hint.text)!r}: {s.problem}")
            for s in self.sightings()
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

    def sightings(self) -> list[Sighting]:
        """What became of each hint, once the function is IR."""
        place, source = self.place, self.source
        found = []
        for hinted in self._taken:
            visited, outcomes = hinted.visited, _outcomes(hinted)
            at = self._span(hinted.node)
            for hint, (kinds, problem, used) in zip(hinted.hints, outcomes, strict=True):
                found.append(
                    tuple.__new__(Sighting, (place, source, hint, kinds, visited, problem, used, at))
                )
        return found

    def _span(self, statement: ast.stmt | None) -> Span:
        if statement is None:
            return ()
        line, column, last, behind = span(statement)
        place = self.place
        return place.line(line), place.column_before + column, place.line(last), place.column_before + behind


def _outcomes(hinted: Hinted) -> Sequence[Outcome]:
    """What became of each hint of a statement. Where all went well that is the same for all that are alike."""
    reaches = hinted.attached
    if len(reaches) != 1 or hinted.problems:
        return [_outcome(hinted, at, each) for at, each in enumerate(hinted.listed.entries)]
    (reach,) = reaches
    if reach.outcomes is None:
        reach.outcomes = [_outcome(hinted, at, each) for at, each in enumerate(hinted.listed.entries)]
    return reach.outcomes


def _outcome(hinted: Hinted, at: int, each: Entry) -> Outcome:
    """Of the hint at position `at`: kinds of operation that got it, why it cannot hold, is it used."""
    reached = [reach for reach in hinted.attached if at in reach.taken]
    problem = hinted.problems.get(at) or each.problem
    if not problem and hinted.visited and not reached:
        problem = _misplaced(each, hinted.node)
    used = any(reach.uses[reach.taken.index(at)] is not None for reach in reached)
    return tuple(reach.kind for reach in reached), problem, used


def _misplaced(each: Entry, statement: ast.stmt | None) -> str:
    wanted = sorted(each.spec.subjects) if each.spec else []
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
        {},
    )
