# SPDX-License-Identifier: MIT
"""Callbacks after an import."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType

import pytest

from flagtree.upstream.imports import after_import, is_imported


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "flagtree_probe", raising=False)
    path = tmp_path / "flagtree_probe.py"
    path.write_text("VALUE = 1\n")
    return path


def load() -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module("flagtree_probe")


def test_it_runs_once_after_the_module_is_complete(module: Path) -> None:
    seen: list[int] = []
    after_import("flagtree_probe", lambda m: seen.append(m.VALUE))
    assert not seen
    load()
    load()
    assert seen == [1]


def test_it_runs_at_once_for_what_is_imported(module: Path) -> None:
    load()
    seen: list[int] = []
    after_import("flagtree_probe", lambda m: seen.append(m.VALUE))
    assert seen == [1] and is_imported("flagtree_probe")


def test_it_leaves_no_trace_in_the_module_or_the_finders(module: Path) -> None:
    finders = list(sys.meta_path)
    after_import("flagtree_probe", lambda m: None)
    loaded = load()
    assert sys.meta_path == finders
    assert type(loaded.__spec__.loader).__name__ == type(loaded.__loader__).__name__ == "SourceFileLoader"
    assert inspect.getsource(loaded) == "VALUE = 1\n"


def test_an_import_that_is_interrupted_is_caught_the_second_time(module: Path) -> None:
    seen: list[int] = []
    after_import("flagtree_probe", lambda m: seen.append(m.VALUE))
    module.write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load()
    module.write_text("VALUE = 22  # longer, so that no stale bytecode is used\n")
    load()
    assert seen == [22]


def test_a_module_that_does_not_exist_stays_an_import_error() -> None:
    after_import("flagtree_no_such_module", lambda m: None)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("flagtree_no_such_module")
