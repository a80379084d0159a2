# SPDX-License-Identifier: MIT
"""From `FILE::KERNEL` to a kernel object, or to a file of IR."""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from flagtree.upstream.parameters import kernels_of

#: Suffix of a file of IR → the stage that makes such text.
IR_SUFFIXES = {".ttir": "ttir", ".mlir": "ttir", ".ttgir": "ttgir"}


class KernelFileError(ValueError):
    """What is named is not there. The message says what is."""


class KernelImportError(RuntimeError):
    """The file is there and fails while it is executed."""


def split(text: str) -> tuple[Path, str | None]:
    """`FILE::KERNEL` or `FILE` → (path, kernel or None). Raises KernelFileError when there is no such file."""
    name, separator, kernel = text.rpartition("::")
    path, kernel = (Path(name), kernel) if separator else (Path(text), "")
    if not path.is_file():
        raise KernelFileError(
            f"there is no file {str(path)!r}; write FILE::KERNEL, for example kernels.py::add"
        )
    if separator and not kernel:
        raise KernelFileError(f"{text!r} names no kernel after ::")
    return path, kernel or None


def load_kernel(path: Path, name: str | None) -> tuple[str, Any]:
    """(name, kernel) of the one named, or of the only one in the file.

    Executes the file. Raises KernelFileError or KernelImportError.
    """
    found = kernels_of(_execute(path))
    if not found:
        raise KernelFileError(f"{path} defines no @triton.jit function")
    listed = ", ".join(found)
    if name is None:
        if len(found) > 1:
            raise KernelFileError(
                f"{path} has several kernels: {listed}; choose one, for example {path}::{next(iter(found))}"
            )
        return next(iter(found.items()))
    if name not in found:
        near = difflib.get_close_matches(name, found, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise KernelFileError(f"{path} has no kernel {name!r}; it has {listed}{hint}")
    return name, found[name]


def _execute(path: Path) -> ModuleType:
    # Read when `triton.jit` runs: an interpreted function cannot be compiled.
    os.environ.pop("TRITON_INTERPRET", None)
    spec = importlib.util.spec_from_file_location(f"flagtree_compile_{path.stem.replace('-', '_')}", path)
    if spec is None or spec.loader is None:
        raise KernelFileError(f"{path} is no Python file (.py), nor one of IR ({', '.join(IR_SUFFIXES)})")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        # What the file prints is not what was asked for.
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise KernelImportError(f"{path} fails while it is imported: {_describe(error, path)}") from error
    return module


def _describe(error: BaseException, path: Path) -> str:
    text = f"{type(error).__name__}: {error}"
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if Path(f.filename) == path.resolve() or f.filename == str(path)
    ]
    return f"{text} (line {frames[-1].lineno}: {frames[-1].line})" if frames else text
