# SPDX-License-Identifier: MIT
"""Drives CMake: configures when something changed, builds with Ninja."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import SetupError
from .registry import Backend, needs_compiler
from .toolchain import Toolchain, find

# Files of the MLIR library take up to 1.5 GB each to compile. CMAKE_BUILD_PARALLEL_LEVEL overrides this.
JOBS = 2
_RECORD = "flagtree-configured.json"
# Values that only say where an equal thing lives: another virtual environment of the same Python may share a build.
_MOVABLE = ("FLAGTREE_PYTHON", "Python3_EXECUTABLE", "pybind11_DIR", "LLVM_EXTERNAL_LIT")


@dataclass(frozen=True)
class NativeBuild:
    """One configuration of the native code.

    `native` receives the artefacts of the package `flagtree._native`; `tests` adds the lit and GoogleTest targets.
    """

    root: Path
    directory: Path
    native: Path
    backends: tuple[Backend, ...]
    toolchain: Toolchain
    preset: str = "release"
    tests: bool = True
    python: Path = field(default_factory=lambda: Path(sys.executable))

    def variables(self) -> dict[str, str]:
        """The CMake cache variables of this configuration."""
        compiler = needs_compiler(self.backends)
        values: dict[str, object] = {
            "CMAKE_CXX_COMPILER": self.toolchain.cxx,
            "FLAGTREE_BACKENDS": ";".join(backend.name for backend in self.backends),
            "FLAGTREE_BUILD_COMPILER": "ON" if compiler else "OFF",
            "FLAGTREE_BUILD_TESTS": "ON" if self.tests else "OFF",
            "FLAGTREE_NATIVE_DIR": self.native,
            "FLAGTREE_PYTHON": self.python,
            "Python3_EXECUTABLE": self.python,
            "pybind11_DIR": _pybind11(),
            "LLVM_EXTERNAL_LIT": self._lit() if self.tests and compiler else None,
            "FLAGTREE_LLD": self.toolchain.lld,
            "FLAGTREE_CCACHE": self.toolchain.ccache,
        }
        if self.toolchain.llvm:
            values["MLIR_DIR"] = self.toolchain.llvm / "lib/cmake/mlir"
            values["LLVM_DIR"] = self.toolchain.llvm / "lib/cmake/llvm"
        return {name: str(value) for name, value in values.items() if value is not None}

    def configure(self) -> bool:
        """Runs CMake unless the build directory is already configured like this. Returns whether it ran."""
        variables = self.variables()
        if self._is_configured(variables):
            return False
        cmake, ninja = program("cmake"), program("ninja")
        self.directory.mkdir(parents=True, exist_ok=True)
        # Paths of vanished environments stick in the cache, so it never outlives its configuration.
        (self.directory / "CMakeCache.txt").unlink(missing_ok=True)
        defines = [f"-D{name}={value}" for name, value in variables.items()]
        where = ["-S", self.root, "-B", self.directory, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
        _run([cmake, "--preset", self.preset, *where, *defines])
        record = {
            "variables": variables,
            "abi": _abi(),
            "preset": self.preset,
            "tools": [str(cmake), str(ninja)],
        }
        (self.directory / _RECORD).write_text(json.dumps(record, indent=2), encoding="utf-8")
        return True

    def build(self, *targets: str) -> None:
        """Configures if needed, then builds `targets`, by default everything."""
        self.configure()
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(JOBS)
        chosen = ["--target", *targets] if targets else []
        _run([program("cmake"), "--build", self.directory, "--parallel", jobs, *chosen])

    def _is_configured(self, variables: dict[str, str]) -> bool:
        try:
            record = json.loads((self.directory / _RECORD).read_text(encoding="utf-8"))
            before, tools = dict(record["variables"]), record["tools"]
            same = (record["abi"], record["preset"]) == (_abi(), self.preset)
        except (OSError, ValueError, KeyError, TypeError):
            return False
        places = [*tools, *(before.get(name) for name in _MOVABLE)]
        if not all(Path(place).exists() for place in places if place):
            return False
        fixed = [{k: v for k, v in values.items() if k not in _MOVABLE} for values in (before, variables)]
        return same and fixed[0] == fixed[1] and (self.directory / "build.ninja").is_file()

    def _lit(self) -> Path | None:
        beside = self.python.parent / "lit"
        found = str(beside) if beside.is_file() else shutil.which("lit")
        return Path(found) if found else None


def plan(
    root: Path,
    backends: Sequence[Backend],
    directory: Path | None = None,
    native: Path | None = None,
    tests: bool = True,
    preset: str = "release",
) -> NativeBuild:
    """The build of `backends` with the toolchain of this system.

    By default the development build: in `build/`, its artefacts written into `python/flagtree/_native`. Other
    presets have build directories of their own and keep their artefacts there.
    """
    if directory is None:
        directory = root / ("build" if preset == "release" else f"build-{preset}")
        native = native or (root / "python/flagtree/_native" if preset == "release" else None)
    return NativeBuild(
        root=root,
        directory=directory,
        native=native or directory / "native",
        backends=tuple(backends),
        toolchain=find(compiler=needs_compiler(backends)),
        preset=preset,
        tests=tests,
    )


def program(name: str) -> Path:
    """`name` beside the running interpreter or on PATH. Raises SetupError when there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if os.access(beside, os.X_OK) and beside.is_file() else shutil.which(name)
    if found is None:
        raise SetupError(
            f"{name} not found: `pip install {name}` or install it with the system's package manager"
        )
    return Path(found)


def _abi() -> list[str]:
    """What must be equal for two interpreters to share one build of the extension modules."""
    return [sys.base_prefix, str(sysconfig.get_config_var("EXT_SUFFIX"))]


def _pybind11() -> Path:
    spec = importlib.util.find_spec("pybind11")
    if spec is None or spec.origin is None:
        raise SetupError(f"pybind11 not found for {sys.executable}: `pip install pybind11`")
    return Path(spec.origin).parent / "share" / "cmake" / "pybind11"


def _run(command: Sequence[object]) -> None:
    words = [str(word) for word in command]
    try:
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    except subprocess.CalledProcessError as error:
        raise SetupError(
            f"`{' '.join(words[:3])} …` failed with exit status {error.returncode}; see above"
        ) from None
