# SPDX-License-Identifier: MIT
"""`shared_memory` on a load within a loop: upstream's pipeliner copies it ahead of its use.

The pass says how far ahead, in TTIR: as far as keeps the memory busy from one program, and no farther than lets the
shared memory hold the blocks of two programs on a compute unit.
"""

from __future__ import annotations

import math

from flagtree.hints.passes import HintPass, Outcome, PassRecord, Situation
from flagtree.upstream.hint_passes import records
from flagtree.upstream.hint_passes.ir_text import (
    ModuleText,
    Op,
    TensorType,
    tensor_type,
    with_attribute,
    without_hint,
)

HINT = "shared_memory"
LOADS = ("tt.load", "tt.descriptor_load", "tt.descriptor_gather")

#: Bytes that one program should have under way: on an H200, sums over rows and columns gain up to here.
_IN_FLIGHT = 48 * 1024
_DEEPEST = 5
#: Registers that a masked load's other value and mask may take over all stages (elements a thread).
_MASKED_ELEMENTS = 192
_DOTS = ("tt.dot", "tt.dot_scaled")


def rewrite(text: str, situation: Situation) -> Outcome:
    """Set the number of stages of every loop whose loads are hinted, unless the kernel states one."""
    module = ModuleText(text)
    outcome = Outcome(text)
    for loop in list(module.walk()):
        if loop.name == "scf.for":
            outcome.records += _loop(module, loop, situation)
    outcome.text = "\n".join(module.lines)
    return outcome


def _loop(module: ModuleText, loop: Op, situation: Situation) -> list[PassRecord]:
    body = loop.blocks[0]
    hinted = [op for op in body if op.name in LOADS and HINT in module.hints(op)]
    if not hinted:
        return []
    if any(op.name in ("scf.for", "scf.while") for each in body for op in each.walk()):
        return []  # upstream pipelines innermost loops; the load is copied where it stands
    found = _decide(module, loop, body, hinted, situation)
    for op in hinted:
        module.lines[op.last] = without_hint(module.lines[op.last], HINT)
    return found


def _decide(
    module: ModuleText, loop: Op, body: list[Op], hinted: list[Op], situation: Situation
) -> list[PassRecord]:
    if "tt.num_stages" in module.tail(loop):
        return [records.unchanged(module, op, HINT, "the loop's num_stages says how far") for op in hinted]
    stated = [op for op in hinted if "tt.latency" in module.tail(op)]
    blocks = {op: loaded_type(module, op) for op in hinted}
    found = [records.unchanged(module, op, HINT, "its latency says how far") for op in stated]
    scalars = [op for op in hinted if not blocks[op].shape]
    found += [records.failed(module, op, HINT, "it loads a scalar, no block") for op in scalars]
    hinted = [op for op in hinted if op not in stated and op not in scalars]
    if not hinted:
        return found
    if _pipelined_anyway(module, body, hinted):
        return found + [
            records.unchanged(module, op, HINT, "upstream copies it ahead of its dot already")
            for op in hinted
        ]
    depth, why = stages([blocks[op] for op in hinted], situation, _keeps_masks(module, hinted))
    # Of a loop with a dot upstream copies all that flows into it: all of these or none.
    divisible = not any(op.name in _DOTS for op in body)
    while depth < 2 and divisible and len(hinted) > 1:
        largest = max(hinted, key=lambda op: (blocks[op].bytes, op.first))
        found.append(records.failed(module, largest, HINT, why))
        hinted.remove(largest)
        depth, why = stages([blocks[op] for op in hinted], situation, _keeps_masks(module, hinted))
    if depth < 2:
        return found + [records.failed(module, op, HINT, why) for op in hinted]
    module.lines[loop.last] = with_attribute(module.lines[loop.last], f"tt.num_stages = {depth} : i32")
    others = [op for op in body if op.name in LOADS and op not in hinted]
    if others and divisible:
        # With latencies of its own the loop copies these loads only.
        for op in hinted:
            module.lines[op.last] = with_attribute(module.lines[op.last], f"tt.latency = {depth - 1} : i32")
    return found + [records.applied(module, op, HINT, why) for op in hinted]


def stages(blocks: list[TensorType], situation: Situation, masked: bool) -> tuple[int, str]:
    """(number of stages, why) for loads of `blocks` in one loop; 0 stages when they do not fit."""
    size = sum(block.bytes for block in blocks)
    if not size:
        return 0, "the size of its elements is not known"
    wanted = min(_DEEPEST, max(2, 1 + math.ceil(_IN_FLIGHT / size)))
    threads = situation.num_warps * situation.warp_size
    if masked:
        elements = max(1, sum(block.count for block in blocks) // threads)
        wanted = max(2, min(wanted, _MASKED_ELEMENTS // elements))
    space = situation.hardware.shared if situation.hardware is not None else None
    if space is None or not space.bytes:
        return wanted, f"{wanted} stages of {size:,} bytes"
    resident = max(1, min(2, situation.hardware.facts.get("max_threads_per_unit", threads) // threads))
    unit = space.bytes_per_unit or space.bytes
    fitting = wanted
    while fitting > 2 and fitting * size * resident > unit:
        fitting -= 1
    if fitting * size > space.bytes:
        return 0, (
            f"{fitting} stages of {size:,} bytes do not fit: a program has {space.bytes:,} bytes "
            f"of {space.name} memory on {situation.hardware.arch}"
        )
    return fitting, f"{fitting} stages of {size:,} bytes of {unit:,} a compute unit"


def loaded_type(module: ModuleText, op: Op) -> TensorType:
    """Type of what a load gives."""
    types = module.tail(op).rpartition(" : ")[2]
    found = tensor_type(types.rpartition(" -> ")[2])
    # A load's type is that of its pointers: what it gives are their pointees.
    return found


def _keeps_masks(module: ModuleText, loads: list[Op]) -> bool:
    """True when a load's other value is not zero: then it and the mask live as long as the copy."""
    zeros = {op.results[0] for op in module.walk() if op.results and is_zero(module.header(op))}
    return any(len(each) > 2 and each[2] not in zeros for each in map(module.operands, loads))


def is_zero(header: str) -> bool:
    """True for the constant zero."""
    if "arith.constant" not in header:
        return False
    value = header.partition("arith.constant ")[2].partition(" :")[0].partition(" {")[0]
    value = value.removeprefix("dense<").removesuffix(">")
    return value in ("0", "0.000000e+00", "false")


def _pipelined_anyway(module: ModuleText, body: list[Op], loads: list[Op]) -> bool:
    """True when each of the loads flows into a dot of the loop."""
    if not any(op.name in _DOTS for op in body):
        return False
    reached = {value: {value} for op in loads for value in op.results}
    fed: set[str] = set()
    for op in body:
        for start, flow in reached.items():
            if flow & module.uses(op):
                flow.update(op.results)
                if op.name in _DOTS:
                    fed.add(start)
    return len(fed) == len(reached)


LOOP_COPIES = HintPass("shared-memory-in-loops", "ttir", frozenset({HINT}), rewrite)
