# SPDX-License-Identifier: MIT
"""What the hints of a statement come to on its operations.

Most statements of a kernel have one of a few lists of hints. What follows from the list alone is found out once a list
and not once a statement: which of its hints hold, on what kinds of operation, and what the attribute says.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flagtree.compiler.hardware import UnifiedHardware
from flagtree.frontend.validate import Entry
from flagtree.hints.hint import Hint
from flagtree.hints.support import Support

#: What became of a hint: kinds of the operations that got it, why it cannot hold or "", is it used.
Outcome = tuple[tuple[str, ...], str, bool]

#: Position of a hint in its list, its use, why the device cannot have it or "".
Taken = tuple[int, Support | None, str]

_NONE: Mapping[int, str] = {}


@dataclass(eq=False, slots=True)
class Reach:
    """The hints of a list that an operation of `kind` gets.

    taken:      their positions in the list
    uses:       of each, what the target's backend does with it on this kind; None: nothing
    text:       what the operation's attribute says
    room:       bytes of the smallest memory in which the block of each operation must fit; None: no such memory
    attributes: the attributes themselves, for whoever creates the operations to remember
    outcomes:   of each hint of the list, where this is all that its statement got and nothing went wrong
    """

    kind: str
    taken: tuple[int, ...]
    uses: tuple[Support | None, ...]
    text: str
    room: int | None = None
    attributes: Any = None
    outcomes: Sequence[Outcome] | None = None


@dataclass(eq=False, slots=True)
class HintList:
    """Hints that stand together at a statement, and what follows from them on one device.

    reaches: kind of operation → what it gets, where nothing is wrong beyond what `entries` says
    """

    entries: Sequence[Entry]
    hardware: UnifiedHardware | None
    support: Mapping[str, Support]
    reaches: dict[str, Reach] = field(default_factory=dict)
    _taken: dict[str, list[Taken]] = field(default_factory=dict)

    def taken(self, kind: str) -> list[Taken]:
        """The hints that operations of `kind` take: position, what the backend does with it there, why it cannot."""
        found = self._taken.get(kind)
        if found is None:
            found = self._taken[kind] = []
            for at, (_, spec, _, _, problem) in enumerate(self.entries):
                if not problem and spec is not None and kind in spec.subjects:
                    use = self.support.get(spec.name)
                    if use is not None and kind not in use.subjects:
                        use = None
                    found.append((at, use, self._refusal(at, use, kind)))
        return found

    def without(self, kind: str, problems: Mapping[int, str]) -> Reach:
        """What an operation of `kind` gets, less the hints at the positions `problems`."""
        positions, uses, texts, room = [], [], [], None
        for at, use, _ in self.taken(kind):
            if at not in problems:
                positions.append(at)
                uses.append(use)
                texts.append(self.entries[at].text)
                if use is not None and use.memory and self.hardware is not None:
                    has = use.room(self.hardware)
                    room = has if room is None or (has is not None and has < room) else room
        return Reach(kind, tuple(positions), tuple(uses), ",".join(texts), room)

    def _refusal(self, at: int, use: Support | None, kind: str) -> str:
        if use is None or use.check is None or self.hardware is None:
            return ""
        try:
            return use.refusal(self.entries[at].hint, kind, self.hardware)
        except Exception as error:
            return f"whether the device can have it could not be found out ({error})"


class Hinted:
    """One statement that has hints, while its function is turned into IR.

    node:     None for hints that belong to no statement
    reaches:  kind of operation → what it gets, as far as operations of that kind were created
    problems: position → why that hint cannot hold here, beyond what its list says
    attached: what each of its operations got, in order of creation
    """

    __slots__ = ("attached", "hints", "listed", "node", "problems", "reaches", "visited")

    def __init__(self, node: ast.stmt | None, hints: Sequence[Hint], listed: HintList) -> None:
        self.node = node
        self.hints = hints
        self.listed = listed
        self.reaches = listed.reaches
        self.problems = _NONE
        self.attached: list[Reach] = []
        self.visited = False

    def reach(self, kind: str) -> Reach:
        """What an operation of `kind` that is created now gets."""
        found = self.reaches.get(kind)
        if found is None:
            for at, _, refusal in self.listed.taken(kind):
                if refusal:
                    self.reject(at, refusal)
            found = self.reaches[kind] = self.listed.without(kind, self.problems)
        return found

    def reject(self, at: int, problem: str) -> None:
        """The hint at position `at` cannot hold here; the first reason stays."""
        self.problems = {at: problem, **self.problems}
        self.reaches = {}  # those of the list are everybody's
