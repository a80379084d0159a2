# SPDX-License-Identifier: MIT
"""Passes as Python functions."""

from __future__ import annotations

import pytest
from fake_compiler import FakeCompiler

from flagtree import passes
from flagtree.passes import PassManager

SIZE = {"name": "tile-size", "type": "int64_t", "default": "4", "description": "elements a tile"}
TABLE = [
    {"argument": "flir-tile", "summary": "Tile loops", "group": "flir", "options": [SIZE]},
    {"argument": "cse", "summary": "Merge equal operations", "group": "common", "options": []},
    {"argument": "their-pass", "summary": "A plugin's", "group": "my-plugin", "options": []},
]


@pytest.fixture(autouse=True)
def table(fake: FakeCompiler) -> None:
    fake.table = TABLE


def test_a_pipeline_is_a_list_of_calls() -> None:
    pm = PassManager()
    passes.common.add_cse(pm)
    with pm.nest("func.func"):
        passes.flir.add_tile(pm, tile_size=8)
        passes.my_plugin.add_their_pass(pm)
    assert str(pm) == "builtin.module(cse,func.func(flir-tile{tile-size=8},their-pass))"


def test_an_empty_nest_vanishes() -> None:
    pm = PassManager("func.func")
    with pm.nest("scf.for"):
        pass
    assert str(pm) == "func.func()" and len(pm) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), ([1, 2], "1,2"), ("a b", "{a b}"), (3, "3"), ("p(q)", "{p(q)}")],
)
def test_values_are_written_as_mlir_reads_them(value: object, text: str) -> None:
    pm = PassManager()
    passes.flir.add_tile(pm, tile_size=value)
    assert str(pm) == f"builtin.module(flir-tile{{tile-size={text}}})"


def test_the_documentation_comes_from_the_table() -> None:
    assert passes.flir.add_tile.__doc__ == (
        "Add flir-tile: Tile loops\n    tile-size (int64_t, default 4): elements a tile"
    )


def test_what_is_there_can_be_listed() -> None:
    assert {"flir", "common", "my_plugin"} <= set(dir(passes))
    assert dir(passes.flir) == ["add_tile"]


def test_an_unknown_option_names_those_that_there_are() -> None:
    with pytest.raises(TypeError, match=r"no option 'tilesize'; it has tile_size; did you mean tile_size"):
        passes.flir.add_tile(PassManager(), tilesize=8)


def test_an_unknown_pass_or_group_names_the_nearest() -> None:
    with pytest.raises(AttributeError, match="no 'add_tiel'; did you mean add_tile"):
        _ = passes.flir.add_tiel
    with pytest.raises(AttributeError, match="no group of passes 'flr'; groups are common, flir, my_plugin"):
        _ = passes.flr


def test_a_plugins_passes_appear_after_a_refresh(fake: FakeCompiler) -> None:
    assert "late" not in passes.groups()
    fake.table = [*TABLE, {"argument": "late-pass", "summary": "", "group": "late", "options": []}]
    passes.refresh()
    pm = PassManager()
    passes.late.add_pass(pm)
    assert str(pm) == "builtin.module(late-pass)"


def test_a_pass_that_only_a_plugin_knows_is_found_by_name() -> None:
    pm = PassManager()
    passes.plugin.add_theirs_alone(pm, some_size=3)
    assert str(pm) == "builtin.module(theirs-alone{some-size=3})"
    with pytest.raises(AttributeError, match=r"no pass 'nobodys' is registered.*FLAGTREE_PLUGIN"):
        _ = passes.plugin.add_nobodys


def test_an_empty_pipeline_is_not_run() -> None:
    PassManager().run(object())
