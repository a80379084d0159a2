# SPDX-License-Identifier: MIT
"""The launch seam: `JITFunction.run`, which `kernel[grid](…)`, autotuners and heuristics all go through.

For backends of ours it turns numpy arguments into what the binder takes and drops options that are other
devices' business. It also notices when a mode that changes code was switched within the process: upstream
keeps compiled kernels in memory under a key that knows nothing of our modes.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from flagtree.compiler.errors import KernelCompileError
from flagtree.hints import registry
from flagtree.hints.suppress import suppressed
from flagtree.runtime.arrays import adapt, needs_adapting
from flagtree.switches import CODE_MODES
from flagtree.upstream.arguments import explain_arguments

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
        modes = _modes()
        if self.__dict__.get(_TOKEN) != modes:
            _forget_kernels(self, modes)
        active = config.active
        # Not isinstance: that costs as much as all the rest for a class with an abstract base.
        if getattr(active, "is_flagtree", False):
            if active.takes_host_arrays and (
                needs_adapting(args) or (kwargs and needs_adapting(kwargs.values()))
            ):
                args = tuple(adapt(value) for value in args)
                kwargs = {name: adapt(value) for name, value in kwargs.items()}
            if kwargs and not active.ignored_launch_options.isdisjoint(kwargs):
                kwargs = _without_ignored(self, active, kwargs)
        try:
            return original(self, *args, grid=grid, warmup=warmup, **kwargs)
        except (KeyError, TypeError, OverflowError, NotImplementedError, RuntimeError) as error:
            # Upstream's binder names neither the kernel nor the parameter.
            named = _name_kernel(self, error) or explain_arguments(self, args, kwargs)
            if named is None:
                raise
            raise named from error

    module.JITFunction.run = run


def _name_kernel(function: Any, error: Exception) -> Exception | None:
    """A compile error that came too early to know its kernel, with name and line; None for all others."""
    if not isinstance(error, KernelCompileError) or error.kernel:
        return None
    code = function.fn.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}"
    return KernelCompileError(f"kernel `{function.__name__}` ({place}): {error}", function.__name__)


def _without_ignored(function: Any, active: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """`kwargs` less what this device ignores; a kernel's own parameter of such a name stays."""
    own = function.arg_names
    return {k: v for k, v in kwargs.items() if k not in active.ignored_launch_options or k in own}


def _mode_reader() -> Callable[[], tuple]:
    """A function that reads the modes that change code, as cheaply as can be: it runs at every launch."""
    # os.environ encodes and checks each name that is read; its raw table is a plain dict.
    raw = getattr(os.environ, "_data", None)
    if raw is None:
        return lambda: (suppressed(), registry.revision, *map(os.environ.get, CODE_MODES))
    get, names = raw.get, tuple(os.environ.encodekey(name) for name in CODE_MODES)
    return lambda: (suppressed(), registry.revision, *map(get, names))


_modes = _mode_reader()


def _forget_kernels(function: Any, modes: tuple) -> None:
    """Drop what was compiled under other modes; the disk cache still has it under its own key."""
    known = function.__dict__.get(_TOKEN)
    function.__dict__[_TOKEN] = modes
    if known is not None:
        function.device_caches.clear()
