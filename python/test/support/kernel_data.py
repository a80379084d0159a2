# SPDX-License-Identifier: MIT
"""Inputs and comparisons for the end-to-end tests of kernels."""

from __future__ import annotations

from typing import Any

import torch
import triton

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED

#: Elements behind each result that no kernel may write.
GUARD = 8


def dtype_of(name: str) -> Any:
    """The torch dtype called `name`."""
    return getattr(torch, name)


def sample(name: str, *shape: int, scale: float = 3.0) -> Any:
    """Random values: normal with deviation `scale` for floats, the type's whole range for integers, fair booleans."""
    dtype = dtype_of(name)
    if name == "bool":
        return torch.rand(*shape) > 0.5
    if name in FLOATS:
        return (torch.randn(*shape, dtype=torch.float64) * scale).to(dtype)
    bits = torch.iinfo(dtype).bits
    signed = getattr(torch, f"int{bits}")
    numbers = torch.randint(-(2**63), 2**63 - 1, shape, dtype=torch.int64)
    return numbers.to(signed).view(dtype)


def small(name: str, *shape: int, low: int = -9, high: int = 9) -> Any:
    """Whole numbers in [low, high] (from 0 for unsigned types), exact in every type."""
    if name in UNSIGNED or name == "bool":
        low = max(low, 0)
    return torch.randint(low, high + 1, shape).to(dtype_of(name))


def guarded(n: int, name: str, fill: int = 1) -> Any:
    """A 1-D result of `n` elements with a guard behind, all `fill`."""
    return torch.full((n + GUARD,), fill, dtype=torch.float64 if name in FLOATS else torch.int64).to(
        dtype_of(name)
    )


def check_guard(result: Any, n: int, fill: int = 1) -> None:
    """Nothing was written behind `n` elements of a result made with `guarded`."""
    behind = result[n:].to(torch.float64)
    assert (behind == fill).all(), f"elements behind the {n} of the result were written: {behind.tolist()}"


def blocks(n: int, block: int) -> tuple[int]:
    """The 1-D grid that covers `n` elements."""
    return (triton.cdiv(n, block),)


def same(actual: Any, expected: Any, message: str = "") -> None:
    """Equal bit for bit in value, NaN equal to NaN, of one dtype."""
    assert actual.dtype == expected.dtype, f"{actual.dtype} != {expected.dtype}"
    torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True, msg=message or None)


def close(actual: Any, exact: Any, ulps: float = 1.0) -> None:
    """Within `ulps` units in the last place of `actual`'s type of an exact fp64 result; infinities and NaN equal."""
    kind = torch.finfo(actual.dtype)
    exact = exact.to(torch.float64)
    rounded = exact.to(actual.dtype)
    special = ~torch.isfinite(rounded)
    same(actual[special], rounded[special])
    error = (actual.to(torch.float64) - exact).abs()[~special]
    unit = (exact.abs() * kind.eps).clamp(min=kind.tiny * kind.eps)[~special]
    worst = (error / unit).max().item() if error.numel() else 0.0
    assert worst <= ulps, f"off by {worst:.3g} ulps of {actual.dtype}; allowed are {ulps}"
