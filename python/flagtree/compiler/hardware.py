# SPDX-License-Identifier: MIT
"""What a backend's hardware.toml says."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib


@functools.cache
def tables(backend: str) -> dict[str, Any]:
    """The file's tables; empty when the backend has none that can be read."""
    try:
        return tomllib.loads((files(f"flagtree.backends.{backend}") / "hardware.toml").read_text("utf-8"))
    except (ImportError, OSError, ValueError):
        return {}
