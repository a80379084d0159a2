# SPDX-License-Identifier: MIT
"""The budget itself: what counts as above it, and that it is read as it was written."""

from __future__ import annotations

import re
from pathlib import Path

import golden_budget
import pytest
from golden_compile import passes_in

from setup_tools.toml import load

BUDGET = {
    "passes": {"llir": 40},
    "add": {"object_bytes": 10_000, "instructions": 200, "steady_instructions": 10},
}


@pytest.mark.parametrize(
    "figures",
    [{"object_bytes": 11_000}, {"object_bytes": 1}, {"instructions": 220}, {"steady_instructions": 13}],
)
def test_up_to_a_tenth_more_is_kept(figures: dict) -> None:
    assert golden_budget.exceeded("add", figures, BUDGET) == []


@pytest.mark.parametrize(
    ("table", "figures", "problem"),
    [
        ("add", {"object_bytes": 11_001}, r"add\.object_bytes = 11001 is above 11000 \(recorded: 10000\)"),
        ("add", {"instructions": 221}, "is above 220"),
        ("add", {"steady_instructions": 14}, "is above 13"),
        ("passes", {"llir": 41}, r"passes\.llir = 41 is above 40"),
        ("sub", {"instructions": 1}, r"sub\.instructions = 1 has no budget"),
    ],
)
def test_more_is_told_with_the_way_to_record_it(table: str, figures: dict, problem: str) -> None:
    told = golden_budget.exceeded(table, figures, BUDGET)
    assert len(told) == 2 and golden_budget.RECORD in told[1]
    assert re.search(problem, told[0])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    golden_budget.write(tmp_path / "budget.toml", BUDGET)
    assert load(tmp_path / "budget.toml") == BUDGET
    assert [path.name for path in tmp_path.iterdir()] == ["budget.toml"]


@pytest.mark.parametrize(
    ("pipeline", "count"),
    [
        ("builtin.module()", 0),
        ("builtin.module(cse)", 1),
        ("builtin.module(cse,func.func(flir-tile{a=8 b={x(y),z}},cse),canonicalize{top-down=true})", 4),
    ],
)
def test_passes_are_counted_and_not_what_they_are_nested_in(pipeline: str, count: int) -> None:
    assert passes_in(pipeline) == count
