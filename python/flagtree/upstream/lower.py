# SPDX-License-Identifier: MIT
"""Upstream's pipeline one stage at a time, from a kernel's source or from a file of IR, without the cache.

Stopping at a stage means that what comes after it (an assembler that is not installed, an operation that cannot be
lowered yet) is not needed for looking at what comes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagtree.compiler.backend import FlagTreeBackend
from flagtree.compiler.blob import unseal
from flagtree.upstream.fp_fusion import settled

#: The kind of artefact that is the front end's own output.
SOURCE = "source"


@dataclass(frozen=True)
class KernelSource:
    """A kernel and what it is compiled for.

    signature:  parameter → Triton type, "constexpr" included; constexprs: parameter → value
    alignments: parameter → bytes that its value is known to be a multiple of
    """

    function: Any
    signature: Mapping[str, str]
    constexprs: Mapping[str, Any] = field(default_factory=dict)
    alignments: Mapping[str, int] = field(default_factory=dict)


class Pipeline:
    """The stages of one target with one set of options."""

    def __init__(self, target: Any, options: Mapping[str, Any] | None = None) -> None:
        from triton.backends.compiler import Language
        from triton.compiler.compiler import make_backend

        self.target = target
        self.backend = make_backend(target)
        self._language = Language.TRITON
        self._with_options(dict(options or {}))

    def _with_options(self, given: dict[str, Any]) -> None:
        self.options = self.backend.parse_options(settled(given))
        self._given = given
        self._stages: dict[str, Any] = {}
        self.backend.add_stages(self._stages, self.options, self._language)

    @property
    def stages(self) -> list[str]:
        """Names of the stages, in order."""
        return list(self._stages)

    @property
    def kinds(self) -> list[str]:
        """All that `lower` can stop at: the front end's output, each stage, and the backend's extra forms."""
        return [SOURCE, *self._stages, *self._extra()]

    def option_names(self) -> list[str]:
        """The options that this backend knows."""
        return sorted(name for name in vars(self.options) if not name.startswith("_"))

    def lower(self, source: KernelSource | Path, kind: str) -> str | bytes | Any:
        """`source` lowered to `kind`: text, bytes, or a module that prints itself. Raises what the stages raise.

        A `Path` is a file of IR whose suffix is the name of the stage that made it (`.ttir`, …).
        """
        stop, finish = self._extra().get(kind, (kind, None))
        value, metadata, done = self._front(source)
        for name in self._remaining(stop, done):
            value = self._stages[name](value, metadata)
        if finish is not None:
            return finish(value)
        return unseal(value) if self._is_ours and stop == self.backend.binary_ext else value

    def _remaining(self, stop: str, done: int) -> list[str]:
        """The stages to run when `done` are done; raises ValueError when `stop` is behind us."""
        if stop == SOURCE:
            return []
        last = self.stages.index(stop) + 1
        if last < done:
            raise ValueError(
                f"the file is {self.stages[done - 1]} already; {stop} comes before it. "
                f"Ask for one of {', '.join(self.stages[done - 1 :])}"
            )
        return self.stages[done:last]

    @property
    def _is_ours(self) -> bool:
        return isinstance(self.backend, FlagTreeBackend)

    def _extra(self) -> dict[str, Any]:
        return self.backend.extra_kinds() if self._is_ours else {}

    def _front(self, source: KernelSource | Path) -> tuple[Any, dict, int]:
        """(what the next stage gets, metadata, number of stages that are done)."""
        if isinstance(source, KernelSource):
            return self._make_ir(source), self._metadata(), 0
        if self._is_ours:
            return source.read_text(), self._metadata(), 0
        return self._read(source)

    def _metadata(self) -> dict[str, Any]:
        return {"hash": "", "target": self.target, **vars(self.options)}

    def _context(self) -> Any:
        from triton._C.libtriton import ir

        context = ir.context()
        ir.load_dialects(context)
        self.backend.load_dialects(context)
        return context

    def _make_ir(self, source: KernelSource) -> Any:
        from triton.compiler import ASTSource

        names = source.function.arg_names
        attrs = {(names.index(n),): [["tt.divisibility", bytes_]] for n, bytes_ in source.alignments.items()}
        made = ASTSource(source.function, dict(source.signature), dict(source.constexprs), attrs)
        implementation = self.backend.get_codegen_implementation(self.options)
        modules = self.backend.get_module_map()
        return made.make_ir(self.target, self.options, implementation, modules, self._context())

    def _read(self, path: Path) -> tuple[Any, dict, int]:
        """As upstream does it: the stage that a file is named after is not run again."""
        from triton._C.libtriton import ir
        from triton.compiler.compiler import IRSource

        context = ir.context()
        made = IRSource(str(path), context, self.backend)
        found = made.parse_options()
        if found:
            self._with_options({**self._given, **found})
        module = made.make_ir(self.target, self.options, {}, {}, context)
        return module, self._metadata(), self.stages.index(made.ext) + 1


def text_of(value: Any, debug_info: bool = False) -> str | bytes:
    """What `Pipeline.lower` returned, as text or bytes. debug_info: keep the locations in modules."""
    if isinstance(value, (str, bytes)):
        return value
    if hasattr(value, "text"):
        return value.text(debug_info)
    if not debug_info and hasattr(value, "str_nodebug"):
        return value.str_nodebug()
    return str(value)
