# SPDX-License-Identifier: MIT
"""A checkout in miniature, and stand-ins for the programs that the build calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A root with a trunk package and four backends: cpu with its own compiler, nvidia and amd without, npu with."""
    trunk = tmp_path / "python" / "flagtree"
    for package in (trunk, trunk / "hints", trunk / "backends", trunk / "upstream" / "entry"):
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    for name, plugin in {"cpu": True, "nvidia": False, "amd": False, "npu": True}.items():
        add_backend(tmp_path, name, plugin)
    (tmp_path / "third_party" / "somelib").mkdir()
    return tmp_path


def add_backend(root: Path, name: str, plugin: bool) -> Path:
    """Makes a sound backend folder and returns its `backend/` directory."""
    source = root / "third_party" / name / "backend"
    (source / "spec").mkdir(parents=True)
    for file in ("__init__.py", "spec/__init__.py", *(("compiler.py", "driver.py") if plugin else ())):
        (source / file).touch()
    (source / "hardware.toml").write_text(f'[device]\nname = "{name}"\n', encoding="utf-8")
    return source


@pytest.fixture
def fake_program(tmp_path: Path) -> Callable[..., Path]:
    """Returns a maker of executables that print fixed text for an option."""

    def make(name: str, folder: str = "bin", **answers: str) -> Path:
        path = tmp_path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        cases = "\n".join(f'--{option}) echo "{text}";;' for option, text in answers.items())
        path.write_text(f'#!/bin/sh\ncase "$1" in\n{cases}\nesac\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    return make
