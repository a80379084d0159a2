# SPDX-License-Identifier: MIT
"""Run a callback as soon as a module has been imported, without importing it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

Callback = Callable[[ModuleType], None]


def is_imported(name: str) -> bool:
    """True when module `name` has been imported completely (a module still being executed does not count)."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    return module is not None and not getattr(spec, "_initializing", False)


def after_import(name: str, callback: Callback) -> None:
    """Call `callback(module)` once: now if `name` is imported already, else right after its import.

    The finder removes itself when it has served its one module. An exception of the callback is the
    callback's own affair: it must not raise.
    """
    if is_imported(name):
        callback(sys.modules[name])
    else:
        sys.meta_path.insert(0, _OneShotFinder(name, callback))  # type: ignore[arg-type]


class _OneShotFinder:
    """Wraps the loader of exactly one module."""

    def __init__(self, name: str, callback: Callback) -> None:
        self.name = name
        self.callback = callback

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        # Gone before the real search starts, so that the search does not find us again.
        if self in sys.meta_path:
            sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _CallbackLoader(spec.loader, self.callback)
        return spec


class _CallbackLoader(Loader):
    """Delegates to the real loader, then hands it back to the module and calls the callback."""

    def __init__(self, real: Loader, callback: Callback) -> None:
        self.real = real
        self.callback = callback

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self.real
        module.__loader__ = self.real
        try:
            self.real.exec_module(module)
        except BaseException:
            # An interrupted import is tried again by Python: be there then, too.
            after_import(module.__name__, self.callback)
            raise
        self.callback(module)

    def __getattr__(self, name: str) -> object:
        # Whoever asks the loader for source or data (inspect, pkgutil) gets the real one's answer.
        return getattr(self.real, name)
