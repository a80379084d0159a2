# SPDX-License-Identifier: MIT
"""Which kinds of operation a hint can be attached to.

A name that is not listed goes to every kind: a plugin's backend may know it.
"""

from __future__ import annotations

#: The kinds of operation that carry hints.
KINDS = frozenset({"load", "store", "atomic", "dot", "for", "while"})

_MEMORY = frozenset({"load", "store"})
_LOOP = frozenset({"for"})

_SUBJECTS: dict[str, frozenset[str]] = {
    "shared_memory": _MEMORY,
    "dma": _MEMORY,
    "UB_buffer": _MEMORY,
    "layout": _MEMORY | {"dot"},
    "multibuffer": _MEMORY | _LOOP,
    "bind_sub_block": _LOOP,
    "warp_specialize": _LOOP,
    "dot_pad_only_k": frozenset({"dot"}),
    "num_stages": _LOOP,
    "loop_unroll_factor": _LOOP,
    "flatten": _LOOP,
    "disallow_acc_multi_buffer": _LOOP,
    "latency": frozenset({"load"}),
}


def takes(name: str, kind: str) -> bool:
    """True when hint `name` may be attached to an operation of `kind`."""
    return kind in _SUBJECTS.get(name, KINDS)


def subjects(name: str) -> frozenset[str]:
    """The kinds that hint `name` is for; all of them for a name that is not known."""
    return _SUBJECTS.get(name, KINDS)


def known_names() -> list[str]:
    """Every listed hint, sorted."""
    return sorted(_SUBJECTS)
