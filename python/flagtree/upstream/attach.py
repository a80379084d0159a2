# SPDX-License-Identifier: MIT
"""The one place that attaches FlagTree to Triton. Idempotent; nothing happens when FlagTree is switched off."""

from __future__ import annotations

import importlib
import threading
import traceback
from collections.abc import Callable
from types import ModuleType

from flagtree.switches import disabled
from flagtree.upstream.imports import after_import

#: Imported by upstream right after `triton.runtime`, so all of the runtime's seams exist by then.
_RUNTIME_READY = "triton.compiler.compiler"
#: Imported by upstream at the first compile.
_FRONT_END = "triton.compiler.code_generator"
#: Adapters of this package, each with an idempotent `install`.
_RUNTIME_SEAMS = (
    "activation",
    "cache_key",
    "cache_files",
    "stages",
    "account",
    "hint_passes.stages",
    "jit_run",
)

_lock = threading.Lock()
_installed = False
_failures: dict[str, str] = {}


def install() -> bool:
    """Attach every seam as soon as its module exists. Returns True when FlagTree is on. Never raises."""
    global _installed
    if disabled():
        return False
    with _lock:
        if _installed:
            return True
        _installed = True
    after_import(_RUNTIME_READY, _attach_runtime)
    after_import(_FRONT_END, _attach_front_end)
    return True


def installed() -> bool:
    """True when `install` has run in this process."""
    return _installed


def failures() -> dict[str, str]:
    """Seams that could not be attached: name → traceback. Empty on every supported Triton."""
    return dict(_failures)


def _attach_runtime(_module: ModuleType) -> None:
    for seam in _RUNTIME_SEAMS:
        _guard(seam, lambda adapter: adapter.install())


def _attach_front_end(module: ModuleType) -> None:
    _guard("frontend", lambda adapter: adapter.install(module))


def _guard(seam: str, attach: Callable[[ModuleType], None]) -> None:
    """One seam that moved must not take `import triton` down; `flagtree info` and the tests show the failure."""
    try:
        attach(importlib.import_module(f"flagtree.upstream.{seam}"))
    except Exception:
        _failures[seam] = traceback.format_exc()
