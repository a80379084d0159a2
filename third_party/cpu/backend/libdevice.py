# SPDX-License-Identifier: MIT
"""`triton.language.extra.libdevice` on the CPU: the functions that CUDA's has, under the same names.

They reach the compiler by the names of CUDA's library (`__nv_tanhf`), which it maps to functions of its own or of the C
library. So a kernel that imports `triton.language.extra.cuda.libdevice` compiles as well. What has no counterpart is
reported when it is compiled.
"""

from __future__ import annotations

from triton.language.extra.cuda.libdevice import *  # noqa: F403

# Where the language has the function itself, that one: it takes more types.
from triton.language.math import (  # noqa: F401
    abs,
    ceil,
    cos,
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
    umulhi,
)


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"libdevice.{name} does not exist; the names are those of CUDA's libdevice")
