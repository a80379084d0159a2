# SPDX-License-Identifier: MIT
"""Passes that a hint asks for: they work on a copy of the module, and what went wrong is told, never raised.

A pass gets the module's text and gives back another text, so the module itself is the backup: `Attempt.run` hands it
back untouched when the pass raises, when its text cannot be read, or when what was read does not verify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

APPLIED, FAILED, UNCHANGED = "applied", "failed", "unchanged"
#: Name in records of what takes a hint back that a later stage could not do with.
WAY_BACK = "way back"


@dataclass(frozen=True)
class PassRecord:
    """What one pass did about one hint.

    name:     of the pass; hint: its canonical text
    function, file, line, column: the operation's place; column 0: not known
    outcome:  "applied", "failed" (the hint cannot hold, or the pass broke) or "unchanged" (nothing was to be done)
    reason:   why, in words
    before, after: the module's text around the pass, kept only while a collector asked for it
    """

    name: str
    hint: str
    function: str
    line: int
    outcome: str
    reason: str = ""
    before: str = ""
    after: str = ""
    file: str = ""
    column: int = 0


@dataclass
class Records:
    """The records of the compiles within one `collect` block."""

    records: list[PassRecord] = field(default_factory=list)
    keep_ir: bool = False


_open: ContextVar[Records | None] = ContextVar("flagtree_hint_pass_records", default=None)


@contextmanager
def collect(keep_ir: bool = False) -> Iterator[Records]:
    """Collect the records of every compile within the block (this thread or task)."""
    records = Records(keep_ir=keep_ir)
    token = _open.set(records)
    try:
        yield records
    finally:
        _open.reset(token)


def current() -> Records | None:
    """The open collection, or None."""
    return _open.get()


def add(records: Iterable[PassRecord]) -> None:
    """Give `records` to the open collection, if there is one."""
    book = _open.get()
    if book is not None:
        book.records += records


@dataclass(frozen=True)
class Situation:
    """What a pass may ask about the compile.

    hardware:  the target's `UnifiedHardware`
    num_warps, warp_size, num_stages: of the launch
    asynchronous: False after an asynchronous copy turned out not to be lowered
    spare:     bytes of shared memory to leave free, after more turned out to be wanted than there is
    hints:     names of the hints that the backend uses
    """

    hardware: Any = None
    num_warps: int = 4
    warp_size: int = 32
    num_stages: int = 3
    asynchronous: bool = True
    spare: int = 0
    hints: frozenset[str] = frozenset()


@dataclass
class Outcome:
    """What a pass gives back: the module's new text and its records (without name and texts)."""

    text: str
    records: list[PassRecord] = field(default_factory=list)


@dataclass(frozen=True)
class HintPass:
    """A pass that hints ask for.

    stage:   the stage whose result it works on ("ttir", "ttgir")
    hints:   names of the hints that it serves
    rewrite: (text, situation) → outcome; raises whatever it likes
    tidy:    adds passes of upstream's that clean up after it to a pass manager; None: none
    spares:  True when it uses less shared memory where `Situation.spare` asks for that
    """

    name: str
    stage: str
    hints: frozenset[str]
    rewrite: Callable[[str, Situation], Outcome]
    tidy: Callable[[Any, Situation], None] | None = None
    spares: bool = False


@dataclass(frozen=True)
class Toolbox:
    """How to print, read, verify and tidy modules; upstream's adapter makes one.

    read: text → module; raises when it is no module. verify: raises when the module is not valid.
    tidy: (module, what adds the passes) → None
    """

    text: Callable[[Any], str]
    read: Callable[[str], Any]
    verify: Callable[[Any], None]
    tidy: Callable[[Any, Callable[[Any], None]], None]


@dataclass(frozen=True)
class Attempt:
    """The module after a pass, or the one before it, and the records of the pass."""

    module: Any
    records: list[PassRecord]
    changed: bool


def attempt(each: HintPass, module: Any, situation: Situation, tools: Toolbox) -> Attempt:
    """Run one pass on a copy of `module`. Never raises: on any failure the result is `module` and says why."""
    before = tools.text(module)
    outcome = Outcome(before)
    try:
        outcome = each.rewrite(before, situation)
        if outcome.text == before:
            return Attempt(module, [_named(r, each, before, before) for r in outcome.records], False)
        made = tools.read(outcome.text)
        tools.verify(made)
        if each.tidy is not None:
            tidy = each.tidy
            tools.tidy(made, lambda manager: tidy(manager, situation))
            tools.verify(made)
        after = tools.text(made) if _keeps_ir() else ""
        return Attempt(made, [_named(r, each, before, after) for r in outcome.records], True)
    except Exception as error:
        reason = f"the pass failed and was undone: {describe(error)}"
        failed = [replace(r, outcome=FAILED, reason=reason) for r in outcome.records if r.outcome == APPLIED]
        kept = [r for r in outcome.records if r.outcome != APPLIED]
        records = failed + kept or [
            PassRecord(each.name, ",".join(sorted(each.hints)), "", 0, FAILED, reason)
        ]
        return Attempt(module, [_named(r, each, before, before) for r in records], False)


def describe(error: BaseException, limit: int = 200) -> str:
    """The first line of an error, with its type."""
    text = str(error).strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {text[:limit]}" if text else type(error).__name__


def _keeps_ir() -> bool:
    book = _open.get()
    return book is not None and book.keep_ir


def _named(record: PassRecord, each: HintPass, before: str, after: str) -> PassRecord:
    keep = _keeps_ir()
    return replace(record, name=each.name, before=before if keep else "", after=after if keep else "")
