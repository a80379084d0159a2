# SPDX-License-Identifier: MIT
"""The hints of a case and what became of each, on the active device and on targets that are only compiled for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flagtree.hints.account import Fate, launch_fates, source_fates
from flagtree.tools.hint_words import statement_of
from flagtree.tools.measure import launch_arguments
from flagtree.tools.tutorials import Case
from flagtree.upstream.probe import compile_launch


@dataclass(frozen=True)
class HintRow:
    """One hint: where it is, the statement's line, and its fate a target (None: could not be compiled for it)."""

    kernel: str
    line: int
    source: str
    hint: str
    fates: dict[str, Fate | None]


def other_targets() -> dict[str, Any]:
    """Name → target of the registered GPUs that are not the active device; they are compiled for without running."""
    from flagtree.tools.target import TargetError, default_target
    from flagtree.upstream import describe

    active, _ = describe.active()
    found = {}
    for backend in describe.registered().values():
        if backend.name == active or getattr(backend.driver, "is_host", False):
            continue
        try:
            target = default_target(backend)
        except TargetError:
            continue
        found[f"{target.backend}:{target.arch}"] = target
    return found


def hint_rows(case: Case, here: str, others: dict[str, Any]) -> list[HintRow]:
    """A row a hint of the kernel that `case` launches, found by comparing IR with and without the hint."""
    args, kwargs = launch_arguments(case)
    source = compile_launch(case.kernel, args, kwargs).src
    options = {name: value for name, value in kwargs.items() if name not in case.kernel.arg_names}
    columns: dict[str, list[Fate] | None] = {here: launch_fates(case.kernel, *args, **kwargs)}
    for name, target in others.items():
        columns[name] = _fates_elsewhere(source, options, target)
    return [_row(fate, index, columns) for index, fate in enumerate(columns[here] or [])]


def _fates_elsewhere(source: Any, options: dict[str, Any], target: Any) -> list[Fate] | None:
    """source: what the launch was compiled from; options: those that it gave."""
    try:
        return source_fates(source, target, options)
    except Exception:
        return (
            None  # no assembler for it here, or a kernel that it cannot have; the table leaves the cell empty
        )


def _row(fate: Fate, index: int, columns: dict[str, list[Fate] | None]) -> HintRow:
    # The hints of one source come in one order whatever the target.
    per_target = {name: found[index] if found else None for name, found in columns.items()}
    return HintRow(fate.function, fate.line, statement_of(fate), fate.text, per_target)
