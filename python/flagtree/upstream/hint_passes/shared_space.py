# SPDX-License-Identifier: MIT
"""How much shared memory a module has in use where: by line of its text, of what it has already and of copies.

What later stages need there besides (a conversion of layouts, a reduction) is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flagtree.upstream.hint_passes.ir_text import ModuleText, Op, tensor_type
from flagtree.upstream.hint_passes.shared_text import Copy

_MEMORY = re.compile(r"!ttg\.memdesc<((?:\d+x)+)([\w.]+)")

#: The line where a buffer comes to be, the line before which it is gone, and its bytes.
Life = tuple[int, int, int]


class SharedSpace:
    """The buffers of a module, and the place where they and those of copies take most."""

    def __init__(self, module: ModuleText) -> None:
        operations = list(module.walk())
        self._held = [
            life
            for op in operations
            if op.name == "ttg.local_alloc" and (life := _life(module, op, operations))
        ]

    def fullest(self, copies: Sequence[Copy]) -> tuple[int, list[Copy]]:
        """(bytes in use where most are, the copies that are under way there)."""
        lives = [life(copy) for copy in copies]
        places = {first for first, _, _ in (*self._held, *lives)}
        return max(
            ((self._at(place, lives), [c for c in copies if _alive(life(c), place)]) for place in places),
            key=lambda found: found[0],
            default=(0, []),
        )

    def _at(self, line: int, lives: Sequence[Life]) -> int:
        return sum(each[2] for each in (*self._held, *lives) if _alive(each, line))


def life(copy: Copy) -> Life:
    """A copy's buffer is there from its beginning until it is awaited and read."""
    return copy.block[copy.start].first, copy.block[copy.use].first, copy.type.bytes


def _alive(life: Life, line: int) -> bool:
    first, gone, _ = life
    return first <= line < max(gone, first + 1)


def _life(module: ModuleText, alloc: Op, operations: Sequence[Op]) -> Life | None:
    """Of a buffer that is there already: until the last use of it and of all views of it."""
    shape = _MEMORY.search(module.tail(alloc))
    if shape is None:
        return None
    views, last = set(alloc.results), alloc.last
    for op in operations:
        if op.first > alloc.first and views & module.uses(op):
            last = max(last, op.last)
            if _MEMORY.search(module.header(op)) or _MEMORY.search(module.tail(op)):
                views.update(op.results)
    return alloc.first, last + 1, tensor_type(f"tensor<{shape[1]}{shape[2]}>").bytes
