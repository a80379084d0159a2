# SPDX-License-Identifier: MIT
"""What Triton's front end asks a backend while it makes IR."""

from __future__ import annotations

from typing import Any


def min_dot_size(lhs_type: Any, rhs_type: Any) -> tuple[int, int, int]:
    """Smallest (m, n, k) of a dot: no matrix unit sets a limit here."""
    return (1, 1, 1)


def convert_custom_types(
    value: Any, dtype: Any, fp_downcast_rounding: Any = None, _semantic: Any = None
) -> Any:
    """fp8e4b15 is a storage format of one GPU generation; say so instead of making wrong code."""
    raise TypeError(
        f"the cpu backend cannot convert {value.dtype} to {dtype}: fp8e4b15 exists on NVIDIA GPUs only; "
        "use fp8e4nv or fp8e5"
    )
