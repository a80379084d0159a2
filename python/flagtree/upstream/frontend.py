# SPDX-License-Identifier: MIT
"""The front-end seam: a subclass of upstream's CodeGenerator that puts `flagtree_hints` on operations.

The generator tells the function's tracker which statement it visits; `creators` attaches that statement's hints.
Whatever goes wrong in here, the function is compiled as if the hint were not there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from flagtree.compiler import hardware
from flagtree.compiler.hardware import UnifiedHardware
from flagtree.frontend.tracker import HintTracker
from flagtree.hints import support
from flagtree.hints.hint import HintError
from flagtree.hints.ledger import Place
from flagtree.hints.mode import HintMode, mode
from flagtree.upstream import account, creators, store_hints


def install(module: ModuleType) -> None:
    """Replace `CodeGenerator` in `triton.compiler.code_generator` by a subclass that knows hints."""
    base = module.CodeGenerator
    if getattr(base, "_flagtree", False):
        return
    module.CodeGenerator = _subclass(base)
    store_hints.install(module)
    account.wrap(module)


def _subclass(base: type) -> type:
    class CodeGenerator(base):  # type: ignore[misc, valid-type]
        """Upstream's code generator, which attaches the hints of each statement to its operations."""

        _flagtree = True
        _hints: HintTracker | None = None

        def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
            # A nested definition comes here too while a tracker is open; upstream refuses it.
            tracker = None if self._hints is not None else _begin(self, node)
            if tracker is None:
                return super().visit_FunctionDef(node)
            shadows = creators.shadow(self.builder, tracker)
            self._hints = tracker
            try:
                result = super().visit_FunctionDef(node)
            finally:
                self._hints = None
                creators.unshadow(self.builder, shadows)
            _finish(tracker)
            return result

        def visit_compound_statement(self, stmts: Any) -> Any:
            tracker = self._hints
            if tracker is None:
                return super().visit_compound_statement(stmts)
            around = tracker.now
            try:
                return super().visit_compound_statement(_Followed(stmts, tracker))
            finally:
                tracker.now = around

    CodeGenerator.__module__ = base.__module__
    CodeGenerator.__qualname__ = base.__qualname__
    return CodeGenerator


class _Followed(list):
    """The statements of a block, which tell the tracker when it is their turn.

    An override of `visit`, or one of each visitor of statements, would be a call more for every node or statement of
    every kernel. Statements of upstream's own making (`a += b` as `a = a + b`) are in no block: the real one stays.
    """

    def __init__(self, statements: Any, tracker: HintTracker) -> None:
        super().__init__(statements if isinstance(statements, (list, tuple)) else [statements])
        self._tracker = tracker

    def __iter__(self) -> Iterator[ast.stmt]:
        tracker = self._tracker
        hinted = tracker.hinted
        for statement in super().__iter__():
            now = tracker.now = hinted.get(statement)
            if now is not None:
                now.visited = True
            yield statement


def _begin(generator: Any, node: ast.FunctionDef) -> HintTracker | None:
    if mode() is HintMode.OFF or getattr(generator, "is_gluon", False):
        return None
    try:
        function = generator.jit_fn
        # Upstream's `begin_line` is the line before `def`, for nodes count from 1.
        # Triton 3.6 has no `begin_col`: its columns are those of the tree.
        place = Place(
            function.fn.__qualname__,
            generator.file_name or "<unknown>",
            generator.begin_line,
            getattr(generator, "begin_col", 0),
        )
        found = _hardware(generator.builder.options)
        uses = support.of_backend(found.backend) if found is not None else None
        return HintTracker.begin(place, function.src, node, _above(function), found, uses)
    except Exception:
        return None


def _hardware(options: Any) -> UnifiedHardware | None:
    """What is compiled for: the options of every backend name it, in every Triton."""
    target, arch = getattr(options, "backend_name", None), getattr(options, "arch", None)
    return hardware.of_target(target, arch) if target and arch else None


def _above(function: Any) -> str:
    """The lines before `def`, decorators mostly: they are part of no function's source."""
    lines = function.raw_src
    return "".join(lines[: max(0, len(lines) - function.src.count("\n") - (function.src[-1:] != "\n"))])


def _finish(tracker: HintTracker) -> None:
    try:
        tracker.finish()
    except HintError:
        raise  # what FLAGTREE_HINTS=error asked for
    except Warning:
        raise  # the user made warnings errors
    except Exception:
        return
