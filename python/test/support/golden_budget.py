# SPDX-License-Identifier: MIT
"""The recorded budget of golden kernels: what is above it, and how it is written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

RECORD = "python -m pytest python/test/golden --record-budget"
#: A figure may be this share above what was recorded, or so many instructions or bytes where that is more.
SHARE = 0.10
LEAST = {"object_bytes": 128, "instructions": 8, "steady_instructions": 3}
#: The table of the numbers of passes; any other is a kernel's.
PASSES = "passes"

Tables = Mapping[str, Mapping[str, int]]


def exceeded(table: str, measured: Mapping[str, int], budget: Tables) -> list[str]:
    """Each figure above the budget, or without one, with the way to record it anew. Passes have no tolerance."""
    recorded = budget.get(table, {})
    problems = []
    for name, value in measured.items():
        if name not in recorded:
            problems.append(f"{table}.{name} = {value} has no budget")
        elif value > (limit := _limit(table, name, recorded[name])):
            problems.append(f"{table}.{name} = {value} is above {limit} (recorded: {recorded[name]})")
    if problems:
        problems.append(f"if that is meant, record it and commit the change: {RECORD}")
    return problems


def _limit(table: str, name: str, recorded: int) -> int:
    if table == PASSES:
        return recorded
    return recorded + max(int(recorded * SHARE), LEAST[name])


def write(path: Path, tables: Tables) -> None:
    """At once, since several processes of one test run may write the same."""
    lines = [
        "# What kernels may cost on x86-64-v3, and the passes of each stage. Recorded, not written by hand:",
        f"#     {RECORD}",
    ]
    for table, figures in tables.items():
        lines += ["", f"[{table}]", *(f"{name} = {value}" for name, value in figures.items())]
    whole = path.with_suffix(f".{os.getpid()}")
    whole.write_text("\n".join(lines) + "\n", encoding="utf-8")
    whole.replace(path)
