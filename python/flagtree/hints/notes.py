# SPDX-License-Identifier: MIT
"""What the front end saw of a kernel's hints, in a form that is kept beside the compiled code."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from flagtree.hints.ledger import Ledger, Sighting, Span

#: A piece of a comment that is no hint has no index.
NO_HINT = -1


class Note(NamedTuple):
    """One hint of one function, or a piece of a hint comment that is none.

    function:   the function whose source has it; file, line: where, as an editor counts
    column:     0-based, in the source less what all its lines are indented by
    text:       as it was written
    source:     digest of the function's text; with `index` it is the hint's identity
    attached:   kinds of the operations that got it
    visited:    False when its statement was not reached
    problem:    why it cannot hold, or ""
    used:       True when the backend does something with it on one of `attached`
    span:       of its statement, as locations of operations count
    """

    function: str
    file: str
    line: int
    column: int
    text: str
    source: str
    index: int
    attached: tuple[str, ...] = ()
    visited: bool = True
    problem: str = ""
    used: bool = False
    span: Span = ()


@dataclass(frozen=True)
class Notes:
    """All notes of one kernel and its callees, by file and line."""

    notes: tuple[Note, ...] = ()

    @classmethod
    def of_ledger(cls, book: Ledger) -> Notes:
        """A callee is turned into IR once a signature: one note a hint, the one that says most."""
        best: dict[tuple[str, int], Sighting] = {}
        for sighting in book.sightings:
            key = (sighting.source, sighting.hint.index)
            known = best.setdefault(key, sighting)
            if known is not sighting and _says(sighting) > _says(known):
                best[key] = sighting
        made = [_note(sighting) for sighting in best.values()]
        for place, bad in dict.fromkeys(book.malformed):
            made.append(
                Note(
                    place.function,
                    place.file,
                    place.line(bad.line),
                    bad.column,
                    bad.text,
                    "",
                    NO_HINT,
                    problem=f"malformed: {bad.reason}",
                )
            )
        return cls(tuple(sorted(made, key=_by_place)))

    def to_json(self) -> list[dict[str, Any]]:
        """For a kernel's metadata."""
        return [note._asdict() for note in self.notes]

    @classmethod
    def of_json(cls, found: Sequence[Mapping[str, Any]]) -> Notes:
        """What `to_json` gave, after a way through a file."""
        tuples = ({name: tuple(each[name]) for name in ("attached", "span")} for each in found)
        return cls(tuple(Note(**{**each, **lists}) for each, lists in zip(found, tuples, strict=True)))


@functools.lru_cache(maxsize=256)
def digest(source: str) -> str:
    """Short identity of a function's text."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def _says(sighting: Sighting) -> int:
    return 2 * bool(sighting.attached) + sighting.visited


def _note(sighting: Sighting) -> Note:
    place, source, hint, kinds, visited, problem, used, span = sighting
    _, _, line, text, index, column = hint
    attached = kinds if len(kinds) < 2 else tuple(dict.fromkeys(kinds))
    at = (place.function, place.file, place.line_before + line, column)
    return tuple.__new__(Note, (*at, text, digest(source), index, attached, visited, problem, used, span))


_by_place = attrgetter("file", "line", "column")
