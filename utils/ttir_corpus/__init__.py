# SPDX-License-Identifier: MIT
"""Kernels whose TTIR text makes up the corpus of the `tt` dialect tests; one module a family."""

from __future__ import annotations

from . import (
    atomics,
    attention,
    control,
    descriptors,
    elementwise,
    indexing,
    matmul,
    normalise,
    reductions,
    shapes,
)
from .registry import CASES, Case

__all__ = [
    "CASES",
    "Case",
    "atomics",
    "attention",
    "control",
    "descriptors",
    "elementwise",
    "indexing",
    "matmul",
    "normalise",
    "reductions",
    "shapes",
]
