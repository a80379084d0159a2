# SPDX-License-Identifier: MIT
"""The disk-cache seam: a damaged entry counts as a miss, an unwritable directory is replaced by a temporary one.

Upstream trusts what it finds in its cache and ends in an exception when it cannot write there.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any

from flagtree.compiler.backend import FlagTreeBackend
from flagtree.compiler.blob import is_whole

#: What upstream and the launcher read from a kernel's metadata.
_METADATA = {"hash", "target", "name", "shared"}

_installed = False
_lock = threading.Lock()
_substitute: tuple[int, str] | None = None


def install() -> None:
    """Wrap `__init__`, `get_group` and `put` of `triton.runtime.cache.FileCacheManager`."""
    global _installed
    from triton.runtime.cache import FileCacheManager

    if _installed:
        return
    _installed = True
    FileCacheManager.get_group = _checked(FileCacheManager.get_group)
    FileCacheManager.__init__ = _with_fallback(FileCacheManager.__init__)
    FileCacheManager.put = _writing_elsewhere(FileCacheManager.put)


def is_intact(files: dict[str, str]) -> bool:
    """True when every file of a cached kernel can be used. Kernels of other backends are not looked at."""
    binaries = _binary_suffixes()
    if not any(name.endswith(binaries) for name in files):
        return True
    try:
        return all(_is_readable(name, Path(path), binaries) for name, path in files.items())
    except (OSError, ValueError):
        return False


def _binary_suffixes() -> tuple[str, ...]:
    """Suffixes of the sealed objects of FlagTree's backends."""
    from triton.backends import backends

    ours = {b.compiler.binary_ext for b in backends.values() if issubclass(b.compiler, FlagTreeBackend)}
    return tuple(f".{suffix}" for suffix in ours if suffix)


def _is_readable(name: str, path: Path, binaries: tuple[str, ...]) -> bool:
    if name.endswith(binaries):
        return is_whole(path.read_bytes())
    text = path.read_text()
    if not name.endswith(".json"):
        return True
    metadata = json.loads(text)
    return isinstance(metadata, dict) and metadata.keys() >= _METADATA


def _checked(original: Any) -> Any:
    @functools.wraps(original)
    def get_group(self: Any, filename: str) -> dict[str, str] | None:
        try:
            group = original(self, filename)
        except (ValueError, TypeError, AttributeError):
            return None  # the list of files is itself damaged: no JSON, or JSON of another shape
        return group if group is None or is_intact(group) else None

    return get_group


def _with_fallback(original: Any) -> Any:
    @functools.wraps(original)
    def __init__(self: Any, key: str, override: bool = False, dump: bool = False) -> None:
        try:
            original(self, key, override=override, dump=dump)
        except OSError as error:
            if override or dump:
                raise
            _move(self, error)

    return __init__


def _writing_elsewhere(original: Any) -> Any:
    @functools.wraps(original)
    def put(self: Any, data: Any, filename: str, binary: bool = True) -> str:
        try:
            return original(self, data, filename, binary)
        except OSError as error:
            if _is_substitute(getattr(self, "cache_dir", "")):
                raise
            _move(self, error)
            return original(self, data, filename, binary)

    return put


def _move(manager: Any, error: OSError) -> None:
    """Point `manager` to the substitute directory of this process, and say so once."""
    root = _substitute_directory(error)
    manager.cache_dir = os.path.join(root, manager.key)
    manager.lock_path = os.path.join(manager.cache_dir, "lock")
    os.makedirs(manager.cache_dir, exist_ok=True)


def _substitute_directory(error: OSError) -> str:
    global _substitute
    with _lock:
        # A forked child must not use, nor remove, its parent's.
        if _substitute is None or _substitute[0] != os.getpid():
            root = tempfile.mkdtemp(prefix="flagtree-cache-")
            _substitute = (os.getpid(), root)
            atexit.register(_remove, os.getpid(), root)
            warnings.warn(
                f"Triton's cache directory {error.filename or ''} cannot be used ({error.strerror}); kernels of this "
                f"process are kept in {root} and lost at its end. Set TRITON_CACHE_DIR to a writable directory",
                RuntimeWarning,
                stacklevel=2,
            )
        return _substitute[1]


def _is_substitute(path: str) -> bool:
    return _substitute is not None and str(path).startswith(_substitute[1])


def _remove(owner: int, root: str) -> None:
    if os.getpid() == owner:
        shutil.rmtree(root, ignore_errors=True)
