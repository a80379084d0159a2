# SPDX-License-Identifier: MIT
"""`triton.language.extra.libdevice` on the CPU: the functions that `tl.math` has, under the same names."""

from __future__ import annotations

from triton.language.math import (  # noqa: F401
    abs,
    ceil,
    cos,
    div_rn,
    erf,
    exp,
    exp2,
    fdiv,
    floor,
    fma,
    log,
    log2,
    rsqrt,
    sin,
    sqrt,
    sqrt_rn,
    umulhi,
)


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"libdevice.{name} is not available on the cpu backend yet; "
        f"available are {', '.join(sorted(n for n in globals() if n[0] != '_' and n != 'annotations'))}"
    )
