# SPDX-License-Identifier: MIT
"""Load the native modules when they are first needed, and say clearly when they cannot be."""

from __future__ import annotations

import importlib
import os
import threading
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).resolve().parents[1] / "_native"
_lock = threading.Lock()
_compiler: ModuleType | None = None


class NativeLibraryError(RuntimeError):
    """A native part of FlagTree is missing or broken, or a plugin could not be loaded. Says which and why."""


def compiler() -> ModuleType:
    """`flagtree._native.compiler`, with the plugins of FLAGTREE_PLUGIN loaded. Raises NativeLibraryError."""
    global _compiler
    if _compiler is None:
        with _lock:
            if _compiler is None:
                _compiler = _load_compiler()
    return _compiler


def launch() -> ModuleType:
    """`flagtree._native.launch`. Raises NativeLibraryError."""
    return _load("launch")


def plugin_paths() -> list[str]:
    """The paths in FLAGTREE_PLUGIN, in order."""
    return [path for path in os.environ.get("FLAGTREE_PLUGIN", "").split(os.pathsep) if path]


def _load_compiler() -> ModuleType:
    module = _load("compiler")
    for path in plugin_paths():
        _load_plugin(module, path)
    return module


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"flagtree._native.{name}")
    except Exception as error:
        raise NativeLibraryError(_explain(name, error)) from error


def _load_plugin(module: ModuleType, path: str) -> None:
    try:
        module.load_plugin(path)
    except Exception as error:
        raise NativeLibraryError(
            f"FLAGTREE_PLUGIN: the plugin {path!r} cannot be loaded: {error}. Rebuild it against this FlagTree, "
            "or take it out of FLAGTREE_PLUGIN"
        ) from error


def _explain(name: str, error: Exception) -> str:
    files = sorted(p.name for p in _FOLDER.glob(f"{name}*.so"))
    if isinstance(error, ModuleNotFoundError) and not files:
        state = "is missing: this installation was made without native code"
    else:
        state = f"is broken: {error}"
    return (
        f"FlagTree's native module `{name}` ({_FOLDER / name}*.so) {state}. "
        "Build it again with `pip install .` in FlagTree's sources; FLAGTREE_DISABLE=1 runs Triton without FlagTree"
    )
