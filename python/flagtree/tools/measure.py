# SPDX-License-Identifier: MIT
"""Is a case right, and how long does it take: beside torch, in turns, so that both meet the same machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from flagtree.tools.tutorials import Case

#: Measuring one case takes this long, or this many turns, whichever ends first.
_SECONDS, _TURNS = 1.5, 200
_AT_LEAST = 5


@dataclass(frozen=True)
class Measured:
    """error: largest absolute difference from float64; first: seconds of the call that compiled;
    ours, torch: median seconds of a call."""

    error: float
    tolerance: float
    first: float
    ours: float
    torch: float

    @property
    def right(self) -> bool:
        """False for NaN as well."""
        return self.error <= self.tolerance


def measure(case: Case, seconds: float = _SECONDS) -> Measured:
    """Run, check and time `case` on the active device. Raises what the kernel raises."""
    first = _timed(case.run)
    error = _error(case)
    case.torch()
    ours: list[float] = []
    torchs: list[float] = []
    end = time.perf_counter() + seconds
    while len(ours) < _AT_LEAST or (time.perf_counter() < end and len(ours) < _TURNS):
        ours.append(_timed(case.run))
        torchs.append(_timed(case.torch))
    return Measured(error, case.tolerance, first, median(ours), median(torchs))


def launch_arguments(case: Case) -> tuple[tuple, dict[str, Any]]:
    """The arguments that `case` launches its kernel with: (positional, by name)."""
    seen: list[tuple[tuple, dict[str, Any]]] = []
    hooks = case.kernel.pre_run_hooks
    hook = _recorder(seen)
    hooks.append(hook)
    try:
        case.run()
    finally:
        hooks.remove(hook)
    return seen[0]


def _recorder(seen: list) -> Callable[..., None]:
    def record(*args: Any, **kwargs: Any) -> None:
        seen.append((args, kwargs))

    return record


def _error(case: Case) -> float:
    # Both write to one tensor: cleared, it cannot hold torch's result when ours was never written.
    case.torch().fill_(float("nan"))
    return (case.run().double() - case.expected()).abs().max().item()


def _timed(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    _wait(function())
    return time.perf_counter() - start


def _wait(tensor: Any) -> None:
    """Until the device has done what was asked of it; a CPU has when the call returns."""
    if tensor.device.type == "cuda":
        import torch

        torch.cuda.synchronize(tensor.device)
