# SPDX-License-Identifier: MIT
"""The hints of a case and what became of each, on the active device and on targets that are only compiled for."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from typing import Any

from flagtree.hints.account import Fate, Status, fates, launch_fates
from flagtree.tools.measure import launch_arguments
from flagtree.tools.tutorials import Case


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
    columns: dict[str, list[Fate] | None] = {here: launch_fates(case.kernel, *args, **kwargs)}
    for name, target in others.items():
        columns[name] = _fates_elsewhere(case, kwargs, target)
    return [_row(fate, index, columns) for index, fate in enumerate(columns[here] or [])]


def _fates_elsewhere(case: Case, kwargs: dict[str, Any], target: Any) -> list[Fate] | None:
    from flagtree.tools.signature import resolve

    constants = [f"{name}={value}" for name, value in kwargs.items() if name in case.kernel.arg_names]
    signature = resolve(case.kernel, case.name, None, constants)
    try:
        return fates(case.kernel, signature.types, signature.constexprs, target)
    except Exception:
        return (
            None  # no assembler for it here, or a kernel that it cannot have; the table leaves the cell empty
        )


def _row(fate: Fate, index: int, columns: dict[str, list[Fate] | None]) -> HintRow:
    # The hints of one source come in one order whatever the target.
    per_target = {name: found[index] if found else None for name, found in columns.items()}
    return HintRow(fate.function, fate.line, _statement(fate), fate.text, per_target)


def _statement(fate: Fate) -> str:
    """The statement that the hint is for, on one line, without what is nested in it."""
    lines = linecache.getlines(fate.file)
    line = fate.line
    while lines[line - 1].strip().startswith("#"):
        line += 1  # a hint on a line of its own is for what follows
    found = [n for n in ast.walk(ast.parse("".join(lines))) if isinstance(n, ast.stmt) and _covers(n, line)]
    node = max(found, key=lambda n: n.lineno)
    last = (
        node.body[0].lineno - 1
        if isinstance(node, ast.For | ast.While | ast.If | ast.With)
        else node.end_lineno
    )
    pieces = (text.partition("#")[0].strip() for text in lines[node.lineno - 1 : last])
    return " ".join(piece for piece in pieces if piece)


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def in_words(fate: Fate | None) -> str:
    """The cell of the table."""
    if fate is None:
        return "not compiled"
    return f"{fate.status.value}: {fate.reason}" if fate.status is Status.REJECTED else fate.status.value
