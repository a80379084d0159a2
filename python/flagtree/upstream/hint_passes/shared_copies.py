# SPDX-License-Identifier: MIT
"""`shared_memory` on a load that no pipelined loop copies: through shared memory, begun early and awaited late.

The copy begins as early as its addresses are known and no write, barrier or atomic stands between; it is awaited right
before the first use. Copies that begin and end together are one group.

    %x = tt.load %p, %m              %b = ttg.local_alloc : () -> memdesc<…, mutable>
    …                           →    %c = ttg.async_copy_global_to_local %p, %b mask %m
    … = arith.addf %x, …             %g = ttg.async_commit_group tokens %c
                                     …
                                     %w = ttg.async_wait %g {num = 0 : i32}
                                     %x = ttg.local_load %b token %w
                                     … = arith.addf %x, …
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from flagtree.hints.passes import HintPass, Outcome, PassRecord, Situation
from flagtree.upstream.hint_passes import records
from flagtree.upstream.hint_passes.effects import LOADS, conversion, lets_loads_pass, pure
from flagtree.upstream.hint_passes.ir_text import ModuleText, Op, TensorType, tensor_type
from flagtree.upstream.hint_passes.layouts import contiguous_elements
from flagtree.upstream.hint_passes.loop_copies import HINT, is_zero
from flagtree.upstream.hint_passes.shared_space import SharedSpace
from flagtree.upstream.hint_passes.shared_text import Copy, Edits, emit

_LOOPS = ("scf.for", "scf.while")
#: The widest access of one thread, in bytes.
_WIDEST = 16


def rewrite(text: str, situation: Situation) -> Outcome:
    """Send every hinted load through shared memory that is still a load."""
    module = ModuleText(text)
    outcome = Outcome(text)
    if '"ttg.num-ctas" = 1' not in text and "ttg.num-ctas" in text:
        hinted = [op for op in module.walk() if op.name in LOADS and HINT in module.hints(op)]
        outcome.records += [
            records.failed(module, op, HINT, "clusters of several blocks are not supported") for op in hinted
        ]
        return outcome
    copies = list(_find(module, situation, outcome.records))
    if not copies:
        return outcome
    _place_all(module, copies)
    _within_space(module, copies, situation, outcome.records)
    edits = Edits()
    for block in _blocks(copies):
        emit(module, block, edits)
    outcome.records += [records.applied(module, c.op, HINT, _words(c)) for c in copies]
    outcome.text = edits.apply(module)
    return outcome


def _find(module: ModuleText, situation: Situation, found: list[PassRecord]) -> Iterable[Copy]:
    can_copy = situation.hardware is None or situation.hardware.has("async_copy")
    zeros = {op.results[0] for op in module.walk() if op.results and is_zero(module.header(op))}
    for op in module.walk():
        if op.name not in LOADS or HINT not in module.hints(op) or op.parent is None:
            continue
        made = _type(module, op)
        problem = _problem(module, op, made)
        width = _width(module, made, situation)
        asynchronous = can_copy and situation.asynchronous and width in _widths(situation)
        if not problem and not asynchronous and any(a.name in _LOOPS for a in op.ancestors()):
            problem = _why_not(situation, can_copy, width) + ", and within a loop registers are faster"
        if problem:
            found.append(records.failed(module, op, HINT, problem))
            continue
        block = next(b for b in op.parent.blocks if op in b)
        copy = Copy(op, block, block.index(op), made, asynchronous, *_operands(module, op))
        copy.other_is_zero = copy.other in zeros
        yield copy


def _width(module: ModuleText, made: TensorType, situation: Situation) -> int:
    """Bytes that a thread copies at once."""
    threads = situation.num_warps * situation.warp_size
    elements = min(contiguous_elements(made.layout, module.aliases), max(1, made.count // threads))
    return min(elements * made.element_bits // 8, _WIDEST)


def _widths(situation: Situation) -> tuple[int, ...]:
    """Bytes that one asynchronous copy of a thread may have."""
    stated = situation.hardware.facts.get("async_copy_bytes") if situation.hardware is not None else None
    return tuple(stated or (4, 8, 16))


def _problem(module: ModuleText, op: Op, made: TensorType) -> str:
    if not made.shape:
        return "it loads a scalar, no block"
    if "isVolatile = true" in module.tail(op):
        return "a volatile load stays where it is"
    if made.element.startswith("!tt.ptr") or not made.element_bits:
        return f"elements of type {made.element} have no place in shared memory"
    return ""


def _why_not(situation: Situation, can_copy: bool, width: int) -> str:
    if not can_copy:
        return f"{situation.hardware.arch} has no asynchronous copy to shared memory"
    if width not in _widths(situation):
        allowed = " or ".join(map(str, _widths(situation)))
        return f"a thread has {width} bytes side by side, an asynchronous copy moves {allowed}"
    return "the asynchronous copy was not lowered"


def _words(copy: Copy) -> str:
    kind = "an asynchronous copy" if copy.asynchronous else "a copy"
    moved = copy.at - copy.start
    return f"{kind} of {copy.type.bytes:,} bytes, begun {max(moved, 0)} operations earlier"


def _type(module: ModuleText, op: Op) -> TensorType:
    return tensor_type(module.tail(op).rpartition(" : ")[2].rpartition(" -> ")[2])


def _operands(module: ModuleText, op: Op) -> tuple[str, str, str, str]:
    """(pointers, offsets, mask, other)."""
    values = module.operands(op)
    offsets = values.pop(1) if op.name != "tt.load" else ""
    if op.name != "tt.load" and " stride = " in module.header(op):
        values = [v for v in values if f"stride = {v}" not in module.header(op)]
    mask, other = [*values[1:3], "", ""][:2]
    return values[0], offsets, mask, other


def _within_space(
    module: ModuleText, copies: list[Copy], situation: Situation, found: list[PassRecord]
) -> None:
    """Leave out, from the largest on, what has no place beside what is in shared memory at the same time."""
    space = situation.hardware.shared if situation.hardware is not None else None
    if space is None or not space.bytes:
        return
    room = space.bytes - situation.spare
    held = SharedSpace(module)
    while copies:
        taken, under_way = held.fullest(copies)
        if taken <= room or not under_way:
            return
        largest = max(under_way, key=lambda c: (c.type.bytes, c.op.first))
        copies.remove(largest)
        reason = (
            f"{largest.type.bytes:,} bytes do not fit: a program has {space.bytes:,} bytes of {space.name} memory "
            f"on {situation.hardware.arch}, and {taken - largest.type.bytes:,} are in use at the same time"
        )
        if situation.spare:
            reason += f", besides {situation.spare:,} that other operations need"
        found.append(records.failed(module, largest.op, HINT, reason))
        _place_all(module, copies)


def _place_all(module: ModuleText, copies: list[Copy]) -> None:
    awaited: dict[Op, int] = {}
    for number, copy in enumerate(copies):
        copy.number = number
        _place(module, copy, awaited)
        awaited[copy.op] = copy.use


def _place(module: ModuleText, copy: Copy, awaited: dict[Op, int]) -> None:
    """Find where the copy begins and where it is awaited, and what moves along.

    awaited: where the copies before it are
    """
    block, at = copy.block, copy.at
    needs = _Needs(module, block, awaited)
    low = max(map(needs.done, (copy.pointers, copy.offsets, copy.mask, copy.other)))
    barrier = max((i + 1 for i in range(at) if not lets_loads_pass(module, block[i])), default=0)
    copy.start = _behind_loads(module, block, max(low, barrier), at)
    copy.early = sorted(i for i in needs.operations if i >= copy.start)
    copy.use, copy.late = _first_use(module, block, at, copy.op.results[0])


class _Needs:
    """The pure operations of a block that values are computed by, and when the others they need are done."""

    def __init__(self, module: ModuleText, block: list[Op], awaited: dict[Op, int]) -> None:
        self.module, self.block, self.awaited = module, block, awaited
        self.maker = {value: i for i, op in enumerate(block) for value in op.results}
        self.operations: set[int] = set()

    def done(self, value: str) -> int:
        """The place in the block from which on `value` can be computed."""
        at = self.maker.get(value)
        if at is None or at in self.operations:
            return 0
        op = self.block[at]
        if op in self.awaited:
            return self.awaited[op]
        if not pure(op):
            return at + 1
        self.operations.add(at)
        return max(map(self.done, self.module.operands(op)), default=0)


def _behind_loads(module: ModuleText, block: list[Op], start: int, at: int) -> int:
    """Skip loads and what does not wait for them: they come first, for they were written first."""
    waiting: set[str] = set()
    for i in range(start, at):
        op = block[i]
        if op.name in LOADS:
            if waiting & module.uses(op):
                return i
            waiting.update(op.results)
        elif not pure(op) or waiting & module.uses(op):
            return i
    return at


def _first_use(module: ModuleText, block: list[Op], at: int, value: str) -> tuple[int, list[int]]:
    """(place of the first operation that works with the value, conversions of it that move down there)."""
    forms = {value}
    moved: list[int] = []
    for i in range(at + 1, len(block)):
        if not forms & module.uses(block[i]):
            continue
        if not conversion(module, block[i]):
            return i, moved
        forms.update(block[i].results)
        moved.append(i)
    return len(block) - 1, moved


def _blocks(copies: list[Copy]) -> list[list[Copy]]:
    grouped: dict[int, list[Copy]] = defaultdict(list)
    for copy in copies:
        grouped[id(copy.block)].append(copy)
    return list(grouped.values())


def _tidy(manager: object, situation: Situation) -> None:
    from triton._C.libtriton import passes

    if situation.warp_size == 32:
        passes.ttgpuir.add_coalesce_async_copy(manager)
    passes.common.add_cse(manager)


SHARED_COPIES = HintPass("shared-memory", "ttgir", frozenset({HINT}), rewrite, _tidy, spares=True)
