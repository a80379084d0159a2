# SPDX-License-Identifier: MIT
"""Which driver is active, decided in one place.

Upstream raises when two drivers are active, and each driver decides for itself; 3.6 also ignores
TRITON_DEFAULT_BACKEND. The order here: `flagtree.use(…)` > TRITON_DEFAULT_BACKEND > a vendor's device >
upstream's own GPU > the host.
"""

from __future__ import annotations

import difflib
import importlib
import os
from typing import Any

from flagtree.runtime.driver import FlagTreeDriver
from flagtree.switches import disabled_reason

_chosen: str | None = None
_original: Any = None


def install() -> None:
    """Wrap `triton.runtime.driver._create_driver`."""
    global _original
    # Not `import … as`: the package's attribute of that name is the driver configuration.
    module = importlib.import_module("triton.runtime.driver")
    if _original is None:
        _original = module._create_driver
        module._create_driver = _create_driver


def use(name: str | None) -> None:
    """Make backend `name` active now; None returns to the automatic choice. See `flagtree.use`."""
    global _chosen
    import triton  # noqa: F401  (registers the backends)

    reason = disabled_reason()
    if reason is not None:
        raise RuntimeError(
            f"flagtree.use({name!r}): FlagTree is off, because {reason}; unset it to switch backends"
        )
    if name is not None:
        _require_usable(name)
    _chosen = name
    _switch()


def chosen() -> str | None:
    """The name given to `flagtree.use`, or None."""
    return _chosen


def select() -> str:
    """Name of the backend that is to be active.

    Raises RuntimeError when TRITON_DEFAULT_BACKEND names a backend that is unknown or has no device, or
    when there is none at all.
    """
    if _chosen is not None:
        return _chosen
    asked = os.environ.get("TRITON_DEFAULT_BACKEND")
    if asked:
        return _require_usable(asked, "TRITON_DEFAULT_BACKEND=")
    return _automatic()


def is_selected(driver_class: type) -> bool:
    """True when `driver_class` is the driver that `select` decides for."""
    backend = _backends().get(select())
    return backend is not None and backend.driver is driver_class


def _backends() -> dict[str, Any]:
    from triton.backends import backends

    return backends


def _automatic() -> str:
    ranked = {
        name: rank for name, backend in _backends().items() if (rank := _rank(backend.driver)) is not None
    }
    if not ranked:
        raise RuntimeError(
            f"no backend is usable here; registered are {_names()}. Install one with "
            "`FLAGTREE_BACKEND=cpu pip install .`, or check that the device's driver is installed"
        )
    best = min(ranked.values())
    winners = sorted(name for name, rank in ranked.items() if rank == best)
    if len(winners) > 1:
        raise RuntimeError(
            f"devices of several backends are present: {', '.join(winners)}. Choose one with "
            f"flagtree.use({winners[0]!r}) or TRITON_DEFAULT_BACKEND={winners[0]}"
        )
    return winners[0]


def _rank(driver: type) -> int | None:
    """0: a vendor's device, 1: upstream's own, 2: the host; None: not usable here."""
    if not _usable(driver):
        return None
    if not issubclass(driver, FlagTreeDriver):
        return 1
    return 2 if driver.is_host else 0


def _usable(driver: type) -> bool:
    if issubclass(driver, FlagTreeDriver):
        return driver.is_present()
    return bool(driver.is_active())


def _require_usable(name: str, prefix: str = "backend ") -> str:
    backends = _backends()
    if name not in backends:
        near = difflib.get_close_matches(name, backends, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"{prefix}{name!r} is not registered; registered are {_names()}{hint}")
    if not _usable(backends[name].driver):
        raise RuntimeError(f"{prefix}{name!r} has no device on this machine; usable are {_usable_names()}")
    return name


def _names() -> str:
    # The always-registered entry point is no backend that a person could choose.
    from flagtree.upstream.entry.driver import AttachDriver

    return ", ".join(sorted(n for n, b in _backends().items() if b.driver is not AttachDriver)) or "none"


def _usable_names() -> str:
    return ", ".join(sorted(n for n, b in _backends().items() if _usable(b.driver))) or "none"


def _create_driver() -> Any:
    return _backends()[select()].driver()


def _switch() -> None:
    """Forget the active driver; upstream creates it anew, through `_create_driver`, when it is next needed."""
    from triton.runtime.driver import driver as config

    config._default = None
    config._active = None
