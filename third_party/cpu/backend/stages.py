# SPDX-License-Identifier: MIT
"""The four stages, each over one module of libFlagTree."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flagtree.backends.cpu import hint_notes, pipeline
from flagtree.backends.cpu.host import requested_cpu
from flagtree.compiler import native
from flagtree.compiler.blob import seal
from flagtree.compiler.errors import KernelCompileError, explain
from flagtree.compiler.pass_manager import PassManager
from flagtree.hints import passes

#: A structured write through an argument of the kernel; what is scattered has no one argument.
_STORE = re.compile(r"\bflir\.(?:store|atomic_rmw) [^,]+, %arg(\d+)\[")

#: The attribute of operations that have hints.
_HINTS = "flagtree_hints"

_Passes = Callable[[PassManager, Any], None]


class LLVMText(str):
    """LLVM IR as text, with the module it was made from at hand, so that nothing is parsed twice."""

    module: Any = None


class Stages:
    """Stage functions as upstream calls them: (what came before, metadata) → what the next one gets."""

    def __init__(self, options: Any) -> None:
        self.options = options
        #: False once a stage has seen that the module has no hints.
        self._may_have_hints = True

    def ttir(self, source: Any, metadata: dict) -> Any:
        """Upstream's module, or TTIR text → our module, cleaned up. Sets the metadata that upstream needs."""
        module = _as_module(source, str(metadata.get("name") or "kernel"))
        metadata["name"] = module.kernel_name()
        metadata["shared"] = 0
        return self._run(pipeline.ttir, "ttir", module, metadata)

    def linalg(self, source: Any, metadata: dict) -> Any:
        """TTIR → linalg on tensors."""
        module = _as_module(source, str(metadata.get("name") or "kernel"))
        metadata.setdefault("shared", 0)
        if not metadata.get("name"):
            metadata["name"] = module.kernel_name()
        self._run(pipeline.linalg, "linalg", module, metadata)
        text = str(module)
        self._may_have_hints = _HINTS in text
        metadata["written"] = sorted({int(number) for number in _STORE.findall(text)})
        return module

    def llir(self, source: Any, metadata: dict) -> LLVMText:
        """linalg → LLVM IR, as text. What a hint asks for cannot make it fail: it is done without hints then."""
        module = _as_module(source, metadata["name"])
        if not self._may_have_hints:
            return self._lowered(pipeline.llir, module, metadata)
        backup = module.clone()
        try:
            text = self._lowered(pipeline.llir, module, metadata)
            passes.add(hint_notes.records(module, metadata["name"]))
        except KernelCompileError as error:
            told = hint_notes.taken_back(module, metadata["name"], "llir", error)
            if not told:
                raise
            text = self._lowered(pipeline.llir_without_hints, backup, metadata)
            passes.add(told)
        return text

    def _lowered(self, add: _Passes, module: Any, metadata: dict) -> LLVMText:
        self._run(add, "llir", module, metadata)
        text = LLVMText(self._emit(module, "llir", metadata).decode())
        text.module = module
        metadata["distinct"] = _pairs(module.kernel_attribute("flir.distinct"))
        return text

    def obj(self, source: Any, metadata: dict) -> bytes:
        """LLVM IR → sealed object code for the CPU asked for, else the host."""
        module = getattr(source, "module", None)
        if module is None:
            raise TypeError(
                f"kernel `{metadata['name']}`: the obj stage needs the llir stage's own result; LLVM IR that was "
                "overridden from a file is not supported on the cpu backend. Override the ttir instead"
            )
        return seal(self._emit(module, "obj", metadata))

    def _run(self, add: _Passes, stage: str, module: Any, metadata: dict) -> Any:
        pm = PassManager()
        add(pm, self.options)
        try:
            pm.run(module)
        except native.compiler().CompileError as error:
            raise explain(error, metadata["name"], stage, "cpu") from None
        return module

    def _emit(self, module: Any, kind: str, metadata: dict) -> bytes:
        cpu, features = requested_cpu()
        try:
            return module.emit(kind, cpu=cpu, features=features)
        except native.compiler().CompileError as error:
            raise explain(error, metadata["name"], kind, "cpu") from None


def _pairs(attribute: str) -> list[list[int]]:
    """[[read, written, low, high], …] of `array<i64: …>`, four numbers a pair."""
    numbers = [int(number) for number in re.findall(r"\d+", attribute.partition(":")[2])]
    return [numbers[at : at + 4] for at in range(0, len(numbers), 4)]


def assembly(llvm: LLVMText) -> bytes:
    """Assembly of what the llir stage gave, for the CPU asked for, else the host."""
    cpu, features = requested_cpu()
    return llvm.module.emit("asm", cpu=cpu, features=features)


def _as_module(source: Any, name: str) -> Any:
    """Our module as it is; anything else through its text, which is the boundary to upstream's MLIR."""
    library = native.compiler()
    if source is None:
        raise TypeError(
            f"kernel `{name}`: a stage was overridden from a file that Triton cannot read; override ttir"
        )
    if isinstance(source, library.Module):
        return source
    try:
        return library.Module.parse(str(source), name=name)
    except library.CompileError as error:
        raise explain(error, name, "parse", "cpu") from None
