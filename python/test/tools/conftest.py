# SPDX-License-Identifier: MIT
"""The command line within the process, and a file of kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KERNELS = Path(__file__).resolve().parents[1] / "support" / "cli_kernels.py"
ONE_KERNEL = """
import triton
import triton.language as tl

print("the file speaks")

@triton.jit
def only(x, o, n, B: tl.constexpr = 64):
    i = tl.arange(0, B)
    tl.store(o + i, tl.exp(tl.load(x + i, mask=i < n)), mask=i < n)
"""


@pytest.fixture
def flagtree() -> Callable[..., Any]:
    """Run `flagtree …` and return its result: exit_code, stdout, stderr."""
    from typer.testing import CliRunner

    from flagtree.tools.cli import app

    return lambda *args: CliRunner().invoke(app, [str(a) for a in args], catch_exceptions=False)


@pytest.fixture
def compile_cpu(flagtree: Callable[..., Any]) -> Callable[..., Any]:
    """`flagtree compile <kernel of cli_kernels> --backend cpu …`."""
    return lambda kernel, *args: flagtree("compile", f"{KERNELS}::{kernel}", "--backend", "cpu", *args)


@pytest.fixture
def one_kernel(tmp_path: Path) -> Path:
    """A file with a single kernel, which prints while it is imported."""
    path = tmp_path / "one_kernel.py"
    path.write_text(ONE_KERNEL)
    return path
