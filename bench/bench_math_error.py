# SPDX-License-Identifier: MIT
"""Greatest error of each fp32 function on the CPU: `python bench/bench_math_error.py [--every N] [--only exp,log]`.

Every bit pattern of fp32 by default, about two minutes a function; `--every 101` takes each 101st. The peer is
torch's function of fp32 against the same fp64 reference. `--markdown` prints the table of docs/math.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

import flagtree

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python/test/support"))
from libdevice_functions import libdevice_function
from ulps import Worst, samples

_NAMES = [
    *(
        "exp",
        "exp2",
        "exp10",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
    ),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "erfc", "sqrt", "rsqrt"),
]
_BLOCK = 1024


@triton.jit
def unary(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m, other=1.0)), mask=m)


def reference(name: str) -> Any:
    """The function of torch called `name`."""
    if name == "exp10":
        return lambda x: torch.pow(torch.tensor(10.0, dtype=x.dtype), x)
    return getattr(torch, name)


def ours(name: str, x: Any) -> Any:
    """The function of the CPU backend called `name`."""
    o = torch.empty_like(x)
    unary[(triton.cdiv(x.numel(), _BLOCK),)](x, o, x.numel(), F=libdevice_function(name), B=_BLOCK)
    return o


def main() -> None:
    """Prints a line for each function."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, help="take each Nth bit pattern")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--markdown", action="store_true", help="print rows of a table")
    given = parser.parse_args()
    flagtree.use("cpu")
    only = [name for name in given.only.split(",") if name]
    for name in only or _NAMES:
        function, mine, theirs = reference(name), Worst(), Worst()
        for x in samples(given.every):
            exact = function(x.to(torch.float64))
            mine.add(x, ours(name, x), exact)
            theirs.add(x, function(x), exact)
        if given.markdown:
            print(f"| `{name}` | {mine.ulps:.2f} | `{mine.at!r}` | {theirs.ulps:.2f} |", flush=True)
        else:
            wrong = f", wrong at {mine.wrong} numbers, e.g. {mine.wrong_at!r}" if mine.wrong else ""
            print(f"{name:6} {mine.ulps:.3f} ulps at {mine.at!r}{wrong}; torch {theirs.ulps:.3f}", flush=True)


if __name__ == "__main__":
    main()
