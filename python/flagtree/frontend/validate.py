# SPDX-License-Identifier: MIT
"""Whether hints can hold at all: is each known, are its arguments right, do those of one statement agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from flagtree.hints import registry
from flagtree.hints.hint import Hint, shortened
from flagtree.hints.registry import HintSpec


class Entry(NamedTuple):
    """What was read of one hint; the same for all that are written alike.

    spec:    None for a hint that is not known
    text:    canonical text, which is what the attribute in the IR carries
    values:  of its arguments, in the hint's order
    problem: why it cannot hold, or ""
    """

    hint: Hint
    spec: HintSpec | None
    text: str
    values: tuple[Any, ...] = ()
    problem: str = ""


def read(hints: Iterable[Hint]) -> list[Entry]:
    """The hints of one statement, looked up: of a name the first holds, the others repeat or contradict it."""
    return settle([Entry(hint, *registry.look_up(hint.name, hint.args)) for hint in hints])


def settle(entries: Sequence[Entry]) -> list[Entry]:
    """`entries`, of which those have a problem now that repeat or contradict one before them."""
    first: dict[str, Entry] = {}
    settled = []
    for each in entries:
        holds = each
        if not each.problem and each.spec is not None:
            holds = first.setdefault(each.spec.name, each)
        settled.append(each if holds is each else _settled(each, holds))
    return settled


def _settled(each: Entry, holds: Entry) -> Entry:
    verb = "repeats" if holds.text == each.text else "contradicts"
    words = f"it {verb} {shortened(holds.hint.text)!r} of the same statement, which holds"
    return each._replace(problem=words)
