# SPDX-License-Identifier: MIT
"""Every environment variable that FlagTree reads. docs/environment.md is held to this list by a test."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """when: "run" (read while kernels compile or run), "build" (while FlagTree is built) or "test"."""

    name: str
    when: str
    meaning: str


VARIABLES = (
    Variable("FLAGTREE_DISABLE", "run", "1: leave Triton untouched"),
    Variable("FLAGTREE_HINTS", "run", "off, silent (default), warn or error: what becomes of hints"),
    Variable(
        "FLAGTREE_NUM_THREADS",
        "run",
        "threads of a kernel on the CPU; default: the CPUs that the process may use",
    ),
    Variable(
        "FLAGTREE_CPU", "run", "processor that CPU kernels are made for, by LLVM's name; default: this one"
    ),
    Variable(
        "FLAGTREE_CPU_FEATURES", "run", "features of that processor, as LLVM writes them (+avx2,-avx512f)"
    ),
    Variable("FLAGTREE_PLUGIN", "run", "pass plugins to load at the first compile, separated like PATH"),
    Variable("FLAGTREE_BACKEND", "build", "backends to build, separated by commas; default: cpu,nvidia,amd"),
    Variable("FLAGTREE_BUILD_DIR", "build", "folder that `pip install .` builds in; default: build-wheel"),
    Variable(
        "FLAGTREE_TEST_DEVICE", "test", "the device that tests may use; kept when tests clear all others"
    ),
    Variable("FLAGTREE_TEST_BROWSER", "test", "the browser in which tests look at reports"),
)


def set_here(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Name → value of every variable of ours that is set."""
    return {name: value for name, value in sorted(environ.items()) if name.startswith("FLAGTREE_")}


def unknown_here(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Name that is set and that nobody reads → the nearest that is read, or ""."""
    known = [variable.name for variable in VARIABLES]
    strange = (name for name in set_here(environ) if name not in known)
    return {name: next(iter(difflib.get_close_matches(name, known, n=1)), "") for name in strange}
