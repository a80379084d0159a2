# SPDX-License-Identifier: MIT
"""Kernels of which a benchmark writes the source itself."""

from __future__ import annotations

import linecache
from typing import Any

import triton
import triton.language as tl


def kernel_of(text: str, name: str) -> Any:
    """The object `kernel` that `text` defines, with triton and tl at hand. name: its own among those of a process."""
    file = f"/bench/{name}.py"
    # Where Triton looks for a kernel's source.
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"triton": triton, "tl": tl, "__name__": name}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]
