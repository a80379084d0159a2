# SPDX-License-Identifier: MIT
"""FlagTree: hints, backends and a launch runtime that attach to the upstream `triton` package.

Importing this package imports nothing of Triton: upstream imports our entry points while it is itself
half imported, so everything that needs Triton is reached lazily.
"""

from __future__ import annotations

__all__ = ["__version__", "disabled", "disabled_reason", "use"]

from flagtree.switches import disabled, disabled_reason


def use(name: str | None) -> None:
    """Make backend `name` the active one for this process; None returns to the automatic choice.

    `name` is the name of an entry in `triton.backends` ("cpu", "nvidia", …). Raises ValueError for a name
    that is not registered and RuntimeError for a backend whose device is absent or when FlagTree is off.
    """
    from flagtree.upstream import activation

    activation.use(name)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from flagtree.switches import version

        return version()
    raise AttributeError(f"module 'flagtree' has no attribute {name!r}")
