# SPDX-License-Identifier: MIT
"""Coefficients of the polynomials in lib/Transforms/Approximate*.cpp: `python utils/fit_math.py [--only NAME]`.

Minimax fits by Lawson's iteration: least squares over Chebyshev's nodes, each node weighted again by its error. The
coefficients are then rounded to fp32 one by one, from the lowest power up, and the others fitted anew each time.
Needs numpy and mpmath.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

mp.mp.prec = 120

_NODES = 1500
_ROUNDS = 60


@dataclass
class Fit:
    """`function` on [low, high] as a polynomial of `degree`; an error counts `weight` times."""

    function: Callable[[Any], Any]
    low: float
    high: float
    degree: int
    weight: Callable[[float], float]
    first: float | None = None  # a coefficient that is given
    around: float = 1e-4  # where the function is not computed: too close to 0


def lawson(powers: Any, target: Any, weight: Any) -> Any:
    """Coefficients that make the greatest weighted error least."""
    scale = np.abs(powers).max(0)
    powers = powers / scale
    share = np.ones_like(target)
    least, best = np.inf, None
    for _ in range(_ROUNDS):
        factor = np.sqrt(share) * weight
        found, *_ = np.linalg.lstsq(powers * factor[:, None], target * factor, rcond=None)
        error = np.abs((powers @ found - target) * weight)
        if error.max() < least:
            least, best = error.max(), found / scale
        share = share * (error / error.max() + 1e-9)
        share /= share.sum()
    return best


def coefficients(fit: Fit) -> tuple[list[float], float]:
    """Those of `fit`, all fp32 numbers, and the greatest weighted error that they leave."""
    place = np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)
    x = (fit.low + fit.high) / 2 + (fit.high - fit.low) / 2 * place
    x = x[np.abs(x) > fit.around]
    left = np.array([float(fit.function(mp.mpf(float(each)))) for each in x])
    weight = np.array([float(fit.weight(each)) for each in x])
    done: list[float] = []
    for power in range(fit.degree + 1):
        if power == 0 and fit.first is not None:
            value = fit.first
        else:
            powers = np.stack([x**each for each in range(power, fit.degree + 1)], 1)
            value = float(np.float32(lawson(powers, left, weight)[0]))
        done.append(value)
        left = left - value * x**power
    return done, float(np.abs(left * weight).max())


def relative(whole: Callable[[Any], Any], part: Callable[[float], float]) -> Callable[[float], float]:
    """An error of the polynomial as a share of the function that it is a part of."""
    return lambda x: abs(part(x) / float(whole(mp.mpf(x))))


def log_erfc(x: Any) -> Any:
    """-log(erfc(x)): erf is 1 - e^-log_erfc."""
    return -mp.log(mp.erfc(x))


def erf_weight(x: float) -> float:
    """What an error of log_erfc(x) / x makes of erf(x)."""
    q = float(log_erfc(mp.mpf(x)))
    return x * np.exp(-q) / (1 - np.exp(-q))


LOG2 = mp.log(2)
HALF_LOG2 = float(LOG2 / 2) * 1.001
QUARTER_TURN = float(mp.pi / 4) * 1.002
root = mp.sqrt


def odd(function: Callable[[Any], Any], end: float, degree: int) -> Fit:
    """(function(r) - r) / r³ in s = r²."""
    return Fit(
        lambda s: (function(root(s)) - root(s)) / root(s) ** 3,
        1e-9,
        end**2,
        degree,
        relative(lambda s: function(root(s)), lambda s: s**1.5),
        around=1e-5,
    )


def log1p_fit(low: float, high: float, degree: int) -> Fit:
    """(log(1 + m) - m) / m²."""
    return Fit(
        lambda m: (mp.log1p(m) - m) / m**2, low, high, degree, relative(mp.log1p, lambda m: m * m), first=-0.5
    )


def log_fit(base: Any, first: float) -> Fit:
    """log(1 + m) / m to `base`, less `first`."""
    whole = lambda m: mp.log1p(m) / mp.log(base)  # noqa: E731
    return Fit(lambda m: whole(m) / m - first, -1 / 3, 1 / 3, 9, relative(whole, lambda m: m))


def exp_fit(degree: int) -> Fit:
    """(e^r - 1 - r) / r²."""
    return Fit(lambda r: (mp.expm1(r) - r) / r**2, -HALF_LOG2, HALF_LOG2, degree, abs, first=0.5)


FITS = {
    "Exp: exponential": exp_fit(5),
    "Exp: binary": Fit(lambda f: mp.expm1(f * LOG2) / f, -0.5005, 0.5005, 5, lambda f: 1 / 0.69),
    "Log: natural": log1p_fit(-1 / 3, 1 / 3, 8),
    "Log: binary": log_fit(2, 1),
    "Log: decimal": log_fit(10, 0.5),
    "Log: shifted": log1p_fit(-0.25, 0.5, 9),
    "Trig: sine": odd(mp.sin, QUARTER_TURN, 2),
    "Trig: cosine, from s on": Fit(
        lambda s: (mp.cos(root(s)) - 1 + s / 2) / s**2,
        1e-9,
        QUARTER_TURN**2,
        2,
        relative(lambda s: mp.cos(root(s)), lambda s: s * s),
    ),
    "Trig: tangent": odd(mp.tan, QUARTER_TURN, 6),
    "Erf: exponential": exp_fit(4),
    "Erf: logErfc": Fit(lambda x: log_erfc(x) / x - 1, 1e-3, 3.94, 8, erf_weight),
    "Erf: smallTanh": odd(mp.tanh, 0.552, 3),
}


def main() -> None:
    """Prints each array as C++ spells it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="those whose name contains this")
    only = parser.parse_args().only
    for name, fit in FITS.items():
        if only not in name:
            continue
        found, error = coefficients(fit)
        print(f"{name}: error 2^{np.log2(error):.1f}")
        print("  " + ", ".join(f"{value.hex().replace('0000000p', 'p')}f" for value in found))


if __name__ == "__main__":
    main()
