# SPDX-License-Identifier: MIT
"""The builder's creators of operations, shadowed while a function is visited: what they create gets its hints.

They are shadowed on the builder INSTANCE, so nothing changes for anyone else, and taken away again afterwards (a cycle
through the builder would be reported as a leak at exit). Operations are many: where a statement has no hints, all that
a shadow does is to see that.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from flagtree.frontend.reach import Hinted, Reach
from flagtree.frontend.tracker import HintTracker
from flagtree.frontend.validate import Entry
from flagtree.upstream import store_hints
from flagtree.upstream.block_bytes import BlockSizes
from flagtree.upstream.loop_attributes import has_native_attribute, native_attribute

ATTRIBUTE = "flagtree_hints"

#: Builder method → kind of the operation that it creates. Methods that a Triton lacks are skipped.
CREATORS: dict[str, str] = {
    "create_load": "load",
    "create_masked_load": "load",
    "create_tensor_pointer_load": "load",
    "create_descriptor_load": "load",
    "create_descriptor_gather": "load",
    "create_store": "store",
    "create_masked_store": "store",
    "create_tensor_pointer_store": "store",
    "create_descriptor_store": "store",
    "create_descriptor_scatter": "store",
    "create_descriptor_reduce": "atomic",
    "create_atomic_rmw": "atomic",
    "create_atomic_cas": "atomic",
    "create_atomic_load": "atomic",
    "create_atomic_store": "atomic",
    "create_dot": "dot",
    "create_dot_scaled": "dot",
    "create_for_op": "for",
    "create_while_op": "while",
}
#: Those that return nothing to Python: their hint travels in the location.
_WITHOUT_RESULT = frozenset(
    {
        "create_store",
        "create_masked_store",
        "create_tensor_pointer_store",
        "create_descriptor_store",
        "create_descriptor_scatter",
        "create_descriptor_reduce",
        "create_atomic_store",
    }
)


def shadow(builder: Any, tracker: HintTracker) -> list[str]:
    """Shadow the creators on `builder` of what can get a hint; returns the names to take away again."""
    attacher = _Attacher(builder, tracker)
    kinds = tracker.kinds()
    names = [name for name in _creators(type(builder)) if CREATORS[name] in kinds]
    for name in names:
        make = _marking if name in _WITHOUT_RESULT else _attaching
        setattr(builder, name, make(getattr(builder, name), CREATORS[name], attacher))
    return names


def unshadow(builder: Any, names: list[str]) -> None:
    """Take the shadows `names` of `builder` away."""
    for name in names:
        delattr(builder, name)


@functools.cache
def _creators(builder: type) -> list[str]:
    return [name for name in CREATORS if hasattr(builder, name)]


def _attaching(create: Callable[..., Any], kind: str, attacher: _Attacher) -> Callable[..., Any]:
    """The creator `create`, whose operations get their hints as attributes."""
    tracker, attach = attacher.tracker, attacher.attach

    def created(*args: Any) -> Any:
        operation = create(*args)
        now = tracker.now
        if now is not None:
            reach = now.reaches.get(kind)
            if reach is None or reach.taken:
                attach(operation, now, kind, reach)
        return operation

    return created


def _marking(create: Callable[..., Any], kind: str, attacher: _Attacher) -> Callable[..., Any]:
    """As `_attaching`, for a creator that returns nothing: the hints travel in the location."""
    tracker = attacher.tracker

    def created(*args: Any) -> Any:
        now = tracker.now
        reach = attacher.reach(now, kind, args) if now is not None else None
        if reach is None or not reach.taken:
            return create(*args)
        with store_hints.location(attacher.builder, reach.text):
            operation = create(*args)
        now.attached.append(reach)
        return operation

    return created


class _Attacher:
    """Puts the hints of statements on the operations of one builder. Whatever goes wrong, the operation stays."""

    def __init__(self, builder: Any, tracker: HintTracker) -> None:
        self.builder = builder
        self.tracker = tracker
        self._sizes = BlockSizes()

    def reach(self, now: Hinted, kind: str, args: tuple) -> Reach | None:
        """What a store of `args[1]` gets."""
        try:
            return self._fitting(now.reach(kind), now, args[1] if len(args) > 1 else None)
        except Exception:
            return None

    def attach(self, operation: Any, now: Hinted, kind: str, reach: Reach | None) -> None:
        """Put the hints of the statement `now` on `operation`; those that it does not take have a problem then.

        reach: what the statement gives to operations of this kind, where that is known already
        """
        try:
            if reach is None:
                reach = now.reach(kind)
            if reach.room is not None:
                reach = self._fitting(reach, now, operation)
            attributes = reach.attributes
            if attributes is None:
                attributes = reach.attributes = self._attributes(reach, now)
            for name, value in attributes:
                operation.set_attr(name, value)
            if attributes:
                now.attached.append(reach)
        except Exception:
            self._attach_singly(operation, now, kind)

    def _fitting(self, reach: Reach, now: Hinted, value: Any) -> Reach:
        """`reach` less what has no memory for the block `value`; that is rejected with the numbers."""
        size = self._sizes.of(value) if reach.room is not None else None
        if size is None or size <= reach.room:
            return reach
        for at, use in zip(reach.taken, reach.uses, strict=True):
            hint = now.listed.entries[at].hint
            if use is not None and (problem := use.overflow(hint, size, self.tracker.hardware)):
                now.reject(at, problem)
        return now.reach(reach.kind)

    def _attributes(self, reach: Reach, now: Hinted) -> list[tuple[str, Any]]:
        """Name and value: upstream's own of each hint that has one, and ours for all."""
        if not reach.taken:
            return []
        found = [native_attribute(each, reach.kind, self.builder) for _, each in self._native(reach, now)]
        found.append((ATTRIBUTE, self.builder.get_string_attr(reach.text)))
        return found

    def _native(self, reach: Reach, now: Hinted) -> list[tuple[int, Entry]]:
        """Positions and hints of those with an attribute of upstream's, where the backend uses them or is not known."""
        entries, anywhere = now.listed.entries, self.tracker.hardware is None
        return [
            (at, entries[at])
            for at, use in zip(reach.taken, reach.uses, strict=True)
            if (anywhere or use is not None) and has_native_attribute(entries[at], reach.kind)
        ]

    def _attach_singly(self, operation: Any, now: Hinted, kind: str) -> None:
        """As `attach`, where something went wrong: finds out which hint it was."""
        with contextlib.suppress(Exception):
            reach = now.reach(kind)
            for at, each in self._native(reach, now):
                try:
                    operation.set_attr(*native_attribute(each, kind, self.builder))
                except Exception as error:
                    now.reject(at, f"this Triton does not take it as an attribute ({error})")
            reach = now.reach(kind)
            if not reach.taken:
                return
            try:
                operation.set_attr(ATTRIBUTE, self.builder.get_string_attr(reach.text))
                now.attached.append(reach)
            except Exception as error:
                for at in reach.taken:
                    now.reject(at, f"the operation does not take an attribute ({error})")
