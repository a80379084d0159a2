# SPDX-License-Identifier: MIT
"""Abstract base of every driver of FlagTree's own. Imported by entry points: nothing else may be imported here."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from triton.backends.driver import DriverBase


class FlagTreeDriver(DriverBase):
    """A driver whose activation is decided by `flagtree.upstream.activation`, not by itself."""

    #: What tells a driver of ours from upstream's without asking for its type.
    is_flagtree: ClassVar[bool] = True
    #: True for the machine we run on, which is chosen only when no device is there.
    is_host: ClassVar[bool] = False
    #: Keyword arguments of a launch that mean something on other devices and nothing on this one. They are
    #: dropped before upstream looks them up, so they cause no second compile.
    ignored_launch_options: ClassVar[frozenset[str]] = frozenset()
    #: True when kernels take host arrays (numpy) as arguments.
    takes_host_arrays: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def is_present(cls) -> bool:
        """True when a device of this kind can be used in this process. Must not raise."""

    @classmethod
    def is_active(cls) -> bool:
        """Upstream's question. Never raises: an unanswerable choice is reported when a driver is created."""
        from flagtree.switches import disabled

        if disabled():
            return False
        try:
            from flagtree.upstream.activation import is_selected

            return is_selected(cls)
        except Exception:
            return False
