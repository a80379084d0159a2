# SPDX-License-Identifier: MIT
"""Wheels of a miniature checkout, made by this checkout's setup.py with native code that needs no compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CMAKE = """\
cmake_minimum_required(VERSION 3.25)
project(Miniature LANGUAGES NONE)
file(WRITE ${FLAGTREE_NATIVE_DIR}/launch.so "${FLAGTREE_BACKENDS}")
if(FLAGTREE_BUILD_COMPILER)
  file(WRITE ${FLAGTREE_NATIVE_DIR}/libFlagTree.so "")
endif()
"""


@pytest.fixture
def project(checkout: Path) -> Path:
    for name in ("setup.py", "pyproject.toml", "CMakePresets.json", "LICENSE"):
        shutil.copy(ROOT / name, checkout / name)
    shutil.copytree(
        ROOT / "setup_tools", checkout / "setup_tools", ignore=shutil.ignore_patterns("__pycache__")
    )
    (checkout / "README.md").write_text("# FlagTree\n", encoding="utf-8")
    (checkout / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    return checkout


def run(project: Path, command: str, backends: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "setup.py", "-q", command, "--dist-dir", "dist"],
        cwd=project,
        env={**os.environ, "FLAGTREE_BACKEND": backends},
        capture_output=True,
        text=True,
        check=False,
    )


def wheel(project: Path, backends: str, command: str = "bdist_wheel") -> dict[str, str]:
    """Builds a wheel and returns its members' texts by name."""
    shutil.rmtree(project / "dist", ignore_errors=True)
    ran = run(project, command, backends)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (path,) = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()} | {"": path.name}


def entry_points(members: dict[str, str]) -> list[str]:
    text = next(text for name, text in members.items() if name.endswith("entry_points.txt"))
    return [line for line in text.splitlines() if line]


def folders(members: dict[str, str]) -> set[str]:
    below = [name.split("/") for name in members if name.startswith("flagtree/backends/")]
    return {parts[2] for parts in below if len(parts) > 3}


def test_a_wheel_holds_the_selected_backends_with_their_data_and_native_code(project):
    members = wheel(project, "cpu,amd")
    assert folders(members) == {"cpu", "amd"}
    assert {"flagtree/backends/cpu/hardware.toml", "flagtree/backends/amd/spec/__init__.py"} <= set(members)
    assert members["flagtree/_native/launch.so"] == "cpu;amd"
    assert "any" not in members[""].rsplit("-", 1)[1]


def test_a_wheel_registers_plugins_the_attachment_and_the_command(project):
    assert entry_points(wheel(project, "cpu,nvidia")) == [
        "[console_scripts]",
        "flagtree = flagtree.tools.cli:main",
        "[triton.backends]",
        "cpu = flagtree.backends.cpu",
        "flagtree = flagtree.upstream.entry",
    ]


def test_a_second_wheel_keeps_nothing_of_the_first(project):
    assert "flagtree/_native/libFlagTree.so" in wheel(project, "cpu,amd")
    members = wheel(project, "nvidia")
    assert folders(members) == {"nvidia"}
    assert "flagtree/_native/libFlagTree.so" not in members
    assert "cpu = flagtree.backends.cpu" not in entry_points(members)


def test_artefacts_of_a_development_build_stay_out_of_wheels(project):
    native = project / "python/flagtree/_native"
    native.mkdir()
    for name in ("__init__.py", "stale.so"):
        (native / name).touch()
    members = wheel(project, "cpu")
    assert "flagtree/_native/__init__.py" in members
    assert "flagtree/_native/stale.so" not in members


def test_an_editable_wheel_points_at_the_checkout_and_links_the_backends(project):
    members = wheel(project, "cpu,nvidia", "editable_wheel")
    assert [text.strip() for name, text in members.items() if name.endswith(".pth")] == [
        str(project / "python")
    ]
    assert "cpu = flagtree.backends.cpu" in entry_points(members)
    assert (project / "python/flagtree/backends/nvidia/hardware.toml").is_file()
    assert (project / "python/flagtree/_native/launch.so").is_file()


def test_an_unknown_backend_stops_the_build_with_one_line(project):
    ran = run(project, "bdist_wheel", "cpo")
    assert ran.returncode != 0
    assert ran.stderr.startswith("error: FLAGTREE_BACKEND: no backend 'cpo' (did you mean 'cpu'?)")
    assert "Traceback" not in ran.stderr
