# SPDX-License-Identifier: MIT
"""Records of hint passes for operations of a module's text."""

from __future__ import annotations

from flagtree.hints.passes import APPLIED, FAILED, UNCHANGED, PassRecord
from flagtree.upstream.hint_passes.ir_text import ModuleText, Op


def record(module: ModuleText, op: Op, hint: str, outcome: str, reason: str) -> PassRecord:
    """What became of the hint called `hint` on `op`."""
    file, line, column = module.place(op)
    text = module.hint_text(op, hint)
    return PassRecord("", text, module.function(op), line, outcome, reason, file=file, column=column)


def applied(module: ModuleText, op: Op, hint: str, reason: str) -> PassRecord:
    """The pass changed the module for it."""
    return record(module, op, hint, APPLIED, reason)


def failed(module: ModuleText, op: Op, hint: str, reason: str) -> PassRecord:
    """The hint cannot hold here."""
    return record(module, op, hint, FAILED, reason)


def unchanged(module: ModuleText, op: Op, hint: str, reason: str) -> PassRecord:
    """There was nothing to do for it."""
    return record(module, op, hint, UNCHANGED, reason)
