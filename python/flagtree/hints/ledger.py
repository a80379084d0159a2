# SPDX-License-Identifier: MIT
"""What the front end saw of each hint, for whoever compiles with a ledger open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from flagtree.hints.hint import Hint, Malformed

#: First line, first column, last line and the column behind the last of a statement, or () where there is none. A
#: statement with a body ends where its body begins.
Span = tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """Where a function is written: its qualified name, its file, and the line before its `def` there.

    column_before: what locations of operations add to the columns of the syntax tree
    """

    function: str
    file: str
    line_before: int
    column_before: int = 0

    def line(self, line: int) -> int:
        """The file's line of a line that is counted from `def`."""
        return self.line_before + line


class Sighting(NamedTuple):
    """One hint of one function while the function was turned into IR.

    source:   text of the function, the hint's lines count in it
    attached: kinds of the operations that got the hint, in order of creation
    visited:  False when its statement was not reached (a branch that is dead at compile time)
    problem:  why the hint cannot hold, or ""
    used:     True when the target's backend does something with it on one of `attached`
    span:     of its statement, as locations of operations count
    """

    place: Place
    source: str
    hint: Hint
    attached: tuple[str, ...]
    visited: bool
    problem: str
    used: bool = True
    span: Span = ()


@dataclass
class Ledger:
    """All sightings of one compile, and the pieces of hint comments that are no hints.

    quiet: problems are only noted here, whatever FLAGTREE_HINTS says
    """

    malformed: list[tuple[Place, Malformed]] = field(default_factory=list)
    quiet: bool = False
    _seen: list[Sighting] = field(default_factory=list)
    _pending: list[Callable[[], list[Sighting]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self._pending or self._seen or self.malformed)

    @property
    def sightings(self) -> list[Sighting]:
        """Every hint that was seen. Most compiles ask for it late or, when they stop before any stage, never."""
        for seen in self._pending:
            self._seen += seen()
        self._pending.clear()
        return self._seen

    def see(self, seen: Callable[[], list[Sighting]]) -> None:
        """Take up what `seen` returns, which is one sighting at least."""
        self._pending.append(seen)

    def add(self, other: Ledger) -> None:
        """Take over what another one holds."""
        self._pending.append(lambda: other.sightings)
        self.malformed += other.malformed


_open: ContextVar[Ledger | None] = ContextVar("flagtree_hint_ledger", default=None)


@contextmanager
def collect(quiet: bool = False) -> Iterator[Ledger]:
    """Collect the sightings of every compile within the block (this thread or task).

    A block within another is as quiet as that one, and hands on to it what it has seen.
    """
    outer = _open.get()
    book = Ledger(quiet=quiet or (outer is not None and outer.quiet))
    token = _open.set(book)
    try:
        yield book
    finally:
        _open.reset(token)
        if outer is not None and book:
            outer.add(book)


def current() -> Ledger | None:
    """The open ledger, or None."""
    return _open.get()
