# SPDX-License-Identifier: MIT
"""Golden tests compile for one fixed processor of x86."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

import golden_budget
import golden_compile

import flagtree
from setup_tools.toml import load

_BUDGET = Path(__file__).parent / "budget.toml"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-budget",
        action="store_true",
        help="write python/test/golden/budget.toml from what is measured",
    )


@pytest.fixture
def fixed_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The CPU backend, compiling for one processor whatever this machine is."""
    if platform.machine() != "x86_64":
        pytest.skip(f"compiles for {golden_compile.CPU}, and this machine is {platform.machine()}")
    from flagtree.backends.cpu import host

    monkeypatch.setenv("FLAGTREE_CPU", golden_compile.CPU)
    monkeypatch.setattr(host, "streaming_bytes", lambda: golden_compile.STREAMING_BYTES)
    flagtree.use("cpu")
    yield
    flagtree.use(None)


@pytest.fixture
def compiled(fixed_cpu: None) -> Callable[[str], golden_compile.Compiled]:
    """The compiled kernel of a name."""
    return golden_compile.compiled


@pytest.fixture
def budget(fixed_cpu: None, request: pytest.FixtureRequest) -> golden_budget.Tables:
    """The recorded budget; with --record-budget what is measured now, which is written first."""
    # The option exists where this folder is named on the command line.
    if request.config.getoption("--record-budget", default=False):
        golden_budget.write(_BUDGET, _measured())
    return load(_BUDGET)


def _measured() -> golden_budget.Tables:
    kernels = {name: golden_compile.compiled(name).figures() for name in golden_compile.CASES}
    return {golden_budget.PASSES: golden_compile.pass_counts(), **kernels}
