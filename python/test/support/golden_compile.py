# SPDX-License-Identifier: MIT
"""Kernels compiled as at a launch, but for one processor, so that every machine of its architecture makes the same."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

from golden_kernels import CASES, Case
from golden_rules import Program

#: AVX2 and FMA: the least that a server of today has.
CPU = "x86-64-v3"
#: Bytes from which stores bypass the cache; the machine's own would get into the code.
STREAMING_BYTES = 24 << 20
STAGES = ("ttir", "linalg", "llir")


@dataclass(frozen=True)
class Compiled:
    """text: the optimised LLVM IR; obj: the object file."""

    text: str
    program: Program
    obj: bytes

    def figures(self) -> dict[str, int]:
        """What the budget records of a kernel."""
        return {
            "object_bytes": len(self.obj),
            "instructions": sum(1 for _ in self.program.function.instructions()),
            "steady_instructions": self.program.steady_instructions(),
        }


@functools.cache
def compiled(name: str) -> Compiled:
    """A kernel of `CASES`. FLAGTREE_CPU has to be `CPU`, and the host's streaming_bytes `STREAMING_BYTES`."""
    return compile_case(CASES[name])


def compile_case(case: Case) -> Compiled:
    from flagtree.backends.cpu.stages import Stages

    options = _options()
    launched = case.kernel.warmup(*case.arguments(), **case.constants, grid=(1,))
    name = launched.metadata.name
    stages, metadata = Stages(options), {"name": name}
    value: Any = str(launched.asm["ttir"])
    for stage in STAGES:
        value = getattr(stages, stage)(value, metadata)
    text = value.module.emit("llir-opt", cpu=CPU).decode()
    return Compiled(text, Program(text, name), value.module.emit("obj", cpu=CPU))


def pass_counts() -> dict[str, int]:
    """Passes that each stage runs."""
    from flagtree.backends.cpu import pipeline
    from flagtree.compiler.pass_manager import PassManager

    counts = {}
    for stage in STAGES:
        manager = PassManager()
        getattr(pipeline, stage)(manager, _options())
        counts[stage] = passes_in(str(manager))
    return counts


def passes_in(pipeline: str) -> int:
    """Passes of a textual pipeline: all its names but those of the operations that passes are nested in."""
    text, last = pipeline, ""
    while text != last:
        text, last = re.sub(r"\{[^{}]*\}", "", text), text
    return len(re.findall(r"[-\w.]+(?=[,)]|$)", text))


def _options() -> Any:
    from flagtree.backends.cpu.options import parse

    return parse({}, "x86_64")
