# SPDX-License-Identifier: MIT
"""The object that upstream calls for each launch on the host: flattens arguments, honours hooks, calls C++."""

from __future__ import annotations

from typing import Any

from flagtree.runtime.arrays import HostArray
from flagtree.runtime.flatten import FlatSignature
from flagtree.runtime.overlap import Pair, bounded, share_storage, unbounded


class HostLauncher:
    """Launcher of one compiled kernel; upstream makes it from the source and the metadata of the kernel."""

    def __init__(self, src: Any, metadata: Any) -> None:
        self._name = metadata.name
        # Compiled code never rounds what a descriptor reads to tf32, so it is not told whether to.
        self._signature = FlatSignature(src.signature, rounds_to_tf32=False)
        self._written = self._written_arguments(getattr(metadata, "written", ()))
        pairs = [Pair(*pair) for pair in getattr(metadata, "distinct", ())]
        self._bounded = bounded(pairs)
        self._unbounded = unbounded(pairs, self._passed()) if pairs else []
        self._made_from = (src, metadata)
        self._careful: Any = None
        self._native: Any = None
        self._function = 0

    def __call__(
        self,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        stream: object,
        function: int,
        packed_metadata: object,
        launch_metadata: object,
        enter_hook: Any,
        exit_hook: Any,
        *args: Any,
    ) -> None:
        """Run the grid and return when it is done. Raises what the native launcher says of bad arguments."""
        if function != self._function or self._native is None:
            self._bind(function)
        if not self._signature.is_flat:
            args = tuple(self._signature.flatten(args))
        for position in self._written:
            if type(args[position]) is HostArray:
                self._check_writeable(position, args[position])
        if _has_calls(enter_hook):
            enter_hook(launch_metadata)
        apart = True
        for read, written in self._unbounded:
            apart = apart and not share_storage(args[read], args[written])
        # The native launcher does nothing when arguments lie too near to each other.
        if not apart or self._native(grid_x, grid_y, grid_z, *args) is False:
            self._run_careful(grid_x, grid_y, grid_z, args)
        if _has_calls(exit_hook):
            exit_hook(launch_metadata)

    def _written_arguments(self, numbers: Any) -> list[int]:
        """Positions among the arguments of a launch, from numbers among the parameters of the compiled function."""
        passed = self._passed()
        return [passed[number] for number in numbers if number < len(passed)]

    def _passed(self) -> list[int]:
        """Positions of the parameters that the compiled function has."""
        types = [type_ for _, type_ in self._signature.names_and_types]
        return [position for position, type_ in enumerate(types) if type_ != "constexpr"]

    def _run_careful(self, grid_x: int, grid_y: int, grid_z: int, args: Any) -> None:
        """Run code that takes no two arguments for two buffers; compiled the first time."""
        if self._careful is None:
            from flagtree.upstream.recompile import recompile

            kernel = recompile(*self._made_from, distinct_arguments=False)
            launcher = kernel.run
            launcher._bind(kernel.function)
            self._careful = (launcher, kernel)  # the kernel owns the code
        self._careful[0]._native(grid_x, grid_y, grid_z, *args)

    def _check_writeable(self, position: int, argument: HostArray) -> None:
        if not argument.array.flags.writeable:
            name = self._signature.names_and_types[position][0]
            raise ValueError(
                f"kernel `{self._name}`, parameter `{name}`: the kernel writes to this array, which is read-only; "
                "pass a copy (array.copy()) or open the memory map with mode 'r+'"
            )

    def _bind(self, function: int | None) -> None:
        from flagtree.compiler import native

        if not function:
            # Upstream keeps the launcher of a kernel whose code could not be loaded.
            raise RuntimeError(
                f"kernel `{self._name}` has no code: loading it failed earlier, see the first error. "
                "Empty Triton's cache directory if it persists"
            )
        self._native = native.launch().Launcher(
            self._name, self._signature.names_and_types, function, apart=self._bounded
        )
        self._function = function


def _has_calls(hook: Any) -> bool:
    """Upstream's hook is a chain that is never None; an empty one is no hook."""
    return hook is not None and bool(getattr(hook, "calls", True))
