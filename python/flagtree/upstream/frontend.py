# SPDX-License-Identifier: MIT
"""The front-end seam: a subclass of upstream's CodeGenerator that puts `flagtree_hints` on operations.

While a function is visited, the builder's creators are shadowed on the builder INSTANCE, so nothing changes for
anyone else, and taken away again afterwards (a cycle through the builder would be reported as a leak at exit).
Whatever goes wrong in here, the function is compiled as if the hint were not there.
"""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from flagtree.compiler import hardware
from flagtree.compiler.hardware import UnifiedHardware
from flagtree.frontend.tracker import HintTracker, Reach
from flagtree.frontend.validate import Entry
from flagtree.hints import support
from flagtree.hints.hint import HintError
from flagtree.hints.ledger import Place
from flagtree.hints.mode import HintMode, mode
from flagtree.upstream import account, store_hints
from flagtree.upstream.block_bytes import block_bytes
from flagtree.upstream.loop_attributes import has_native_attribute, native_attribute

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
            shadows = _shadow(self.builder, tracker)
            self._hints = tracker
            try:
                result = super().visit_FunctionDef(node)
            finally:
                self._hints = None
                _unshadow(self.builder, shadows)
            _finish(tracker)
            return result

    # One method a kind of statement: an override of `visit` would be one more call for every node of every
    # expression, and there are twenty of these to a statement.
    for name in _statement_visitors(base):
        setattr(CodeGenerator, name, _tracking(getattr(base, name)))
    CodeGenerator.__module__ = base.__module__
    CodeGenerator.__qualname__ = base.__qualname__
    return CodeGenerator


def _statement_visitors(base: type) -> list[str]:
    """Names of upstream's visitors of statements, but for the definition of the function itself."""
    kinds = [cls for cls in vars(ast).values() if isinstance(cls, type) and issubclass(cls, ast.stmt)]
    names = [f"visit_{cls.__name__}" for cls in kinds]
    return [name for name in names if hasattr(base, name) and name != "visit_FunctionDef"]


def _tracking(visit: Callable[[Any, ast.stmt], Any]) -> Callable[[Any, ast.stmt], Any]:
    """The visitor `visit`, which tells the tracker of its generator, if it has one."""

    @functools.wraps(visit)
    def visited(self: Any, node: ast.stmt) -> Any:
        tracker = self._hints
        if tracker is None:
            return visit(self, node)
        tracker.enter(node)
        try:
            return visit(self, node)
        finally:
            tracker.leave()

    return visited


def _begin(generator: Any, node: ast.FunctionDef) -> HintTracker | None:
    if mode() is HintMode.OFF or getattr(generator, "is_gluon", False):
        return None
    try:
        function = generator.jit_fn
        # Upstream's `begin_line` is the line before `def`, for nodes count from 1.
        place = Place(function.fn.__qualname__, generator.file_name or "<unknown>", generator.begin_line)
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
    if name in _WITHOUT_RESULT:

        def created(*args: Any) -> Any:
            reached = _active(tracker, kind)
            if not reached:
                return create(*args)
            reached = _fitting(reached, args[1] if len(args) > 1 else None, tracker)
            with store_hints.location(builder, _text(reached)) if reached else contextlib.nullcontext():
                operation = create(*args)
            _note(tracker, reached, kind)
            return operation
    else:

        def created(*args: Any) -> Any:
            operation = create(*args)
            reached = _active(tracker, kind)
            if reached:
                reached = _fitting(reached, operation, tracker)
                _note(tracker, _attach(operation, reached, kind, builder, tracker), kind)
            return operation

    return created


def _text(reached: list[Reach]) -> str:
    return reached[0].entry.text if len(reached) == 1 else ",".join(r.entry.text for r in reached)


def _active(tracker: HintTracker, kind: str) -> list[Reach]:
    try:
        return tracker.active(kind)
    except Exception:
        return []


def _note(tracker: HintTracker, reached: list[Reach], kind: str) -> None:
    try:  # `contextlib.suppress` takes longer than what it would guard here
        tracker.attached(reached, kind)
    except Exception:
        return


def _fitting(reached: list[Reach], value: Any, tracker: HintTracker) -> list[Reach]:
    """Those whose memory can hold the block `value`; the others are rejected with the numbers."""
    for _, use in reached:
        if use is not None and use.memory and tracker.hardware is not None:
            break
    else:
        return reached
    size = block_bytes(value)
    for entry, use in reached:
        if size is not None and use is not None:
            entry.problem = use.overflow(entry.hint, size, tracker.hardware)
    return [r for r in reached if not r.entry.problem]


def _attach(
    operation: Any, reached: list[Reach], kind: str, builder: Any, tracker: HintTracker
) -> list[Reach]:
    """Put the hints on `operation`; returns those that it took. The others have a problem now."""
    for entry, use in reached:
        if (use is not None or tracker.hardware is None) and has_native_attribute(entry, kind):
            entry.problem = _native_attribute(operation, entry, kind, builder)
    taken = [r for r in reached if not r.entry.problem]
    try:
        if taken:
            operation.set_attr(ATTRIBUTE, builder.get_string_attr(_text(taken)))
    except Exception as error:
        for entry, _ in taken:
            entry.problem = f"the operation does not take an attribute ({error})"
        return []
    return taken


def _native_attribute(operation: Any, entry: Entry, kind: str, builder: Any) -> str:
    try:
        native_attribute(operation, entry, kind, builder)
    except Exception as error:
        return f"this Triton does not take it as an attribute ({error})"
    return ""
