# SPDX-License-Identifier: MIT
"""A module's text without some hints and without what upstream would do for them."""

from __future__ import annotations

import re

from flagtree.upstream.hint_passes.ir_text import HINTS, ModuleText, without_hint

#: Hint → upstream's attribute that the front end sets for it.
_NATIVE = {
    "num_stages": "tt.num_stages",
    "unroll": "tt.loop_unroll_factor",
    "loop_unroll_factor": "tt.loop_unroll_factor",
    "latency": "tt.latency",
    "flatten": "tt.flatten",
    "warp_specialize": "tt.warp_specialize",
    "disallow_acc_multi_buffer": "tt.disallow_acc_multi_buffer",
}


def without_hints(text: str, which: str = "*") -> str:
    """The hint `which` ("*": every hint) gone from all operations, with upstream's attribute that it stands for."""
    if HINTS not in text:
        return text
    module = ModuleText(text)
    for op in module.walk():
        for hint in module.hints(op):
            if which in ("*", hint):
                line = without_hint(module.lines[op.last], hint)
                if hint in _NATIVE:
                    line = _without(line, re.escape(_NATIVE[hint]) + r"(?: = \d+ : i32)?")
                module.lines[op.last] = line
    return "\n".join(module.lines)


def _without(line: str, attribute: str) -> str:
    line = re.sub(rf"{attribute}, |, {attribute}(?=[,}}])", "", line, count=1)
    return re.sub(rf" \{{{attribute}\}}", "", line, count=1)
