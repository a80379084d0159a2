# SPDX-License-Identifier: MIT
"""The cases that the tutorials offer to whoever measures them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: In a checkout; an installed FlagTree has no tutorials.
FOLDER = Path(__file__).resolve().parents[2] / "tutorials"


class TutorialError(RuntimeError):
    """The tutorials are not there, or one of them offers no cases."""


@dataclass(frozen=True)
class Case:
    """One kernel on one size.

    run, torch: compute into the same output tensor and return it; expected: the result in float64
    tolerance:  the largest absolute error that is right
    """

    name: str
    size: str
    kernel: Any
    run: Callable[[], Any]
    torch: Callable[[], Any]
    expected: Callable[[], Any]
    tolerance: float


def files(folder: Path = FOLDER) -> list[Path]:
    """The tutorials in their order. Raises TutorialError when there are none."""
    found = sorted(folder.glob("[0-9]*.py"))
    if not found:
        raise TutorialError(
            f"there are no tutorials in {folder}: run the demo from a checkout of FlagTree, or name a folder"
        )
    return found


def cases(path: Path, fraction: float = 1.0) -> list[Case]:
    """The cases of one tutorial, scaled by `fraction`. Executes the file. Raises TutorialError."""
    name = f"flagtree_tutorial_{path.stem.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TutorialError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    make = getattr(module, "benchmark_cases", None)
    if make is None:
        raise TutorialError(f"{path} has no function benchmark_cases")
    return [Case(**case) for case in make(fraction)]
