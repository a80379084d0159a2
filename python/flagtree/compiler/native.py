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
#: Plugins that the library has loaded, and the setting they were found in.
_plugins: set[str] = set()
_plugin_setting = ""


class NativeLibraryError(RuntimeError):
    """A native part of FlagTree is missing or broken, or a plugin could not be loaded. Says which and why."""


def compiler() -> ModuleType:
    """`flagtree._native.compiler`, with the plugins of FLAGTREE_PLUGIN loaded. Raises NativeLibraryError."""
    global _compiler, _plugin_setting
    setting = os.environ.get("FLAGTREE_PLUGIN", "")
    if _compiler is None or setting != _plugin_setting:
        with _lock:
            module = _compiler or _load("compiler")
            for path in plugin_paths():
                _load_plugin(module, path)
            _compiler, _plugin_setting = module, setting
    return _compiler


def launch() -> ModuleType:
    """`flagtree._native.launch`. Raises NativeLibraryError."""
    return _load("launch")


def plugin_paths() -> list[str]:
    """The paths in FLAGTREE_PLUGIN, in order."""
    return [path for path in os.environ.get("FLAGTREE_PLUGIN", "").split(os.pathsep) if path]


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"flagtree._native.{name}")
    except Exception as error:
        raise NativeLibraryError(_explain(name, error)) from error


def _load_plugin(module: ModuleType, path: str) -> None:
    if path in _plugins:
        return
    try:
        module.load_plugin(path)
        _plugins.add(path)
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
