# SPDX-License-Identifier: MIT
"""Driver half of the always-registered entry point; importing it attaches FlagTree."""

from __future__ import annotations

from triton.backends.driver import DriverBase


class AttachDriver(DriverBase):
    """Exists because upstream wants one concrete class a module; it is never active."""

    @classmethod
    def is_active(cls) -> bool:
        return False

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError("the entry point `flagtree` is no device")

    def get_current_target(self) -> object:
        raise NotImplementedError("the entry point `flagtree` is no device")

    def get_active_torch_device(self) -> object:
        raise NotImplementedError("the entry point `flagtree` is no device")

    def get_benchmarker(self) -> object:
        raise NotImplementedError("the entry point `flagtree` is no device")


def _attach() -> None:
    # Upstream imports this without a guard while it imports itself: nothing may escape.
    try:
        from flagtree.upstream import attach

        attach.install()
    except Exception as error:
        import warnings

        warnings.warn(f"FlagTree could not attach to Triton and stays off: {error!r}", stacklevel=2)


_attach()
