# SPDX-License-Identifier: MIT
"""Fixtures of the CPU backend: the backend chosen, kernels forgotten, a stand-in for the native compiler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cpu_kernels
import pytest
from fake_compiler import FakeCompiler, floats
from triton.runtime.jit import JITFunction

import flagtree


@pytest.fixture(autouse=True)
def cpu() -> Iterator[None]:
    """The CPU is active, and no kernel remembers another test."""
    flagtree.use("cpu")
    for value in vars(cpu_kernels).values():
        if isinstance(value, JITFunction):
            value.device_caches.clear()
    yield
    flagtree.use(None)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCompiler:
    """A compiler that compiles nothing; its `add` adds."""
    from flagtree import passes
    from flagtree.backends.cpu import pipeline
    from flagtree.compiler import native

    fake = FakeCompiler()

    def add(args: Any, grid: Any, begin: int, end: int) -> None:
        n = args[3] & 0xFFFFFFFF
        x, y, o = (floats(args[i], n) for i in range(3))
        for i in range(begin * 64, min(end * 64, n)):
            o[i] = x[i] + y[i]

    fake.define("add", add)
    monkeypatch.setattr(native, "_compiler", fake)
    # The real pipeline names real passes, which a stand-in does not have.
    for stage in ("ttir", "linalg", "llir"):
        monkeypatch.setattr(pipeline, stage, lambda pm, options, stage=stage: pm.add(stage))
    passes.refresh()
    yield fake
    for value in vars(cpu_kernels).values():
        if isinstance(value, JITFunction):
            value.device_caches.clear()
    passes.refresh()
