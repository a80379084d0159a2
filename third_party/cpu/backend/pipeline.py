# SPDX-License-Identifier: MIT
"""The passes of each stage of the CPU pipeline: the one list of them."""

from __future__ import annotations

from flagtree.compiler.pass_manager import PassManager


def ttir(pm: PassManager, options: object) -> None:
    """Clean up what the front end gave: inline, fold, drop what is dead."""


def linalg(pm: PassManager, options: object) -> None:
    """Triton IR → structured accesses and linalg on tensors of static shape."""


def llir(pm: PassManager, options: object) -> None:
    """linalg → tiled, vectorised, bufferized → the llvm dialect."""
