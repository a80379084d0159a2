# SPDX-License-Identifier: MIT
"""What became of each hint, found by compiling with and without it and comparing the final IR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from flagtree.hints.hint import Hint
from flagtree.hints.ledger import Ledger, Sighting, collect
from flagtree.hints.suppress import suppress


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
    hint:     None when the text could not be read as a hint
    reason:   why, in words
    """

    function: str
    file: str
    line: int
    text: str
    status: Status
    reason: str
    hint: Hint | None = None


def fates(
    kernel: Any,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any] | None = None,
    target: Any = None,
    options: Mapping[str, Any] | None = None,
) -> list[Fate]:
    """Fates of all hints of `kernel` and its callees on `target` (None: the active backend's).

    signature: parameter → Triton type ("*fp32", "i32", "constexpr"); constexprs: parameter → value
    Compiles once and then once a hint. Raises what the compile with all hints raises.
    """
    from flagtree.upstream import probe

    return _fates(lambda: probe.compile_signature(kernel, signature, constexprs, target, options))


def launch_fates(kernel: Any, *args: Any, **kwargs: Any) -> list[Fate]:
    """As `fates`, for the arguments of a launch on the active backend. Nothing is launched."""
    from flagtree.upstream import probe

    return _fates(lambda: probe.compile_launch(kernel, args, kwargs))


def _fates(compile_once: Callable[[], Any]) -> list[Fate]:
    from flagtree.upstream.probe import final_ir

    with collect() as ledger:
        with_all = final_ir(compile_once())
    found = [_judge(sighting, with_all, compile_once) for sighting in _unique(ledger)]
    return sorted(_malformed(ledger) + found, key=lambda fate: (fate.file, fate.line))


def _judge(sighting: Sighting, with_all: str, compile_once: Callable[[], Any]) -> Fate:
    from flagtree.upstream.probe import final_ir

    def fate(status: Status, reason: str) -> Fate:
        place, hint = sighting.place, sighting.hint
        return Fate(place.function, place.file, place.line(hint.line), hint.text, status, reason, hint)

    if sighting.problem:
        return fate(Status.REJECTED, sighting.problem)
    if not sighting.visited:
        return fate(Status.UNUSED, "its statement is dead at compile time")
    try:
        with suppress([(sighting.source, sighting.hint.index)]):
            without = final_ir(compile_once())
    except Exception as error:
        return fate(Status.APPLIED, f"without it the kernel does not compile ({type(error).__name__})")
    if without == with_all:
        return fate(Status.UNUSED, "the final code is the same without it")
    return fate(
        Status.APPLIED, f"the final code is another without it ({', '.join(sorted(set(sighting.attached)))})"
    )


def _unique(ledger: Ledger) -> list[Sighting]:
    """A callee is turned into IR once a signature: one sighting a hint, the one that says most."""
    best: dict[tuple[str, int], Sighting] = {}
    for sighting in ledger.sightings:
        key = (sighting.source, sighting.hint.index)
        known = best.get(key)
        if known is None or (not known.attached and sighting.attached):
            best[key] = sighting
    return list(best.values())


def _malformed(ledger: Ledger) -> list[Fate]:
    found = []
    for place, bad in dict.fromkeys(ledger.malformed):
        reason = f"malformed: {bad.reason}"
        found.append(
            Fate(place.function, place.file, place.line(bad.line), bad.text, Status.REJECTED, reason)
        )
    return found
