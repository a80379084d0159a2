# SPDX-License-Identifier: MIT
"""Upstream's errors in the words that FlagTree uses: kernel, file, line, cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flagtree.upstream.parameters import file_of, first_line, is_kernel, namespace_of, source_of


def explain_front_end(error: BaseException, kernel: Any) -> str | None:
    """`file:line:column: cause` and the source line, when upstream's front end raised `error`; else None."""
    from triton.compiler.errors import CompilationError

    chain = [e for e in _chain(error) if isinstance(e, CompilationError)]
    if not chain:
        return None
    deepest = chain[-1]
    node = deepest.node
    cause = (deepest.error_message or _root_cause(deepest)).strip()
    line = getattr(node, "lineno", None)
    if deepest.src is None or line is None:
        return cause
    owner = _owner(deepest.src, kernel)
    text = deepest.src.splitlines()[line - 1].strip()
    if owner is None:
        return f"line {line} of its source: {cause}\n    {text}"
    place = f"{file_of(owner)}:{first_line(owner) + line - 1}:{node.col_offset + 1}"
    return f"{place}: {cause}\n    {text}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _root_cause(error: BaseException) -> str:
    last = list(_chain(error))[-1]
    return f"{type(last).__name__}: {last}" if last is not error else type(error).__name__


def _owner(source: str, kernel: Any) -> Any:
    """The kernel, or a function that it can call, whose text is `source`; None when there is none."""
    seen: set[int] = set()
    waiting = [kernel]
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        if source_of(function) == source:
            return function
        waiting += [value for value in namespace_of(function).values() if is_kernel(value)]
    return None
