# SPDX-License-Identifier: MIT
"""Kernels given as text, compiled for GPUs that are not there."""

from __future__ import annotations

import re
from typing import Any

import triton
from source_kernels import kernel_of
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from flagtree.hints import passes

HEAD = """
@triton.jit
def kernel(x, o, n, B: tl.constexpr):"""

TARGETS = {
    "sm80": GPUTarget("cuda", 80, 32),
    "sm90": GPUTarget("cuda", 90, 32),
    "sm100": GPUTarget("cuda", 100, 32),
    "gfx90a": GPUTarget("hip", "gfx90a", 64),
    "gfx942": GPUTarget("hip", "gfx942", 64),
    "gfx950": GPUTarget("hip", "gfx950", 64),
}
_NOISE = re.compile(
    r"(?m)^\s*(?:\.loc|\.file|//|;|\.section|\.b8|\.b32|\.b64|\$L__tmp|\.Ltmp|\.Lfunc).*$|\s*(?://|;).*$"
)


def build(
    text: str,
    target: GPUTarget,
    *,
    element: str = "bf16",
    block: int = 2048,
    aligned: bool = True,
    **options: Any,
) -> tuple[Any, list[passes.PassRecord]]:
    """(compiled kernel, records of its hint passes) for pointers to `element`, result fp32."""
    signature = {"x": f"*{element}", "o": "*fp32", "n": "i32", "B": "constexpr"}
    attributes = {(i,): [["tt.divisibility", 16]] for i in range(3 if aligned else 2)}
    source = ASTSource(kernel_of(text), signature, {"B": block}, attributes)
    already = passes.current()
    with knobs.compilation.scope():
        knobs.compilation.always_compile = True
        if already is not None:
            return triton.compile(source, target=target, options={"num_warps": 4, **options}), already.records
        with passes.collect() as book:
            compiled = triton.compile(source, target=target, options={"num_warps": 4, **options})
    return compiled, book.records


def assembly(compiled: Any) -> str:
    """The PTX or AMDGCN of a kernel without what tells of source lines."""
    text = next(compiled.asm[stage] for stage in ("ptx", "amdgcn") if stage in compiled.asm)
    return "\n".join(line.rstrip() for line in _NOISE.sub("", text).splitlines() if line.strip())
