# SPDX-License-Identifier: MIT
"""Functions of libdevice as functions that a kernel can be given: Triton reads their source, so each gets a file."""

from __future__ import annotations

import functools
import importlib.util
import tempfile
from pathlib import Path
from typing import Any

_SOURCE = """import triton
from triton.language.extra import libdevice


@triton.jit
def {name}({arguments}):
    return libdevice.{name}({arguments})
"""


@functools.cache
def _folder() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="flagtree-libdevice-")


@functools.cache
def libdevice_function(name: str, arity: int = 1) -> Any:
    """`libdevice.<name>` of `arity` arguments, decorated with `triton.jit`."""
    file = Path(_folder().name) / f"{name}_{arity}.py"
    file.write_text(_SOURCE.format(name=name, arguments=", ".join("abc"[:arity])))
    spec = importlib.util.spec_from_file_location(f"libdevice_{file.stem}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)
