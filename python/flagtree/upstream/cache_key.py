# SPDX-License-Identifier: MIT
"""Everything of ours that shapes code, as part of Triton's cache key.

Upstream's key covers upstream's files and the kernel's source. This seam salts `triton.runtime.cache.triton_key`,
which every key is made from (Triton's own and Inductor's). Nothing here loads a native library.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flagtree.compiler.build_id import build_id
from flagtree.switches import CODE_MODES

#: Packages whose Python shapes code; the backends follow, whichever are installed.
_SHAPING = ("frontend", "hints", "upstream", "compiler", "passes")
_SUFFIXES = (".py", ".toml")

_original: Any = None
_digests: dict[str, tuple[tuple[int, int], str]] = {}


def install() -> None:
    """Wrap `triton.runtime.cache.triton_key`."""
    global _original
    import triton.runtime.cache as module

    if _original is None:
        _original = module.triton_key
        module.triton_key = functools.wraps(_original)(_salted)


def _salted() -> str:
    return f"{_original()}-flagtree-{salt()}"


def salt() -> str:
    """sha256 over all ingredients, as they are now (so a change within one process changes it)."""
    text = "\n".join(f"{name}={value}" for name, value in ingredients().items())
    return hashlib.sha256(text.encode()).hexdigest()


def ingredients() -> dict[str, str]:
    """Name → value of each ingredient, for `flagtree info` and for the tests that flip each."""
    from flagtree.hints import registry
    from flagtree.hints.suppress import suppressed_key
    from flagtree.upstream import stages

    modes = {name: os.environ.get(name, "") for name in CODE_MODES}
    return {
        "python": _python_digest(),
        "library": build_id(),
        **modes,
        "plugins": _plugin_digest(),
        "stage extensions": stages.fingerprint(),
        "registered hints": registry.fingerprint(),
        "suppressed hints": suppressed_key(),
    }


@functools.cache
def source_files() -> list[Path]:
    """Every file of ours whose content shapes code, sorted. The list holds for the process; contents may change."""
    return sorted(_walk_sources())


def _walk_sources() -> Iterator[Path]:
    from flagtree import backends

    root = Path(__file__).resolve().parents[1]
    for name in _SHAPING:
        yield from _files_under(root / name)
    for name in backends.available():
        folder = _backend_folder(name)
        if folder is not None:
            yield from _files_under(folder)


def _backend_folder(name: str) -> Path | None:
    from importlib.util import find_spec

    try:
        spec = find_spec(f"flagtree.backends.{name}")
    except (ImportError, SyntaxError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _files_under(folder: Path) -> Iterator[Path]:
    for path, _, names in os.walk(folder):
        yield from (Path(path) / name for name in names if name.endswith(_SUFFIXES))


def _python_digest() -> str:
    return _digest_of(source_files())


def _plugin_digest() -> str:
    paths = [Path(p) for p in os.environ.get("FLAGTREE_PLUGIN", "").split(os.pathsep) if p]
    return _digest_of(paths) if paths else "none"


def _digest_of(paths: list[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.name}:{_file_digest(path)}\n".encode())
    return total.hexdigest()


def _file_digest(path: Path) -> str:
    """sha256 of one file, remembered for as long as its size and time of change stay the same."""
    name = str(path)
    try:
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = _digests.get(name)
        if known is None or known[0] != stamp:
            known = _digests[name] = (stamp, hashlib.sha256(path.read_bytes()).hexdigest())
        return known[1]
    except OSError as error:
        return f"unreadable ({error.strerror})"
