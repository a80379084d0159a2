# SPDX-License-Identifier: MIT
"""Every test here runs kernels on the CPU backend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import flagtree

torch = pytest.importorskip("torch")

from object_symbols import unknown  # noqa: E402


@pytest.fixture(autouse=True)
def cpu() -> Iterator[None]:
    """The CPU is active, and inputs are the same in each run."""
    flagtree.use("cpu")
    torch.manual_seed(0)
    yield
    flagtree.use(None)


@pytest.fixture(autouse=True)
def known_symbols(cache_dir: Path) -> Iterator[None]:
    """Whatever a test compiles calls nothing but what object_symbols.py allows."""
    yield
    if sys.platform == "linux":
        for path in cache_dir.glob("*/*.obj"):
            assert not unknown(path.read_bytes()), (
                f"{path.name} has symbols that object_symbols.py does not allow"
            )
