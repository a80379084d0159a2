# SPDX-License-Identifier: MIT
"""From the text of a module to the module, in a context that exists already."""

from __future__ import annotations

import os
import tempfile
from typing import Any


def parse(text: str, context: Any, suffix: str = ".ttir") -> Any:
    """The module that `text` says. Raises RuntimeError when it cannot be read. Upstream reads files only."""
    from triton._C.libtriton import ir

    descriptor, path = tempfile.mkstemp(suffix=suffix)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        module = ir.parse_mlir_module(path, context)
        module.context = context
        return module
    finally:
        os.unlink(path)
