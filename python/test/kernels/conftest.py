# SPDX-License-Identifier: MIT
"""Every test here runs kernels on the CPU backend."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import flagtree

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def cpu() -> Iterator[None]:
    """The CPU is active, and inputs are the same in each run."""
    flagtree.use("cpu")
    torch.manual_seed(0)
    yield
    flagtree.use(None)
