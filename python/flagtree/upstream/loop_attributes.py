# SPDX-License-Identifier: MIT
"""Hints that upstream's GPU pipeline understands by itself, as attributes of loops and loads."""

from __future__ import annotations

from typing import Any

from flagtree.frontend.validate import Entry

#: (hint, kind of operation) → upstream's attribute; it carries the hint's one argument, or nothing.
_ATTRIBUTES = {
    ("num_stages", "for"): "tt.num_stages",
    ("unroll", "for"): "tt.loop_unroll_factor",
    ("flatten", "for"): "tt.flatten",
    ("warp_specialize", "for"): "tt.warp_specialize",
    ("disallow_acc_multi_buffer", "for"): "tt.disallow_acc_multi_buffer",
    ("latency", "load"): "tt.latency",
}


def has_native_attribute(entry: Entry, kind: str) -> bool:
    """True when upstream has an attribute of its own for the hint."""
    return entry.spec is not None and (entry.spec.name, kind) in _ATTRIBUTES


def native_attribute(entry: Entry, kind: str, builder: Any) -> tuple[str, Any]:
    """Name and value of upstream's own attribute for the hint."""
    assert entry.spec is not None
    value = builder.get_int32_attr(entry.values[0]) if entry.values else builder.get_unit_attr()
    return _ATTRIBUTES[entry.spec.name, kind], value
