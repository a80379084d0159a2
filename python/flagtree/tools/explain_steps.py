# SPDX-License-Identifier: MIT
"""The IR before and after each thing that was done for a hint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flagtree.hints import passes
from flagtree.hints.account import Fate, nearest
from flagtree.hints.ledger import collect
from flagtree.hints.notes import Note, digest
from flagtree.hints.suppress import suppress
from flagtree.tools.signature import Signature


@dataclass(frozen=True)
class Step:
    """What one pass did about one hint: its name, what came of it, the IR around it."""

    name: str
    outcome: str
    before: str
    after: str


def steps_of(
    kernel: Any, types: Signature, target: Any, options: Mapping[str, Any], found: Sequence[Fate]
) -> dict[Note, list[Step]]:
    """Hint → its steps, the front end's first."""
    from flagtree.upstream.lower import KernelSource, Pipeline, text_of
    from flagtree.upstream.probe import compile_signature, jit_function

    source = KernelSource(jit_function(kernel), types.types, types.constexprs, types.alignments)
    pipeline = Pipeline(target, options)

    def front_end() -> str:
        return str(text_of(pipeline.lower(source, "source")))

    with collect(quiet=True) as book:
        with_all = front_end()
        keys = {(digest(s.source), s.hint.index): (s.source, s.hint.index) for s in book.sightings}
    steps: dict[Note, list[Step]] = {}
    for fate in found:
        if fate.note.attached and not fate.note.problem:
            with suppress([keys[fate.note.source, fate.note.index]]), collect(quiet=True):
                without = front_end()
            what = f"on {', '.join(fate.note.attached)}"
            steps[fate.note] = [Step("front end: attributes", what, without, with_all)]
    with passes.collect(keep_ir=True) as told, collect(quiet=True):
        compile_signature(kernel, types.types, types.constexprs, target, options)
    for record in told.records:
        note = nearest(record, steps)
        if note is not None:
            step = Step(
                f"pass {record.name}", f"{record.outcome}: {record.reason}", record.before, record.after
            )
            steps[note].append(step)
    return steps
