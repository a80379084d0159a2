# SPDX-License-Identifier: MIT
"""`layout(row)` and `layout(col)` on a load: its threads lie along rows or along columns, in TTGIR."""

from __future__ import annotations

import re

from flagtree.hints.passes import HintPass, Outcome, PassRecord, Situation
from flagtree.upstream.hint_passes import records
from flagtree.upstream.hint_passes.effects import LOADS
from flagtree.upstream.hint_passes.ir_text import ModuleText, Op, tensor_type
from flagtree.upstream.hint_passes.layouts import blocked, expand, order_of

HINT = "layout"


def rewrite(text: str, situation: Situation) -> Outcome:
    """Give hinted loads a blocked layout of that order; conversions lead there and back."""
    module = ModuleText(text)
    outcome = Outcome(text)
    for op in list(module.walk()):
        if op.name in LOADS and HINT in module.hints(op):
            outcome.records.append(_one(module, op, situation, len(outcome.records)))
    outcome.text = "\n".join(module.lines)
    return outcome


def _one(module: ModuleText, op: Op, situation: Situation, number: int) -> PassRecord:
    made = tensor_type(module.tail(op).rpartition(" : ")[2].rpartition(" -> ")[2])
    if len(made.shape) != 2:
        return records.failed(module, op, HINT, "rows and columns are those of a block with two dimensions")
    wanted = module.hints(op)[HINT][0].rpartition("=")[2].strip()
    order = [1, 0] if wanted == "row" else [0, 1]
    if order_of(made.layout, 2, module.aliases) == order and "#ttg.blocked" in expand(
        made.layout, module.aliases
    ):
        return records.unchanged(module, op, HINT, "it is the layout that upstream chose")
    layout = blocked(made.shape, order, made.element_bits, situation.num_warps, situation.warp_size)
    module.lines[op.first] = "\n".join(_converted(module, op, made.layout, layout, number))
    return records.applied(module, op, HINT, layout)


def _converted(module: ModuleText, op: Op, old: str, new: str, number: int) -> list[str]:
    at = module.location(op)
    body, _, types = module.lines[op.first].rpartition(" : ")
    made = tensor_type(module.tail(op).rpartition(" : ")[2].rpartition(" -> ")[2])
    shape = "x".join(map(str, made.shape))
    head, _, rest = body.partition(" = ")
    values = module.operands(op)
    if op.name == "tt.load":
        elements = [f"!tt.ptr<{made.element}>", "i1", made.element]
    else:  # a buffer load: a scalar pointer, offsets, mask and other
        values, elements = values[1:], ["i32", "i1", made.element]
        # What upstream found side by side was so in its own layout.
        rest = re.sub(r"contiguity = \d+", "contiguity = 1", rest)
    lines = []
    for position, (value, element) in enumerate(zip(values, elements, strict=False)):
        name = f"%flagtree_layout{number}_{position}"
        lines.append(_conversion(name, value, f"{shape}x{element}", old, new) + at)
        rest = re.sub(rf"{re.escape(value)}(?![\w$.-])", name, rest, count=1)
    result = f"%flagtree_layout{number}"
    lines.append(f"{result} = {rest} : {types.replace(old, new)}")
    lines.append(_conversion(head.strip(), result, f"{shape}x{made.element}", new, old) + at)
    return lines


def _conversion(result: str, value: str, elements: str, old: str, new: str) -> str:
    return f"{result} = ttg.convert_layout {value} : tensor<{elements}, {old}> -> tensor<{elements}, {new}>"


def _tidy(manager: object, situation: Situation) -> None:
    from triton._C.libtriton import passes

    if situation.warp_size == 32:  # a buffer load of AMD's would be given its first layout again
        passes.ttgpuir.add_remove_layout_conversions(manager)
    passes.common.add_cse(manager)
    passes.common.add_canonicalizer(manager)


LOAD_LAYOUT = HintPass("layout", "ttgir", frozenset({HINT}), rewrite, _tidy)
