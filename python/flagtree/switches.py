# SPDX-License-Identifier: MIT
"""What the environment switches on and off. Standard library only: entry points import this."""

from __future__ import annotations

import os

#: Environment variables that change what code is generated, each part of the cache key. One list, so that
#: adding a mode is adding a name here.
CODE_MODES = ("FLAGTREE_HINTS", "FLAGTREE_PLUGIN", "FLAGTREE_CPU", "FLAGTREE_CPU_FEATURES")


def disabled_reason() -> str | None:
    """Why FlagTree is off in this process, or None when it is on."""
    if os.environ.get("FLAGTREE_DISABLE", "0") not in ("", "0"):
        return "FLAGTREE_DISABLE is set"
    if os.environ.get("TRITON_BACKENDS_IN_TREE", "") == "1":
        return "TRITON_BACKENDS_IN_TREE=1 makes Triton skip every backend that is not its own"
    return None


def disabled() -> bool:
    """True when upstream must be left wholly untouched."""
    return disabled_reason() is not None


def version() -> str:
    """Version of the installed distribution; "0+checkout" in a source tree that is not installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("flagtree")
    except PackageNotFoundError:
        return "0+checkout"
