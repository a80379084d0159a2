# SPDX-License-Identifier: MIT
"""Hints that upstream's GPU pipeline understands by itself, as attributes of loops and loads."""

from __future__ import annotations

from typing import Any

from flagtree.hints.hint import Hint

#: (hint, kind of operation) → attribute that carries an i32.
_INTEGERS = {
    ("num_stages", "for"): "tt.num_stages",
    ("unroll", "for"): "tt.loop_unroll_factor",
    ("loop_unroll_factor", "for"): "tt.loop_unroll_factor",
    ("latency", "load"): "tt.latency",
}
#: (hint, kind of operation) → attribute without a value.
_FLAGS = {
    ("flatten", "for"): "tt.flatten",
    ("warp_specialize", "for"): "tt.warp_specialize",
    ("disallow_acc_multi_buffer", "for"): "tt.disallow_acc_multi_buffer",
}


def native_attribute(operation: Any, hint: Hint, kind: str, builder: Any) -> str:
    """Set upstream's own attribute for `hint`, if there is one. Returns what is wrong with the hint, or ""."""
    name = _INTEGERS.get((hint.name, kind))
    if name is not None:
        value = _integer(hint)
        if value is None:
            return f"{hint.name} wants one whole number from 0 to 2147483647, for example {hint.name}=2"
        operation.set_attr(name, builder.get_int32_attr(value))
        return ""
    name = _FLAGS.get((hint.name, kind))
    if name is not None:
        if hint.args:
            return f"{hint.name} takes no value"
        operation.set_attr(name, builder.get_unit_attr())
    return ""


def _integer(hint: Hint) -> int | None:
    if len(hint.args) != 1 or not hint.args[0].isdecimal() or not hint.args[0].isascii():
        return None
    digits = hint.args[0].lstrip("0") or "0"
    return int(digits) if len(digits) <= 10 and int(digits) < 2**31 else None
