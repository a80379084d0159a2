# SPDX-License-Identifier: MIT
"""Hints that upstream lost by building an operation anew: its location survives, and tells which it was."""

from __future__ import annotations

import re

from flagtree.upstream.hint_passes.ir_text import HINTS, ModuleText, with_attribute

_KINDS = {
    "tt.load": "load",
    "tt.descriptor_load": "load",
    "amdg.buffer_load": "load",
    "amdgpu.buffer_load": "load",
    "tt.store": "store",
    "amdg.buffer_store": "store",
    "amdgpu.buffer_store": "store",
    "tt.dot": "dot",
    "scf.for": "for",
}
#: What belongs to a hint: ours, and upstream's own attributes that the front end sets for it.
_KEPT = re.compile(
    rf'({HINTS} = "(?:[^"\\]|\\.)*"|tt\.(?:num_stages|loop_unroll_factor|latency) = \d+ : i32|'
    r"tt\.(?:flatten|warp_specialize|disallow_acc_multi_buffer)\b)"
)

#: (kind, file, line, column) → the attributes of the hints there
Places = dict[tuple[str, str, int, int], tuple[str, ...]]


def places(text: str) -> Places:
    """Where hinted operations were written, and their attributes."""
    module = ModuleText(text)
    found: Places = {}
    for op in module.walk():
        kind = _KINDS.get(op.name)
        tail = module.tail(op)
        if kind and HINTS in tail and (place := module.place(op))[1]:
            found[(kind, *place)] = tuple(m[1] for m in _KEPT.finditer(tail))
    return found


def reattach(text: str, lost: Places, *, only_hints: bool = False) -> str:
    """The module's text with the attributes of `lost` on operations of their kind and place that have no hint.

    only_hints: leave upstream's own attributes away, for it has done with them
    """
    if not lost:
        return text
    module = ModuleText(text)
    changed = False
    for op in module.walk():
        kind = _KINDS.get(op.name)
        if not kind or HINTS in module.tail(op):
            continue
        for attribute in lost.get((kind, *module.place(op)), ()):
            if not only_hints or attribute.startswith(HINTS):
                module.lines[op.last] = with_attribute(module.lines[op.last], attribute)
                changed = True
    return "\n".join(module.lines) if changed else text
