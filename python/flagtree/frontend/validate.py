# SPDX-License-Identifier: MIT
"""Whether a hint can hold at all: is it known, are its arguments right, does it agree with its neighbours."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from flagtree.hints import registry
from flagtree.hints.hint import Hint, shortened
from flagtree.hints.registry import HintSpec


@dataclass(eq=False, slots=True)
class Entry:
    """One hint while its function is turned into IR.

    spec:      None for a hint that is not known
    text:      canonical text, which is what the attribute in the IR carries
    problem:   why it cannot hold, or ""
    statement: what it belongs to; None for one that belongs to none
    attached:  kinds of the operations that got it, in order of creation
    used:      True when the target's backend does something with it on one of them
    """

    hint: Hint
    spec: HintSpec | None
    text: str
    problem: str = ""
    statement: ast.stmt | None = None
    attached: list[str] = field(default_factory=list)
    used: bool = False


def entry(hint: Hint) -> Entry:
    """`hint`, looked up and read."""
    return Entry(hint, *registry.look_up(hint.name, hint.args))


def settle(entries: Iterable[Entry]) -> None:
    """Of the hints of one statement, the first of a name holds: the others repeat or contradict it."""
    first: dict[str, Entry] = {}
    for each in entries:
        if each.problem or each.spec is None:
            continue
        holds = first.setdefault(each.spec.name, each)
        if holds is not each:
            verb = "repeats" if holds.text == each.text else "contradicts"
            each.problem = f"it {verb} {shortened(holds.hint.text)!r} of the same statement, which holds"
