# SPDX-License-Identifier: MIT
"""When CMake runs and what it is told, with stand-ins for cmake and ninja."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from setup_tools import cmake, registry
from setup_tools.errors import SetupError
from setup_tools.toolchain import Toolchain


@pytest.fixture
def calls(monkeypatch, fake_program) -> list[list[str]]:
    """The commands that the build ran; a configure leaves a build.ninja as CMake does."""
    seen: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        seen.append(command)
        if "-B" in command:
            (Path(command[command.index("-B") + 1]) / "build.ninja").touch()
        return subprocess.CompletedProcess(command, 0)

    tools = {name: fake_program(name, "tools") for name in ("cmake", "ninja")}
    monkeypatch.setattr(cmake.subprocess, "run", run)
    monkeypatch.setattr(cmake, "program", tools.__getitem__)
    return seen


@pytest.fixture
def build(checkout) -> cmake.NativeBuild:
    return cmake.NativeBuild(
        root=checkout,
        directory=checkout / "build",
        native=checkout / "native",
        backends=select(checkout, "cpu,nvidia"),
        toolchain=Toolchain(
            cxx=Path("/usr/bin/clang++-22"), llvm=Path("/llvm"), ccache=Path("/usr/bin/ccache")
        ),
    )


def select(root: Path, requested: str) -> tuple[registry.Backend, ...]:
    return registry.select(requested, registry.discover(root / "third_party"))


def test_cmake_is_told_the_backends_the_toolchain_and_where_to_write(build):
    told = build.variables()
    assert told["FLAGTREE_BACKENDS"] == "cpu;nvidia"
    assert told["FLAGTREE_BUILD_COMPILER"] == "ON"
    assert told["FLAGTREE_NATIVE_DIR"] == str(build.native)
    assert told["MLIR_DIR"] == "/llvm/lib/cmake/mlir"
    assert told["CMAKE_CXX_COMPILER"] == "/usr/bin/clang++-22"
    assert told["FLAGTREE_CCACHE"] == "/usr/bin/ccache"
    assert "FLAGTREE_LLD" not in told
    assert (Path(told["pybind11_DIR"]) / "pybind11Config.cmake").is_file()


def test_without_a_plugin_the_mlir_library_is_not_built(build, checkout):
    told = replace(
        build, backends=select(checkout, "nvidia"), toolchain=Toolchain(cxx=Path("c++"))
    ).variables()
    assert told["FLAGTREE_BUILD_COMPILER"] == "OFF"
    assert "MLIR_DIR" not in told


def test_a_second_build_does_not_configure_again(build, calls):
    assert build.configure() is True
    assert build.configure() is False
    assert len(calls) == 1


@pytest.mark.parametrize("change", ["backends", "toolchain", "preset", "native"])
def test_a_changed_setting_configures_again(build, calls, checkout, change):
    build.configure()
    changes = {
        "backends": select(checkout, "cpu"),
        "toolchain": replace(build.toolchain, llvm=Path("/other")),
        "preset": "debug",
        "native": checkout / "elsewhere",
    }
    assert replace(build, **{change: changes[change]}).configure() is True


def test_another_environment_of_the_same_python_shares_the_build(build, calls, tmp_path):
    other = tmp_path / "venv36/bin/python"
    build.configure()
    assert replace(build, python=other).configure() is False


def test_another_python_does_not_share_the_build(build, calls, monkeypatch):
    build.configure()
    monkeypatch.setattr(cmake, "_abi", lambda: ["/other", ".cpython-399.so"])
    assert build.configure() is True


def test_a_vanished_environment_configures_again_and_drops_its_cache(build, calls, tmp_path):
    python = tmp_path / "overlay/python"
    python.parent.mkdir()
    python.touch()
    replace(build, python=python).configure()
    cache = build.directory / "CMakeCache.txt"
    cache.write_text("stale", encoding="utf-8")
    python.unlink()
    assert build.configure() is True
    assert not cache.exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"variables": 3, "tools": [], "abi": 1, "preset": 2}']
)
def test_a_damaged_record_configures_again(build, calls, text):
    build.configure()
    (build.directory / "flagtree-configured.json").write_text(text, encoding="utf-8")
    assert build.configure() is True


def test_a_failed_configure_leaves_no_record(build, calls, monkeypatch):
    def fail(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(cmake.subprocess, "run", fail)
    with pytest.raises(SetupError, match="failed with exit status 1"):
        build.configure()
    assert not (build.directory / "flagtree-configured.json").exists()


def test_building_uses_two_jobs_unless_the_environment_says_otherwise(build, calls, monkeypatch):
    monkeypatch.delenv("CMAKE_BUILD_PARALLEL_LEVEL", raising=False)
    build.build("check-unit", "check-flagtree")
    assert calls[-1][-5:] == ["--parallel", "2", "--target", "check-unit", "check-flagtree"]
    monkeypatch.setenv("CMAKE_BUILD_PARALLEL_LEVEL", "1")
    build.build()
    assert calls[-1][-2:] == ["--parallel", "1"]


def test_a_missing_program_is_an_error_that_says_how_to_get_it():
    with pytest.raises(SetupError, match="no-such-tool not found: `pip install no-such-tool`"):
        cmake.program("no-such-tool")


def test_other_presets_keep_their_artefacts_out_of_the_package(checkout, monkeypatch):
    monkeypatch.setattr(cmake, "find", lambda compiler: Toolchain(cxx=Path("c++")))
    chosen = select(checkout, "nvidia")
    release, asan = cmake.plan(checkout, chosen), cmake.plan(checkout, chosen, preset="asan")
    assert (release.directory, release.native) == (checkout / "build", checkout / "python/flagtree/_native")
    assert (asan.directory, asan.native) == (checkout / "build-asan", checkout / "build-asan/native")
