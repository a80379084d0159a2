# SPDX-License-Identifier: MIT
"""A hint of a vendor's own, which hinted_kernels.py uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flagtree.hints import registry
from flagtree.hints.registry import Argument, HintSpec


@pytest.fixture(autouse=True, scope="module")
def mine() -> Iterator[None]:
    registry.register(
        HintSpec("mine", frozenset({"atomic", "store"}), (Argument("value", "text", "anything", None),))
    )
    yield
    registry.unregister("mine")
