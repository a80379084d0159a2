# SPDX-License-Identifier: MIT
"""Driver half of the CPU backend. Upstream imports this while it imports itself: all else is imported late."""

from __future__ import annotations

from typing import Any

from flagtree.runtime.driver import FlagTreeDriver

#: What upstream keys its kernels by. No GPU's number, so kernels of both can live in one process.
_DEVICE = "cpu"


class CPUDriver(FlagTreeDriver):
    """The host as a device: one queue, everything done when the launch returns."""

    is_host = True
    takes_host_arrays = True

    def __init__(self) -> None:
        from flagtree.backends.cpu.options import GPU_ONLY
        from flagtree.runtime.host_device import HostUtils
        from flagtree.runtime.host_launcher import HostLauncher

        super().__init__()
        self.utils = HostUtils()
        self.launcher_cls = HostLauncher
        # Instance attribute, so that importing this module imports nothing more.
        self.ignored_launch_options = GPU_ONLY

    @classmethod
    def is_present(cls) -> bool:
        return True

    def get_current_device(self) -> str:
        return _DEVICE

    def set_current_device(self, device: object) -> None:
        """There is one device, so there is nothing to set."""

    def get_current_stream(self, device: object = None) -> int:
        return 0

    def get_current_target(self) -> Any:
        from triton.backends.compiler import GPUTarget

        from flagtree.backends.cpu.host import machine

        return GPUTarget("cpu", machine(), 1)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        from flagtree.runtime import host_device

        return host_device

    def get_benchmarker(self) -> Any:
        from triton.testing import do_bench

        return do_bench

    def get_empty_cache_for_benchmark(self) -> Any:
        from flagtree.runtime.host_device import BenchmarkCache

        return BenchmarkCache()

    def clear_cache(self, cache: Any) -> None:
        cache.zero_()

    def map_python_to_cpp_type(self, ty: str) -> str:
        from flagtree.runtime.types import cpp_type

        return cpp_type(ty)

    def assemble_tensormap_to_arg(self, tensormaps_info: object, args: Any) -> Any:
        return args

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: object) -> Any:
        raise NotImplementedError(
            "the cpu backend has no profile scratch memory: kernels are profiled as host code"
        )
