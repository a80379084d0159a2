# SPDX-License-Identifier: MIT
"""Reads TOML files; the parser is imported when used, since Python 3.10 has none of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .errors import SetupError


def load(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises SetupError when it is not valid."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path} is not valid TOML: {error}") from None
