# SPDX-License-Identifier: MIT
"""What a person sees when a kernel cannot be compiled: kernel, source line, operation, remedy."""

from __future__ import annotations

import re
from typing import Any

from triton.errors import TritonError

_OPERATION = re.compile(r"(?:'|\bop: )([a-z_]+\.[\w.]+)")
#: What to write instead of operations that no CPU will ever have.
_GPU_ONLY = (
    (
        re.compile(r"tt\.elementwise_inline_asm$"),
        "assembly of a GPU cannot run here: write the line with operations of triton.language, or keep it for GPUs "
        "behind a `tl.constexpr` parameter",
    ),
    (
        re.compile(r"(ttg|ttng|nvgpu|nvvm|amdg|rocdl|gluon)\."),
        "it belongs to the layouts and memories of a GPU: write the kernel with triton.language instead of Gluon",
    ),
)
_INTERPRETER = "TRITON_INTERPRET=1 runs the kernel in Triton's interpreter meanwhile"


class KernelCompileError(TritonError, RuntimeError):
    """A kernel that FlagTree could not compile.

    kernel:      its name
    stage:       where it failed: "parse" (the text could not be read), "ttir", "linalg", …
    diagnostics: list of dict(severity, file, line, column, message), as the library gave them
    """

    def __init__(
        self, message: str, kernel: str = "", stage: str = "", diagnostics: list[dict] | None = None
    ) -> None:
        super().__init__(message)
        self.kernel = kernel
        self.stage = stage
        self.diagnostics = diagnostics or []

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.kernel, self.stage, self.diagnostics)


def explain(error: Exception, kernel: str, stage: str, backend: str) -> KernelCompileError:
    """Turn the library's CompileError into one that names kernel, source line, operation and a remedy."""
    diagnostics = list(getattr(error, "diagnostics", None) or [])
    first = next(
        (d for d in diagnostics if d.get("severity") == "error"), diagnostics[0] if diagnostics else None
    )
    message = (first["message"] if first else str(error)).strip()
    operation = _OPERATION.search(message)
    lines = [f"kernel `{kernel}` cannot be compiled for {backend} (stage {stage})"]
    lines.append(f"  {_place(first)}{message}")
    lines += [f"  {_place(d)}{d['message'].strip()}" for d in diagnostics if d is not first]
    lines.append(f"  {_remedy(operation[1] if operation else None, stage, _triton_version())}")
    return KernelCompileError("\n".join(lines), kernel, stage, diagnostics)


def _place(diagnostic: dict | None) -> str:
    if not diagnostic or not diagnostic.get("file") or not diagnostic.get("line"):
        return ""
    return f"{diagnostic['file']}:{diagnostic['line']}:{diagnostic.get('column') or 1}: "


def _remedy(operation: str | None, stage: str, triton_version: str) -> str:
    if stage == "parse":
        return (
            f"the IR of Triton {triton_version} could not be read; report it with the kernel. {_INTERPRETER}"
        )
    if operation is not None:
        for pattern, advice in _GPU_ONLY:
            if pattern.match(operation):
                return f"`{operation}`: {advice}"
        return (
            f"`{operation}` does not work here yet: write the line without it, or report it. {_INTERPRETER}"
        )
    return f"report it with the kernel. {_INTERPRETER}"


def _triton_version() -> str:
    import triton

    return getattr(triton, "__version__", "unknown")
