# SPDX-License-Identifier: MIT
"""A pipeline of passes, collected in Python and run by the library as MLIR's textual form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class PassManager:
    """Collects passes for modules, or within `nest` for the operations of one name.

    pm = PassManager()
    flagtree.passes.common.add_cse(pm)
    with pm.nest("func.func"):
        flagtree.passes.flir.add_tile(pm, size=8)
    str(pm)   # builtin.module(cse,func.func(flir-tile{size=8}))
    """

    def __init__(self, anchor: str = "builtin.module") -> None:
        self.anchor = anchor
        self._levels: list[list[str]] = [[]]

    def add(self, text: str) -> None:
        """Append one pass in its textual form, options included."""
        self._levels[-1].append(text)

    @contextmanager
    def nest(self, operation: str) -> Iterator[PassManager]:
        """What is added within runs on the operations named `operation`. An empty nest vanishes."""
        self._levels.append([])
        try:
            yield self
        finally:
            inner = self._levels.pop()
            if inner:
                self.add(f"{operation}({','.join(inner)})")

    def run(self, module: Any) -> None:
        """Run on a native module; nothing happens when no pass was added. Raises the library's CompileError."""
        if self._levels[0]:
            module.run(str(self))

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(self._levels[0])})"

    def __len__(self) -> int:
        return len(self._levels[0])


def format_pass(argument: str, options: dict[str, Any]) -> str:
    """Textual form of one pass: `argument{key=value …}`."""
    if not options:
        return argument
    return argument + "{" + " ".join(f"{key}={_format(value)}" for key, value in options.items()) + "}"


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_format(item) for item in value)
    text = str(value)
    # Braces keep blanks and nested pipelines in one piece.
    return "{" + text + "}" if any(char.isspace() or char in "{}()" for char in text) else text
