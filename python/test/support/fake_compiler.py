# SPDX-License-Identifier: MIT
"""A stand-in for `flagtree._native.compiler`: the glue around it can be tested without compiling anything.

"Object code" is the kernel's name; loading it gives the address of a Python function registered here under that
name, with the ABI of a compiled kernel.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

KERNEL_ABI = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ctypes.c_int32),
    ctypes.c_int64,
    ctypes.c_int64,
)

Kernel = Callable[[Any, Any, int, int], None]


class CompileError(RuntimeError):
    diagnostics: list[dict]


def failure(message: str, **place: Any) -> CompileError:
    error = CompileError(message)
    defaults = {"severity": "error", "file": "", "line": 0, "column": 0}
    error.diagnostics = [{**defaults, **place, "message": message}]
    return error


class FakeModule:
    """A module is the text it was parsed from."""

    def __init__(self, owner: FakeCompiler, text: str) -> None:
        self.owner = owner
        self.body = text

    def kernel_name(self) -> str:
        return re.search(r"tt\.func public @(\w+)", self.body)[1]

    def kernel_attribute(self, name: str) -> str:
        return ""

    def clone(self) -> FakeModule:
        return FakeModule(self.owner, self.body)

    def run(self, pipeline: str) -> None:
        self.owner.fail("run")
        self.owner.pipelines.append(pipeline)

    def emit(self, kind: str, triple: str = "", cpu: str = "", features: str = "") -> bytes:
        self.owner.fail(kind)
        self.owner.emitted.append((kind, cpu, features))
        return f"; {kind} of {self.kernel_name()}".encode()

    def __str__(self) -> str:
        return self.body


class FakeCompiler:
    """Has the names of the real module; `compiled` counts, `failing` makes a stage fail."""

    CompileError = CompileError

    def __init__(self) -> None:
        self.compiled: list[str] = []
        self.pipelines: list[str] = []
        self.emitted: list[tuple[str, str, str]] = []
        self.closed: list[str] = []
        self.kernels: dict[str, Any] = {}
        self.failing: dict[str, BaseException] = {}
        self.table: list[dict] = []
        self.plugins: list[str] = []
        self.Module = _module_class(self)
        self.Program = _program_class(self)

    def fail(self, what: str) -> None:
        if what in self.failing:
            raise self.failing[what]

    def passes(self) -> list[dict]:
        return self.table

    def pass_exists(self, argument: str) -> bool:
        return argument == "theirs-alone"

    def load_plugin(self, path: str) -> None:
        self.fail("plugin")
        self.plugins.append(path)

    def define(self, name: str, kernel: Kernel) -> None:
        """`kernel(args, grid, begin, end)` is what the kernel `name` does when it is launched."""
        self.kernels[name] = KERNEL_ABI(kernel)


def _module_class(owner: FakeCompiler) -> type:
    class Module(FakeModule):
        @staticmethod
        def parse(text: str, name: str = "<ttir>") -> Module:
            owner.fail("parse")
            owner.compiled.append(name)
            return Module(owner, text)

    return Module


def _program_class(owner: FakeCompiler) -> type:
    class Program:
        def __init__(self, obj: bytes, symbol: str) -> None:
            owner.fail("load")
            assert obj.startswith(b"; obj of"), obj
            self.symbol = symbol
            self.address = ctypes.cast(owner.kernels[symbol], ctypes.c_void_p).value

        def close(self) -> None:
            owner.closed.append(self.symbol)

    return Program


def floats(address: int, count: int) -> Any:
    """`count` fp32 elements at `address`, writable."""
    return (ctypes.c_float * count).from_address(address)
