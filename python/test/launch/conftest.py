# SPDX-License-Identifier: MIT
"""Kernels written in C, compiled once, for tests that need no compiler of ours."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flagtree._native import launch

SOURCE = Path(__file__).with_name("kernels.c")
PACKAGE_ROOT = Path(launch.__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def library_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared object made from kernels.c."""
    path = tmp_path_factory.mktemp("kernels") / "kernels.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(path), str(SOURCE)], check=True)
    return path


@pytest.fixture(scope="session")
def library(library_path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(library_path))


@pytest.fixture
def make(library: ctypes.CDLL) -> Callable[..., launch.Launcher]:
    """`make("add", x="*fp32", n="i32")`: a launcher of that kernel."""

    def build(kernel: str, **types: str) -> launch.Launcher:
        address = ctypes.cast(getattr(library, kernel), ctypes.c_void_p).value
        return launch.Launcher(kernel, list(types.items()), address, library)

    return build


@pytest.fixture
def slot(make: Callable[..., launch.Launcher]) -> Callable[[str, object], int]:
    """`slot("i32", -1)`: the 8 bytes that a kernel sees for an argument."""

    def read(kind: str, value: object) -> int:
        out = ctypes.c_uint64(0xDEAD)
        make("store_slot", out="*u64", value=kind)(1, 1, 1, ctypes.addressof(out), value)
        return out.value

    return read


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Sets the number of threads for one test."""
    before = launch.num_threads()
    yield launch.set_num_threads
    launch.set_num_threads(before)


PRELUDE = """
import ctypes, os, sys, threading, time
from flagtree._native import launch
library = ctypes.CDLL({library!r})
def make(kernel, **types):
    address = ctypes.cast(getattr(library, kernel), ctypes.c_void_p).value
    return launch.Launcher(kernel, list(types.items()), address, library)
"""


@pytest.fixture
def python(library_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs code in an interpreter of its own, after PRELUDE; 30 s at most."""

    def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        paths = [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in paths if p), **environment}
        source = PRELUDE.format(library=str(library_path)) + code
        return subprocess.run(
            [sys.executable, "-c", source], check=False, env=env, capture_output=True, text=True, timeout=30
        )

    return run
