# SPDX-License-Identifier: MIT
"""Which backends there are and which of them `FLAGTREE_BACKEND` selects.

A backend is a folder `third_party/<name>` with a package `backend/` in it; adding one is adding a folder.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import toml
from .errors import SetupError

ENVIRONMENT = "FLAGTREE_BACKEND"
DEFAULT = ("cpu", "nvidia", "amd")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLUGIN_MODULES = ("compiler.py", "driver.py")


@dataclass(frozen=True)
class Backend:
    """One folder of third_party.

    `plugin` tells a backend with a compiler and a driver of its own, which Triton finds through the entry-point
    group `triton.backends` and which needs libFlagTree. The others extend a backend that upstream ships.
    """

    name: str
    folder: Path
    plugin: bool

    @property
    def source(self) -> Path:
        """The directory that becomes the package `flagtree.backends.<name>`."""
        return self.folder / "backend"

    @property
    def package(self) -> str:
        return f"flagtree.backends.{self.name}"


def discover(third_party: Path) -> dict[str, Backend]:
    """All backends below `third_party` by name, sorted. Folders without `backend/` are not backends.

    Raises SetupError for a folder that means to be a backend and is not a sound one.
    """
    if not third_party.is_dir():
        raise SetupError(f"{third_party} is no directory: run from a complete FlagTree checkout")
    folders = sorted(entry.parent for entry in third_party.glob("*/backend") if entry.is_dir())
    return {folder.name: _load(folder) for folder in folders}


def select(requested: str | None, known: Mapping[str, Backend]) -> tuple[Backend, ...]:
    """The backends named by `requested`, the text of FLAGTREE_BACKEND, in that order and once each.

    Names are separated by commas, semicolons or blanks; unset or empty text means DEFAULT.
    Raises SetupError for a name that is not in `known`.
    """
    names = dict.fromkeys(re.split(r"[,;\s]+", (requested or "").strip().lower())) if requested else {}
    names.pop("", None)
    return tuple(_lookup(name, known) for name in names or DEFAULT)


def needs_compiler(backends: Iterable[Backend]) -> bool:
    """Whether the MLIR library has to be built: the GPU path never loads it."""
    return any(backend.plugin for backend in backends)


def _lookup(name: str, known: Mapping[str, Backend]) -> Backend:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise SetupError(
        f"{ENVIRONMENT}: no backend {name!r}{hint}. Known: {', '.join(sorted(known)) or 'none'}. "
        f"Each is a folder third_party/<name> with a package backend/ in it."
    )


def _load(folder: Path) -> Backend:
    source = folder / "backend"
    if not _NAME.fullmatch(folder.name):
        raise SetupError(
            f"backend folder {folder}: the name {folder.name!r} becomes a Python package, so it must start with "
            "a lower-case letter and hold only lower-case letters, digits and '_'; rename the folder"
        )
    for required in ("__init__.py", "hardware.toml"):
        if not (source / required).is_file():
            raise SetupError(
                f"backend {folder.name!r}: {source / required} is missing; every backend has one"
            )
    _check_hardware(folder.name, source / "hardware.toml")
    present = [name for name in _PLUGIN_MODULES if (source / name).is_file()]
    if len(present) == 1:
        raise SetupError(
            f"backend {folder.name!r}: {source} has {present[0]} alone; Triton loads compiler.py and driver.py "
            "together: add the other, or remove it for a backend that only extends upstream's"
        )
    return Backend(folder.name, folder, plugin=bool(present))


def _check_hardware(name: str, path: Path) -> None:
    header = toml.load(path).get("device", {})
    stated = header.get("name", name) if isinstance(header, dict) else name
    if stated != name:
        raise SetupError(
            f"backend {name!r}: {path} says [device] name = {stated!r}; it must be the folder's name, {name!r}"
        )
