# SPDX-License-Identifier: MIT
"""The launch seam: `JITFunction.run`, which `kernel[grid](…)`, autotuners and heuristics all go through.

For backends of ours it turns numpy arguments into what the binder takes and drops options that are other
devices' business. It also notices when a mode that changes code was switched within the process: upstream
keeps compiled kernels in memory under a key that knows nothing of our modes.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from flagtree.hints.suppress import suppressed_key
from flagtree.runtime.arrays import adapt, needs_adapting
from flagtree.runtime.driver import FlagTreeDriver
from flagtree.switches import CODE_MODES

_TOKEN = "_flagtree_modes"
_installed = False


def install() -> None:
    """Wrap `triton.runtime.jit.JITFunction.run`."""
    global _installed
    import triton.runtime.jit as module
    from triton.runtime.driver import driver as config

    if _installed:
        return
    _installed = True
    original = module.JITFunction.run

    @functools.wraps(original)
    def run(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        token = _modes()
        if self.__dict__.get(_TOKEN) != token:
            _forget_kernels(self, token)
        active = config.active
        if isinstance(active, FlagTreeDriver):
            if active.takes_host_arrays and (
                needs_adapting(args) or (kwargs and needs_adapting(kwargs.values()))
            ):
                args = tuple(adapt(value) for value in args)
                kwargs = {name: adapt(value) for name, value in kwargs.items()}
            if kwargs and not active.ignored_launch_options.isdisjoint(kwargs):
                kwargs = _without_ignored(self, active, kwargs)
        return original(self, *args, grid=grid, warmup=warmup, **kwargs)

    module.JITFunction.run = run


def _without_ignored(function: Any, active: FlagTreeDriver, kwargs: dict[str, Any]) -> dict[str, Any]:
    """`kwargs` less what this device ignores; a kernel's own parameter of such a name stays."""
    own = function.arg_names
    return {k: v for k, v in kwargs.items() if k not in active.ignored_launch_options or k in own}


#: Reading os.environ encodes and checks each name; its raw table is a plain dict. Feature-detected.
_raw_environment = getattr(os.environ, "_data", None)
_raw_names = tuple(os.environ.encodekey(name) for name in CODE_MODES) if _raw_environment is not None else ()


def _modes() -> tuple:
    """The modes that change code, as cheaply as they can be read: this runs at every launch."""
    if _raw_environment is None:
        return (*(os.environ.get(name) for name in CODE_MODES), suppressed_key())
    return (*map(_raw_environment.get, _raw_names), suppressed_key())


def _forget_kernels(function: Any, token: tuple) -> None:
    """Drop what was compiled under other modes; the disk cache still has it under its own key."""
    known = function.__dict__.get(_TOKEN)
    function.__dict__[_TOKEN] = token
    if known is not None:
        function.device_caches.clear()
