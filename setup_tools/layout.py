# SPDX-License-Identifier: MIT
"""Where each package of the distribution lives and which entry points it registers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import toml
from .errors import SetupError
from .registry import Backend

ENTRY_GROUP = "triton.backends"
# Always registered: it attaches FlagTree to upstream's front end whichever backends are chosen.
ATTACHMENT = "flagtree = flagtree.upstream.entry"
# Native code is no package data: the build puts it beside the packages, never a developer's own.
DATA = ("*.toml", "*.json", "*.yaml", "*.md", "*.html", "py.typed")
_LINKS = Path("python/flagtree/backends")


@dataclass(frozen=True)
class Layout:
    """The arguments of `setuptools.setup` that depend on the selected backends."""

    packages: tuple[str, ...]
    package_dir: dict[str, str]
    entry_points: dict[str, list[str]]


def wheel_layout(root: Path, backends: Sequence[Backend]) -> Layout:
    """The layout of an installed distribution: each backend's sources mapped into `flagtree.backends`."""
    trunk = root / "python" / "flagtree"
    links = {trunk / "backends" / entry.name for entry in _linked(root)}
    packages = [f"flagtree{suffix}" for suffix in _packages_below(trunk, skip=links)]
    package_dir = {"": "python"}
    for backend in backends:
        packages += [backend.package + suffix for suffix in _packages_below(backend.source)]
        package_dir[backend.package] = backend.source.relative_to(root).as_posix()
    return Layout(tuple(packages), package_dir, entry_points(backends))


def development_layout(backends: Sequence[Backend]) -> Layout:
    """The layout of an editable install: `python/` itself on the path, backends reached through `link`."""
    return Layout(("flagtree",), {"": "python"}, entry_points(backends))


def entry_points(backends: Iterable[Backend]) -> dict[str, list[str]]:
    """Entry points of group `triton.backends`: one a backend with its own compiler, and FlagTree's own."""
    plugins = [f"{backend.name} = {backend.package}" for backend in backends if backend.plugin]
    return {ENTRY_GROUP: [*plugins, ATTACHMENT]}


def requirements(root: Path, extras: Iterable[str]) -> list[str]:
    """The requirements that pyproject.toml states, those of the named optional dependencies included."""
    project = toml.load(root / "pyproject.toml")["project"]
    optional = project["optional-dependencies"]
    unknown = sorted(set(extras) - set(optional))
    if unknown:
        raise SetupError(
            f"pyproject.toml has no optional dependencies {', '.join(unknown)}; it has {', '.join(optional)}"
        )
    return [*project["dependencies"], *(line for name in extras for line in optional[name])]


def link(root: Path, backends: Iterable[Backend]) -> None:
    """Makes `python/flagtree/backends/<name>` a link to each selected backend's sources, and no other.

    Raises SetupError when something that is not such a link is in the way.
    """
    wanted = {backend.name: backend for backend in backends}
    for stale in _linked(root):
        if stale.name not in wanted or stale.resolve() != wanted[stale.name].source.resolve():
            stale.unlink()
    (root / _LINKS).mkdir(parents=True, exist_ok=True)
    for name, backend in wanted.items():
        path = root / _LINKS / name
        if path.exists() and not path.is_symlink():
            raise SetupError(f"{path} is in the way of the link to {backend.source}: move it away")
        if not path.is_symlink():
            path.symlink_to(os.path.relpath(backend.source, path.parent), target_is_directory=True)


def _linked(root: Path) -> list[Path]:
    folder = root / _LINKS
    return sorted(entry for entry in folder.iterdir() if entry.is_symlink()) if folder.is_dir() else []


def _packages_below(top: Path, skip: Iterable[Path] = ()) -> list[str]:
    """Dotted suffixes ("" for `top` itself) of the directories below `top` that hold Python or data files."""
    skipped = set(skip)
    found = []
    for directory, folders, files in os.walk(top):
        here = Path(directory)
        folders[:] = sorted(
            f for f in folders if f.isidentifier() and f != "__pycache__" and here / f not in skipped
        )
        if here == top or any(name.endswith((".py", ".toml", ".json", ".yaml")) for name in files):
            found.append("".join(f".{part}" for part in here.relative_to(top).parts))
    return found
