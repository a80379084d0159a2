# SPDX-License-Identifier: MIT
"""The account of a kernel's hints: from the front end, past the stages, into the kernel's metadata.

What the front end saw travels as an attribute of the Python object that holds the module; the first stage, wrapped
by the official stage hook, takes it from there. Metadata are kept in Triton's disk cache beside the code.
"""

from __future__ import annotations

import contextlib
import functools
from types import ModuleType
from typing import Any

from flagtree.compiler.backend import Stage
from flagtree.hints.account import of_kernel
from flagtree.hints.ledger import collect
from flagtree.hints.notes import Notes
from flagtree.upstream import stages

#: Name of the entry in a kernel's metadata, and of the attribute of the module's object.
METADATA = "flagtree_hints"
_EXTENSION = "hints.account"


def install() -> None:
    """Extend the stages, and give upstream's compiled kernels the property `hints`."""
    from triton.compiler.compiler import CompiledKernel

    stages.build_in(_EXTENSION, extension)
    CompiledKernel.hints = property(of_kernel)


def wrap(module: ModuleType) -> None:
    """Wrap `triton.compiler.code_generator.ast_to_ttir`."""
    original = module.ast_to_ttir

    @functools.wraps(original)
    def ast_to_ttir(*args: Any, **kwargs: Any) -> Any:
        with collect() as book:
            made = original(*args, **kwargs)
        if book:
            setattr(made, METADATA, book)
        return made

    module.ast_to_ttir = ast_to_ttir


def extension(_backend: Any, made: dict, _options: Any, _language: Any, _capability: Any) -> None:
    """Wrap the first of the stages `made`."""
    first = next(iter(made), None)
    if first is not None:
        made[first] = _noting(made[first])


def notes_of(compiled: Any) -> Notes:
    """What the front end saw of the hints of a kernel, compiled now or by another process."""
    return Notes.of_json(getattr(compiled.metadata, METADATA, ()))


def _noting(stage: Stage) -> Stage:
    def first(module: Any, metadata: dict) -> Any:
        book = getattr(module, METADATA, None)
        if book is not None:
            with contextlib.suppress(Exception):  # a kernel is worth more than its account
                metadata[METADATA] = Notes.of_ledger(book).to_json()
        return stage(module, metadata)

    return first
