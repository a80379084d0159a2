# SPDX-License-Identifier: MIT
"""Compile as if some hints were not there, to see what they do. Thread-safe: a context variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flagtree.hints.hint import Hint

#: Identity of a hint in a program: (the source it is in, its index there).
HintKey = tuple[str, int]

_suppressed: ContextVar[frozenset[HintKey]] = ContextVar("flagtree_suppressed_hints", default=frozenset())


def is_suppressed(source: str, hint: Hint) -> bool:
    """True while `hint` of the kernel with text `source` is to be left out."""
    active = _suppressed.get()
    return bool(active) and (source, hint.index) in active


#: The set of hints left out now, for who must read it fast.
suppressed = _suppressed.get


@contextmanager
def suppress(keys: Iterable[HintKey]) -> Iterator[None]:
    """Leave out the hints `keys`, besides those that are left out already."""
    token = _suppressed.set(_suppressed.get() | frozenset(keys))
    try:
        yield
    finally:
        _suppressed.reset(token)


def suppressed_key() -> str:
    """What the cache key gets: a compile with a hint left out must not be taken for one with it."""
    import hashlib

    active = _suppressed.get()
    if not active:
        return "none"
    return hashlib.sha256(repr(sorted(active)).encode()).hexdigest()
