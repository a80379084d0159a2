# SPDX-License-Identifier: MIT
"""The front-end seam: a subclass of upstream's CodeGenerator that puts `flagtree_hints` on operations.

While a function is visited, the builder's creators are shadowed on the builder INSTANCE, so nothing changes for
anyone else, and taken away again afterwards (a cycle through the builder would be reported as a leak at exit).
Whatever goes wrong in here, the function is compiled as if the hint were not there.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from flagtree.frontend.tracker import HintTracker
from flagtree.hints.hint import Hint, HintError
from flagtree.hints.ledger import Place
from flagtree.hints.mode import HintMode, mode
from flagtree.upstream import store_hints
from flagtree.upstream.loop_attributes import native_attribute

ATTRIBUTE = "flagtree_hints"

#: Builder method → kind of the operation that it creates. Methods that a Triton lacks are skipped.
CREATORS: dict[str, str] = {
    "create_load": "load",
    "create_masked_load": "load",
    "create_tensor_pointer_load": "load",
    "create_descriptor_load": "load",
    "create_descriptor_gather": "load",
    "create_store": "store",
    "create_masked_store": "store",
    "create_tensor_pointer_store": "store",
    "create_descriptor_store": "store",
    "create_descriptor_scatter": "store",
    "create_descriptor_reduce": "atomic",
    "create_atomic_rmw": "atomic",
    "create_atomic_cas": "atomic",
    "create_atomic_load": "atomic",
    "create_atomic_store": "atomic",
    "create_dot": "dot",
    "create_dot_scaled": "dot",
    "create_for_op": "for",
    "create_while_op": "while",
}
#: Those that return nothing to Python: their hint travels in the location.
_WITHOUT_RESULT = frozenset(
    {
        "create_store",
        "create_masked_store",
        "create_tensor_pointer_store",
        "create_descriptor_store",
        "create_descriptor_scatter",
        "create_descriptor_reduce",
        "create_atomic_store",
    }
)


def install(module: ModuleType) -> None:
    """Replace `CodeGenerator` in `triton.compiler.code_generator` by a subclass that knows hints."""
    base = module.CodeGenerator
    if getattr(base, "_flagtree", False):
        return
    module.CodeGenerator = _subclass(base)
    store_hints.install(module)


def _subclass(base: type) -> type:
    class CodeGenerator(base):  # type: ignore[misc, valid-type]
        """Upstream's code generator, which attaches the hints of each statement to its operations."""

        _flagtree = True
        _hints: HintTracker | None = None

        def visit(self, node: ast.AST) -> Any:
            tracker = self._hints
            if tracker is None or not isinstance(node, ast.stmt):
                return super().visit(node)
            tracker.enter(node)
            try:
                return super().visit(node)
            finally:
                tracker.leave()

        def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
            # A nested definition comes here too while a tracker is open; upstream refuses it.
            tracker = None if self._hints is not None else _begin(self, node)
            if tracker is None:
                return super().visit_FunctionDef(node)
            shadows = _shadow(self.builder, tracker)
            self._hints = tracker
            try:
                result = super().visit_FunctionDef(node)
            finally:
                self._hints = None
                _unshadow(self.builder, shadows)
            _finish(tracker)
            return result

    CodeGenerator.__module__ = base.__module__
    CodeGenerator.__qualname__ = base.__qualname__
    return CodeGenerator


def _begin(generator: Any, node: ast.FunctionDef) -> HintTracker | None:
    if mode() is HintMode.OFF or getattr(generator, "is_gluon", False):
        return None
    try:
        function = generator.jit_fn
        # Upstream's `begin_line` is the line before `def`, for nodes count from 1.
        place = Place(function.fn.__qualname__, generator.file_name or "<unknown>", generator.begin_line)
        return HintTracker.begin(place, function.src, node)
    except Exception:
        return None


def _finish(tracker: HintTracker) -> None:
    try:
        tracker.finish()
    except HintError:
        raise  # what FLAGTREE_HINTS=error asked for
    except Warning:
        raise  # the user made warnings errors
    except Exception:
        return


def _shadow(builder: Any, tracker: HintTracker) -> list[str]:
    """Shadow every creator that exists on `builder`; returns the names to take away again."""
    names = [name for name in CREATORS if hasattr(builder, name)]
    for name in names:
        setattr(builder, name, _hinting(name, getattr(builder, name), builder, tracker))
    return names


def _unshadow(builder: Any, names: list[str]) -> None:
    for name in names:
        delattr(builder, name)


def _hinting(name: str, create: Callable[..., Any], builder: Any, tracker: HintTracker) -> Callable[..., Any]:
    kind = CREATORS[name]
    marked = name in _WITHOUT_RESULT

    def created(*args: Any) -> Any:
        hints = _active(tracker, kind)
        if not hints:
            return create(*args)
        text = ",".join(hint.text for hint in hints)
        if marked:
            with store_hints.location(builder, text):
                operation = create(*args)
        else:
            operation = create(*args)
            _attach(operation, text, hints, kind, builder, tracker)
        _note(tracker, hints, kind)
        return operation

    return created


def _active(tracker: HintTracker, kind: str) -> list[Hint]:
    try:
        return tracker.active(kind)
    except Exception:
        return []


def _note(tracker: HintTracker, hints: list[Hint], kind: str) -> None:
    with contextlib.suppress(Exception):
        for hint in hints:
            tracker.attached(hint, kind)


def _attach(
    operation: Any, text: str, hints: list[Hint], kind: str, builder: Any, tracker: HintTracker
) -> None:
    try:
        operation.set_attr(ATTRIBUTE, builder.get_string_attr(text))
    except Exception as error:
        for hint in hints:
            tracker.unfit(hint, f"the operation does not take an attribute ({error})")
        return
    for hint in hints:
        problem = _native_attribute(operation, hint, kind, builder)
        if problem:
            tracker.unfit(hint, problem)


def _native_attribute(operation: Any, hint: Hint, kind: str, builder: Any) -> str:
    try:
        return native_attribute(operation, hint, kind, builder)
    except Exception as error:
        return f"this Triton does not take it as an attribute ({error})"
