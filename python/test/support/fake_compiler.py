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


class FakeCompiler:
    """Has the names of the real module; `compiled` counts, `failing` makes a stage fail."""

    CompileError = CompileError

    def __init__(self) -> None:
        self.compiled: list[str] = []
        self.pipelines: list[str] = []
        self.emitted: list[tuple[str, str, str]] = []
        self.closed: list[str] = []
        self.kernels: dict[str, Any] = {}
        self.failing: dict[str, Exception] = {}
        self.table: list[dict] = []
        outer = self

        class Module:
            def __init__(self, text: str) -> None:
                self.body = text

            @staticmethod
            def parse(text: str, name: str = "<ttir>") -> Module:
                if "parse" in outer.failing:
                    raise outer.failing["parse"]
                outer.compiled.append(name)
                return Module(text)

            def kernel_name(self) -> str:
                return re.search(r"tt\.func public @(\w+)", self.body)[1]

            def run(self, pipeline: str) -> None:
                if "run" in outer.failing:
                    raise outer.failing["run"]
                outer.pipelines.append(pipeline)

            def emit(self, kind: str, triple: str = "", cpu: str = "", features: str = "") -> bytes:
                if kind in outer.failing:
                    raise outer.failing[kind]
                outer.emitted.append((kind, cpu, features))
                return f"; {kind} of {self.kernel_name()}".encode()

            def __str__(self) -> str:
                return self.body

        class Program:
            def __init__(self, obj: bytes, symbol: str) -> None:
                if "load" in outer.failing:
                    raise outer.failing["load"]
                assert obj.startswith(b"; obj of"), obj
                self.symbol = symbol
                self.address = ctypes.cast(outer.kernels[symbol], ctypes.c_void_p).value

            def close(self) -> None:
                outer.closed.append(self.symbol)

        self.Module, self.Program = Module, Program

    def passes(self) -> list[dict]:
        return self.table

    def load_plugin(self, path: str) -> None:
        raise RuntimeError(f"{path} is no plugin")

    def define(self, name: str, kernel: Kernel) -> None:
        """`kernel(args, grid, begin, end)` is what the kernel `name` does when it is launched."""
        self.kernels[name] = KERNEL_ABI(kernel)


def floats(address: int, count: int) -> Any:
    """`count` fp32 elements at `address`, writable."""
    return (ctypes.c_float * count).from_address(address)
