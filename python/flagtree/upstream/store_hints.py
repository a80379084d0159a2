# SPDX-License-Identifier: MIT
"""Hints on operations without results.

Upstream's Python bindings return nothing for a store, so no attribute can be set on it. The hint travels in
the store's location instead; once the module is complete its text is rewritten, each marked location into the
attribute, and read again. A module without such a hint is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType
from typing import Any

from flagtree.upstream.module_text import parse

_MARK = "flagtree_hints:"
_ALIAS = re.compile(r'^(#\w+) = loc\("' + _MARK + r'((?:[^"\\]|\\.)*)"\((#?\w+)\)\)$')
_LOCATION = re.compile(r" loc\((#\w+)\)$")
#: Upstream ends the block of a branch or a loop at the location of its last statement.
_TERMINATOR = re.compile(r"\s*(?:\w+\.)+(?:yield|condition|return|br|cond_br)\b")


#: True once a location was marked in the compile that runs in this thread.
_marked: ContextVar[bool] = ContextVar("flagtree_marked_locations", default=False)


@contextmanager
def location(builder: Any, text: str) -> Iterator[None]:
    """Mark the location of what is created within with the hints `text`, if this Triton lets us."""
    try:
        before = builder.get_loc()
        builder.set_loc(builder.create_name_loc(_MARK + text, before))
    except Exception:
        yield
        return
    _marked.set(True)
    try:
        yield
    finally:
        builder.set_loc(before)


def install(module: ModuleType) -> None:
    """Wrap `triton.compiler.code_generator.ast_to_ttir`."""
    original = module.ast_to_ttir

    def ast_to_ttir(*args: Any, **kwargs: Any) -> Any:
        token = _marked.set(False)
        try:
            made = original(*args, **kwargs)
            return _rewritten(made) if _marked.get() else made
        finally:
            _marked.reset(token)

    ast_to_ttir.__wrapped__ = original  # type: ignore[attr-defined]
    module.ast_to_ttir = ast_to_ttir


def _rewritten(module: Any) -> Any:
    try:
        return parse(rewrite(str(module)), module.context)
    except Exception:
        # The hint is lost, the kernel is not: the mark in a location means nothing to anyone.
        return module


def rewrite(text: str) -> str:
    """MLIR text with marked locations → the same with `flagtree_hints` attributes and the plain locations."""
    lines = text.split("\n")
    marks = {m[1]: (m[2], m[3]) for line in lines if (m := _ALIAS.match(line))}
    kept = (line for line in lines if not _ALIAS.match(line))
    return "\n".join(_rewrite_line(line, marks) for line in kept)


def _rewrite_line(line: str, marks: dict[str, tuple[str, str]]) -> str:
    found = _LOCATION.search(line)
    if found is None or found[1] not in marks:
        return line
    text, plain = marks[found[1]]
    return _with_attribute(line[: found.start()], text) + f" loc({plain})"


def _with_attribute(operation: str, text: str) -> str:
    """Insert the attribute into the dictionary before the types, or give the operation one."""
    if "flagtree_hints" in operation or _TERMINATOR.match(operation):
        return operation
    attribute = f'flagtree_hints = "{text}"'
    brace, types = operation.find(" {"), operation.find(" : ")
    if types < 0:
        return operation
    if 0 <= brace < types:
        return f"{operation[: brace + 2]}{attribute}, {operation[brace + 2 :]}"
    return f"{operation[:types]} {{{attribute}}}{operation[types:]}"
