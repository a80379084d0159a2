# SPDX-License-Identifier: MIT
"""The host in the shape of a torch device module, as `triton.testing` wants one.

Every launch has ended when it returns, so to synchronise is to do nothing and an event is a time stamp.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

#: Larger than any last-level cache is slower and no truer; smaller leaves data in it.
_CACHE_LIMITS = (16 << 20, 256 << 20)
_THREADS = 1 << 30


class Event:
    """A point in time. `enable_timing` is there because callers pass it; every event has a time."""

    def __init__(self, enable_timing: bool = False, **_: Any) -> None:
        self._at = 0

    def record(self, stream: object = None) -> None:
        """Take the time now."""
        self._at = time.perf_counter_ns()

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds from this event to `end`, never zero, for callers divide by it."""
        return max(end._at - self._at, 1) / 1e6

    def synchronize(self) -> None:
        """Nothing is pending."""

    def query(self) -> bool:
        """True: nothing is pending."""
        return True


def synchronize(device: object = None) -> None:
    """Nothing is pending."""


def current_device() -> str:
    """The one device."""
    return "cpu"


def set_device(device: object) -> None:
    """There is one device, so there is nothing to set."""


def device_count() -> int:
    """The host."""
    return 1


def is_available() -> bool:
    """The host is always there."""
    return True


def current_stream(device: object = None) -> int:
    """The one queue."""
    return 0


class HostUtils:
    """What upstream's compiled kernels ask of a driver: load code, unload it, the limits of the device."""

    def load_binary(
        self, name: str, kernel: bytes, shared: int, device: object
    ) -> tuple[Any, int, int, int, int]:
        """Make the sealed object `kernel` callable.

        Returns (program, address, registers, spills, most threads); the program owns the code and lives as
        long as the compiled kernel holds it. Raises CorruptBlobError or NativeLibraryError.
        """
        from flagtree.compiler import native
        from flagtree.compiler.blob import unseal

        program = native.compiler().Program(unseal(kernel), name)
        return program, program.address, 0, 0, _THREADS

    def unload_module(self, module: Any) -> None:
        """Free the code of a program."""
        module.close()

    def get_device_properties(self, device: object) -> dict[str, int]:
        """Shared memory is ordinary memory here, so its limit is one that no kernel meets."""
        return {
            "max_shared_mem": 1 << 30,
            "multiprocessor_count": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
            "max_num_regs": 0,
            "warpSize": 1,
        }


class BenchmarkCache:
    """Memory twice the size of the last-level cache: to fill it is to empty the cache of all else."""

    def __init__(self) -> None:
        low, high = _CACHE_LIMITS
        self.size = min(max(2 * _last_level_cache(), low), high)
        self._memory = ctypes.create_string_buffer(self.size)

    def zero_(self) -> None:
        """Write every byte."""
        ctypes.memset(self._memory, 0, self.size)


def _last_level_cache() -> int:
    """Bytes of the largest cache of the first processor; 0 when the system does not tell."""
    sizes = [0]
    root = "/sys/devices/system/cpu/cpu0/cache"
    try:
        for index in os.listdir(root):
            with open(f"{root}/{index}/size") as file:
                text = file.read().strip()
            scale = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 1)
            sizes.append(int(text.rstrip("KMG")) * scale)
    except (OSError, ValueError):
        pass
    return max(sizes)
