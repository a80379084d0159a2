# SPDX-License-Identifier: MIT
"""The account of a kernel's hints: what became of each.

Most is known when the kernel is compiled. Whether a hint changed the code is found by compiling without it and
comparing the final IR, and only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from flagtree.hints import passes, registry
from flagtree.hints.ledger import Span, collect
from flagtree.hints.notes import Note, Notes, digest
from flagtree.hints.parse import read_attribute
from flagtree.hints.passes import PassRecord
from flagtree.hints.suppress import HintKey, suppress


class Status(Enum):
    """Every hint ends in exactly one of these."""

    APPLIED = "applied"
    UNUSED = "unused here"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Fate:
    """One hint's fate.

    function: the function whose source has it; file, line: where, as an editor counts
    text:     the hint as it was written
    reason:   why, in words
    note:     what the front end saw of it
    """

    function: str
    file: str
    line: int
    text: str
    status: Status
    reason: str
    note: Note

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}: {self.status.value} ({self.reason})"


def of_kernel(compiled: Any) -> list[Fate]:
    """Fates of all hints of a compiled kernel and its callees: `kernel.hints`. Kept on the kernel.

    Compiles again, once a hint at most, where that is needed to tell whether a hint changed the code.
    """
    known = compiled.__dict__.get("_flagtree_fates")
    if known is None:
        from flagtree.upstream import account, probe

        notes = account.notes_of(compiled)
        known = _fates(notes, lambda: probe.compile_again(compiled))
        compiled.__dict__["_flagtree_fates"] = known
    return list(known)


def fates(
    kernel: Any,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any] | None = None,
    target: Any = None,
    options: Mapping[str, Any] | None = None,
) -> list[Fate]:
    """Fates of all hints of `kernel` and its callees on `target` (None: the active backend's).

    signature: parameter → Triton type ("*fp32", "i32", "constexpr"); constexprs: parameter → value
    Compiles once and then once a hint at most. Raises what the compile with all hints raises.
    """
    from flagtree.upstream import probe

    return _of_compiles(lambda: probe.compile_signature(kernel, signature, constexprs, target, options))


def source_fates(source: Any, target: Any, options: Mapping[str, Any] | None = None) -> list[Fate]:
    """As `fates`, for what a kernel was compiled from (its `src`): the types and constants of a launch, elsewhere."""
    from flagtree.upstream import probe

    return _of_compiles(lambda: probe.compile_source(source, target, options))


def launch_fates(kernel: Any, *args: Any, **kwargs: Any) -> list[Fate]:
    """As `fates`, for the arguments of a launch on the active backend. Nothing is launched."""
    from flagtree.upstream import probe

    return _of_compiles(lambda: probe.compile_launch(kernel, args, kwargs))


Compile = Callable[[], Any]


def _of_compiles(compile_once: Compile) -> list[Fate]:
    from flagtree.upstream import account

    with collect(quiet=True):
        compiled = compile_once()
        return _fates(account.notes_of(compiled), compile_once)


def _fates(notes: Notes, compile_once: Compile) -> list[Fate]:
    asked = [note for note in notes.notes if not _known(note)]
    measured = _Measurement(compile_once).of(asked) if asked else {}
    return [_fate(note, *(_known(note) or measured[note])) for note in notes.notes]


Verdict = tuple[Status, str]


def _known(note: Note) -> Verdict | None:
    """What needs no further compile."""
    if note.problem:
        return Status.REJECTED, note.problem
    if not note.visited:
        return Status.UNUSED, "its statement is dead at compile time"
    if not note.used:
        return Status.UNUSED, f"this backend does nothing with it on a {' or '.join(note.attached)}"
    return None


def _fate(note: Note, status: Status, reason: str) -> Fate:
    return Fate(note.function, note.file, note.line, note.text, status, reason, note)


class _Measurement:
    """Compiles with some hints left out.

    Hints are left out one after the other, the last first, and stay out when the code is the same without them. So of
    two that bring about the same code the first is applied and the second is not; and all that are unused could be
    deleted at once.
    """

    def __init__(self, compile_once: Compile) -> None:
        self._compile = compile_once
        with collect(quiet=True) as book, passes.collect() as told:
            self._with_all = self._final([])
        self._records = told.records
        self._keys = {
            (digest(s.source), s.hint.index): (s.source, s.hint.index)
            for s in book.sightings
            if not s.problem
        }

    def of(self, notes: Sequence[Note]) -> dict[Note, Verdict]:
        """The verdict on each of `notes`."""
        keys = {note: self._keys[note.source, note.index] for note in notes}
        none = self._final(keys.values())
        refused = self._reasons(passes.FAILED, notes)
        idle = self._reasons(passes.UNCHANGED, notes)
        if none == self._with_all:
            return {note: _unused(refused.get(note, ""), idle.get(note, _SAME)) for note in notes}
        found: dict[Note, Verdict] = {}
        out: list[HintKey] = []
        for note in reversed(notes):
            without = self._final([*out, keys[note]])
            if without == self._with_all:
                out.append(keys[note])
                reason = refused.get(note, "")
                found[note] = _unused(reason, idle.get(note) or self._why_unused(note, keys, none))
            else:
                found[note] = Status.APPLIED, _why_applied(note, without)
        return found

    def _reasons(self, outcome: str, notes: Sequence[Note]) -> dict[Note, str]:
        """What passes say of the notes that ended so for them."""
        found = {nearest(r, notes): r.reason for r in self._records if r.outcome == outcome and r.reason}
        return {note: reason for note, reason in found.items() if note is not None}

    def _why_unused(self, note: Note, keys: Mapping[Note, HintKey], none: str) -> str:
        alone = self._final([key for other, key in keys.items() if other is not note])
        return _SAME if alone == none else _BECAUSE_OF_OTHERS

    def _final(self, left_out: Iterable[HintKey]) -> str:
        """The final IR, or what was raised where there is none."""
        from flagtree.upstream.probe import final_ir

        try:
            with suppress(left_out), collect(quiet=True):
                return final_ir(self._compile())
        except Exception as error:
            if not left_out:
                raise
            return f"{_FAILED}{type(error).__name__}"


def nearest(record: PassRecord, notes: Iterable[Note]) -> Note | None:
    """The note that a record is about: of that hint, in that file, of the innermost statement around the operation.

    An operation has the place of its call, which no comment need be near: that may stand at any line of the statement.
    Where no statement is known to be around it, the note with the least distance is taken.
    """
    name = record.hint.partition("=")[0].partition("(")[0]
    close = [n for n in notes if _name(n) == name and n.file == (record.file or n.file)]
    around = [n for n in close if n.span and _within(record, n.span)]
    if around:
        return max(around, key=lambda n: n.span[:2])
    return min(close, key=lambda n: abs(n.line - record.line), default=None)


def _within(record: PassRecord, span: Span) -> bool:
    line, column, last, behind = span
    if not record.column:  # it is not known
        return line <= record.line <= last
    return (line, column) <= (record.line, record.column) < (last, behind)


def _name(note: Note) -> str:
    (hint,) = read_attribute(note.text)[:1] or (None,)
    spec = registry.get(hint.name) if hint else None
    return spec.name if spec else note.text


def _unused(refused: str, reason: str) -> Verdict:
    """What changed nothing: a pass that could not do it says why."""
    return (Status.REJECTED, refused) if refused else (Status.UNUSED, reason)


_FAILED = "failed: "
_SAME = "the final code is the same without it"
_BECAUSE_OF_OTHERS = "other hints make the final code the same with it and without"


def _why_applied(note: Note, without: str) -> str:
    if without.startswith(_FAILED):
        return f"without it the kernel does not compile ({without.removeprefix(_FAILED)})"
    return f"the final code is another without it ({', '.join(sorted(note.attached))})"
