# SPDX-License-Identifier: MIT
"""What is registered with Triton here, and which device is active: for `flagtree info` and for naming targets."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flagtree.compiler.backend import FlagTreeBackend


@dataclass(frozen=True)
class Registered:
    """One entry of the group `triton.backends`."""

    name: str
    compiler: type
    driver: type

    @property
    def is_ours(self) -> bool:
        """True for a backend of FlagTree's own."""
        return issubclass(self.compiler, FlagTreeBackend)

    def is_usable(self) -> bool:
        """True when its device is there. Never raises."""
        from flagtree.upstream import activation

        try:
            return activation._usable(self.driver)
        except Exception:
            return False

    def serves(self, target: Any) -> bool:
        """True when it compiles for `target`."""
        return bool(self.compiler.supports_target(target))

    def folder(self) -> Path:
        """Where the backend's files are."""
        import sys

        return Path(sys.modules[self.compiler.__module__].__file__ or "").parent


def registered() -> dict[str, Registered]:
    """Name → backend, without the entry that only attaches FlagTree."""
    from triton.backends import backends

    from flagtree.upstream.entry.compiler import AttachBackend

    found = {n: Registered(n, b.compiler, b.driver) for n, b in backends.items()}
    return {n: r for n, r in sorted(found.items()) if r.compiler is not AttachBackend}


def seams() -> list[str]:
    """Names of the seams that `attach` serves."""
    from flagtree.upstream import attach

    return [*attach._RUNTIME_SEAMS, "frontend"]


def active() -> tuple[str, str]:
    """(name of the active backend, why it is the one). Raises what the choice raises."""
    from flagtree.switches import disabled
    from flagtree.upstream import activation

    if disabled():
        usable = [n for n, r in registered().items() if r.is_usable()]
        return (usable[0] if usable else "none"), "Triton's own choice: FlagTree is off"
    name = activation.select()
    if activation.chosen() is not None:
        return name, "flagtree.use"
    if os.environ.get("TRITON_DEFAULT_BACKEND"):
        return name, "TRITON_DEFAULT_BACKEND"
    return name, "no device of another backend is present" if _is_host(name) else "its device is present"


def current_target() -> Any:
    """Target of the active driver. Raises when there is none."""
    from triton.runtime.driver import driver

    return driver.active.get_current_target()


def tools(backend: Registered) -> list[Path]:
    """Programs that come with the backend, and those that the environment names instead of them."""
    bundled = sorted(p for p in backend.folder().glob("bin/*") if os.access(p, os.X_OK) and p.is_file())
    return [_replacement(path) or path for path in bundled]


def cache_directory() -> Path:
    """Where Triton keeps compiled kernels."""
    from triton import knobs

    return Path(knobs.cache.dir)


def _replacement(path: Path) -> Path | None:
    named = os.environ.get(f"TRITON_{path.name.replace('-', '_').upper()}_PATH")
    found = shutil.which(named) if named else None
    return Path(found) if found else None


def _is_host(name: str) -> bool:
    return bool(getattr(registered()[name].driver, "is_host", False))
