# SPDX-License-Identifier: MIT
"""Errors of fp32 functions in units in the last place, over samples of all 2^32 numbers or over all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

#: Set: the tests go through all 2^32 numbers, which takes minutes for each function.
EXHAUSTIVE = "FLAGTREE_TEST_EXHAUSTIVE"

_CHUNK = 1 << 20
#: Prime, so that samples fall on other digits in each binade.
_SPARSE = 64_811
_MANTISSA, _LEAST_EXPONENT = 24, -125
#: Around each of these bit patterns all numbers are taken: zero, subnormals, infinities and NaN, of both signs.
_SPECIAL = (0x0, 0x00800000, 0x3F800000, 0x7F800000, 0x7FC00000)
_AROUND = 64


@dataclass
class Worst:
    """The greatest error seen, where, and how many results are infinite, NaN or of a sign where they must not be."""

    ulps: float = 0.0
    at: float = 0.0
    wrong: int = 0
    wrong_at: float = 0.0

    def add(self, x: Any, actual: Any, exact: Any) -> None:
        """Counts results `actual` in fp32 against `exact` in fp64."""
        rounded = exact.to(torch.float32)
        error = ulps(actual, exact)
        # What overflows by less than its last digit may be the largest number.
        special = ~torch.isfinite(rounded) | ~torch.isfinite(actual)
        near = (error <= 2) & special & ~torch.isnan(rounded) & ~torch.isnan(actual)
        equal = (actual == rounded) | (torch.isnan(actual) & torch.isnan(rounded)) | near
        zero = (rounded == 0) & (exact == 0) & (torch.signbit(actual) != torch.signbit(rounded))
        wrong = (special & ~equal) | zero
        if wrong.any():
            self.wrong_at = x[wrong][0].item() if not self.wrong else self.wrong_at
            self.wrong += int(wrong.sum())
        error[special] = 0
        place = int(error.argmax())
        if error[place] > self.ulps:
            self.ulps, self.at = error[place].item(), x[place].item()


def ulps(actual: Any, exact: Any) -> Any:
    """|actual - exact| in units of the last place that fp32 has at `exact`; infinity counts as 2^128."""
    exponent = torch.frexp(exact).exponent.clamp(min=_LEAST_EXPONENT, max=128) - _MANTISSA
    limit = 2.0**128
    difference = actual.to(torch.float64).clamp(-limit, limit) - exact.clamp(-limit, limit)
    return difference.abs() * torch.exp2(-exponent.to(torch.float64))


def samples(every: int) -> Iterator[Any]:
    """fp32 numbers, each `every`th bit pattern, chunk by chunk; then all around the special ones."""
    for start in range(-(1 << 31), 1 << 31, _CHUNK * every):
        end = min(start + _CHUNK * every, 1 << 31)
        yield torch.arange(start, end, every, dtype=torch.int64).to(torch.int32).view(torch.float32)
    near = torch.tensor(_SPECIAL).unsqueeze(1) + torch.arange(-_AROUND, _AROUND)
    bits = near.flatten().clamp(min=0).to(torch.int32)
    yield torch.cat([bits, bits | -(1 << 31)]).view(torch.float32)


def worst(function: Callable[[Any], Any], reference: Callable[[Any], Any], every: int | None = None) -> Worst:
    """The greatest error of `function`, fp32 to fp32, against `reference` in fp64."""
    if every is None:
        every = 1 if os.environ.get(EXHAUSTIVE) else _SPARSE
    result = Worst()
    for x in samples(every):
        result.add(x, function(x), reference(x.to(torch.float64)))
    return result
