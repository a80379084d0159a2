# SPDX-License-Identifier: MIT
"""The text of copies through shared memory: what begins them, what awaits them, and what moves along."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from dataclasses import dataclass, field

from flagtree.upstream.hint_passes.effects import pure
from flagtree.upstream.hint_passes.ir_text import ModuleText, Op, TensorType
from flagtree.upstream.hint_passes.layouts import order_of

_CACHE = re.compile(r" (?:cacheModifier|evictionPolicy) = \w+")
_POLICY = re.compile(r"cachePolicy = #tt\.cache_policy<[^>]*>")


@dataclass(eq=False)
class Copy:
    """One load that is to go through shared memory.

    block, at:  the operations it stands among and its place there
    pointers, mask, other: its operands ("" where absent); offsets: of a buffer load
    start, use: before which operation of `block` it begins and is awaited
    early, late: operations that move up with its beginning, and down to its use
    """

    op: Op
    block: list[Op]
    at: int
    type: TensorType
    asynchronous: bool
    pointers: str
    offsets: str
    mask: str
    other: str
    start: int = 0
    use: int = 0
    early: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    number: int = 0
    other_is_zero: bool = False


class Edits:
    """Lines to put before others, and lines to leave out."""

    def __init__(self) -> None:
        self.before: dict[int, list[str]] = defaultdict(list)
        self.gone: set[int] = set()

    def move(self, module: ModuleText, op: Op, to: Op) -> None:
        """Move a one-line operation before `to`, once."""
        if op.first not in self.gone:
            self.gone.add(op.first)
            self.before[to.first].append(module.lines[op.first])

    def apply(self, module: ModuleText) -> str:
        lines: list[str] = []
        for number, line in enumerate(module.lines):
            lines += self.before.get(number, ())
            if number not in self.gone:
                lines.append(line)
        return "\n".join(lines)


def emit(module: ModuleText, copies: list[Copy], edits: Edits) -> None:
    """One group for the copies that begin and end together; at one place ends come before beginnings."""
    block = copies[0].block
    _end_together(copies)
    groups: dict[tuple[int, int], list[Copy]] = defaultdict(list)
    for copy in sorted(copies, key=lambda c: (c.start, c.use, c.number)):
        groups[copy.start, copy.use].append(copy)
    committed = [key for key, group in groups.items() if any(c.asynchronous for c in group)]
    for key, group in sorted(groups.items(), key=lambda item: item[0][1]):
        target = block[key[1]]
        # A copy ends behind its beginning, so what begins at this place begins after the wait.
        later = [c for c in committed if key < c and c[0] < key[1]] if key in committed else []
        edits.before[target.first] += _ending(module, group, len(later))
        for copy in group:
            edits.gone.add(copy.op.first)
            for i in copy.late:
                edits.move(module, block[i], target)
    for (start, _), group in groups.items():
        for copy in group:
            for i in copy.early:
                edits.move(module, block[i], block[start])
        edits.before[block[start].first] += _beginning(module, group)


def _end_together(copies: list[Copy]) -> None:
    """Copies that begin together end together when only arithmetic lies between their uses: one wait for all."""
    ordered = sorted(copies, key=lambda c: (c.start, c.use))
    for one, next_one in itertools.pairwise(ordered):
        between = one.block[one.use : next_one.use]
        if one.start == next_one.start and one.use > next_one.at and all(map(pure, between)):
            next_one.use = one.use


def _beginning(module: ModuleText, group: list[Copy]) -> list[str]:
    lines = [
        line
        for copy in group
        for line in (_copied(module, copy) if copy.asynchronous else _stored(module, copy))
    ]
    tokens = [f"%flagtree_copy{c.number}" for c in group if c.asynchronous]
    if tokens:
        at = module.location(group[0].op)
        lines.append(
            f"%flagtree_group{group[0].number} = ttg.async_commit_group tokens {', '.join(tokens)}{at}"
        )
    return lines


def _copied(module: ModuleText, copy: Copy) -> list[str]:
    at = module.location(copy.op)
    buffer = f"%flagtree_buffer{copy.number}"
    lines = [f"{buffer} = ttg.local_alloc : () -> {_memory(module, copy, mutable=True)}{at}"]
    token = f"%flagtree_copy{copy.number}"
    header, tail = module.header(copy.op), module.tail(copy.op)
    body = header.rpartition(" : ")[0]
    policy = _POLICY.search(tail)
    words, attributes = "".join(_CACHE.findall(body)), f" {{{policy[0]}}}" if policy else ""
    mask = f" mask {copy.mask}" if copy.mask else ""
    memory = _memory(module, copy, mutable=True).removeprefix("!ttg.memdesc")
    if copy.offsets:
        name = copy.op.name.replace("buffer_load", "buffer_load_to_local")
        masked = f" mask = {copy.mask}" if copy.mask else ""
        masked += f" other = {copy.other}" if copy.other else ""
        types = _buffer_types(copy)
        begun = f"{token} = {name} {copy.pointers}[{copy.offsets}]{masked}{words} into {buffer}{attributes}"
        return [*lines, f"{begun} : {types} -> {memory}{at}"]
    pointers = tail.rpartition(" : ")[2]
    other = f" other {copy.other}" if copy.other else ""
    begun = (
        f"{token} = ttg.async_copy_global_to_local {copy.pointers}, {buffer}{mask}{other}{words}{attributes}"
    )
    return [*lines, f"{begun} : {pointers} -> {memory}{at}"]


def _buffer_types(copy: Copy) -> str:
    shape = "x".join(map(str, copy.type.shape))
    offsets = f"!tt.ptr<{copy.type.element}>[tensor<{shape}xi32, {copy.type.layout}>]"
    return f"{offsets} {_tensor(copy)}" if copy.other else offsets


def _stored(module: ModuleText, copy: Copy) -> list[str]:
    """The load itself, early, and its value put to shared memory."""
    at = module.location(copy.op)
    value = f"%flagtree_value{copy.number}"
    load = module.lines[copy.op.first].replace(copy.op.results[0], value, 1)
    made = _tensor(copy)
    memory = _memory(module, copy, mutable=False)
    return [load, f"%flagtree_buffer{copy.number} = ttg.local_alloc {value} : ({made}) -> {memory}{at}"]


def _ending(module: ModuleText, group: list[Copy], later: int) -> list[str]:
    at = module.location(group[0].op)
    lines: list[str] = []
    wait = f"%flagtree_wait{group[0].number}"
    if any(c.asynchronous for c in group):
        lines.append(f"{wait} = ttg.async_wait %flagtree_group{group[0].number} {{num = {later} : i32}}{at}")
    for copy in group:
        lines += _loaded(module, copy, wait)
    return lines


def _loaded(module: ModuleText, copy: Copy, wait: str) -> list[str]:
    at, made, result = module.location(copy.op), _tensor(copy), copy.op.results[0]
    token = f" token {wait}" if copy.asynchronous else ""
    memory = _memory(module, copy, mutable=copy.asynchronous)
    # An asynchronous copy leaves zeros where the mask is false.
    select = bool(copy.asynchronous and copy.mask and copy.other and not copy.other_is_zero)
    value = f"%flagtree_value{copy.number}" if select else result
    lines = [f"{value} = ttg.local_load %flagtree_buffer{copy.number}{token} : {memory} -> {made}{at}"]
    if select:
        mask = made.replace(f"x{copy.type.element},", "xi1,", 1)
        lines.append(f"{result} = arith.select {copy.mask}, {value}, {copy.other} : {mask}, {made}{at}")
    return lines


def _tensor(copy: Copy) -> str:
    shape = "x".join(map(str, copy.type.shape))
    return f"tensor<{shape}x{copy.type.element}, {copy.type.layout}>"


def _memory(module: ModuleText, copy: Copy, *, mutable: bool) -> str:
    shape = "x".join(map(str, copy.type.shape))
    order = order_of(copy.type.layout, len(copy.type.shape), module.aliases)
    layout = f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = {order}}}>"
    tail = ", mutable" if mutable else ""
    return f"!ttg.memdesc<{shape}x{copy.type.element}, {layout}, #ttg.shared_memory{tail}>"
