# SPDX-License-Identifier: MIT
"""What a layout's text says: the order of its dimensions and the elements that a thread has side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping

_BLOCKED = re.compile(
    r"#ttg\.blocked<\{sizePerThread = \[([\d, ]+)\], threadsPerWarp = \[([\d, ]+)\], "
    r"warpsPerCTA = \[([\d, ]+)\], order = \[([\d, ]+)\]"
)
_SLICE = re.compile(r"#ttg\.slice<\{dim = (\d+), parent = (.*)\}>$")


def _numbers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


def expand(layout: str, aliases: Mapping[str, str]) -> str:
    """The layout without its alias."""
    return aliases.get(layout, layout)


def order_of(layout: str, rank: int, aliases: Mapping[str, str]) -> list[int]:
    """Dimensions from the one that lies closest on; by rows where the layout does not say."""
    text = expand(layout, aliases)
    if found := _SLICE.match(text):
        gone = int(found[1])
        return [d - (d > gone) for d in order_of(found[2], rank + 1, aliases) if d != gone]
    found = _BLOCKED.search(text)
    order = _numbers(found[4]) if found else []
    return order if len(order) == rank else list(range(rank - 1, -1, -1))


def contiguous_elements(layout: str, aliases: Mapping[str, str]) -> int:
    """Elements that a thread has side by side along the closest dimension; 1 where the layout does not say."""
    text = expand(layout, aliases)
    if found := _SLICE.match(text):
        parent = _BLOCKED.search(expand(found[2], aliases))
        if parent is None:
            return 1
        closest = next((d for d in _numbers(parent[4]) if d != int(found[1])), None)
        return _numbers(parent[1])[closest] if closest is not None else 1
    found = _BLOCKED.search(text)
    return _numbers(found[1])[_numbers(found[4])[0]] if found else 1


def blocked(shape: tuple[int, ...], order: list[int], element_bits: int, warps: int, warp_size: int) -> str:
    """A blocked layout whose threads lie along `order` and read up to 16 bytes each."""
    rank = len(shape)
    per_thread, per_warp, per_block = [1] * rank, [1] * rank, [1] * rank
    closest = order[0]
    total = 1
    for size in shape:
        total *= size
    widest = max(1, min(128 // max(element_bits, 1), total // (warps * warp_size)))
    per_thread[closest] = max(1, min(shape[closest], widest))
    lanes, groups = warp_size, warps
    for d in order:
        per_warp[d] = max(1, min(lanes, shape[d] // per_thread[d]))
        lanes //= per_warp[d]
        per_block[d] = max(1, min(groups, shape[d] // (per_thread[d] * per_warp[d])))
        groups //= per_block[d]
    per_warp[order[-1]] *= lanes
    per_block[order[-1]] *= groups
    return (
        f"#ttg.blocked<{{sizePerThread = {per_thread}, threadsPerWarp = {per_warp}, "
        f"warpsPerCTA = {per_block}, order = {order}}}>"
    )
