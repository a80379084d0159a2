# SPDX-License-Identifier: MIT
"""Kernels from text, their IR before any pass, and what the front end saw of their hints."""

from __future__ import annotations

import io
import linecache
import textwrap
from typing import Any

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from flagtree.hints.ledger import Sighting, collect

CPU = GPUTarget("cpu", "x86_64", 1)
HOPPER = GPUTarget("cuda", 90, 32)
MI300 = GPUTarget("hip", "gfx942", 64)

_count = 0


def kernel_of(source: str, name: str = "kernel", file: str = "", **names: Any) -> Any:
    """The object `name` that `source` defines, with triton, tl and `names` at hand; `file` is what it claims to be."""
    global _count
    _count += 1
    file = file or f"/kernels/from_text_{_count}.py"
    text = textwrap.dedent(source).lstrip("\n")
    # Not `splitlines`: files are cut at line feeds, whatever else a comment holds.
    linecache.cache[file] = (len(text), None, list(io.StringIO(text)), file)
    scope = {"triton": triton, "tl": tl, "__name__": "from_text", **names}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def signature_of(kernel: Any) -> dict[str, str]:
    """By the names of the parameters: capitals are constants, n and m numbers, the others pointers."""
    types = {name: "constexpr" if name.isupper() else "*fp32" for name in kernel.arg_names}
    types.update({name: "i32" for name in ("n", "m") if name in types})
    return types


def module_of(kernel: Any, target: Any = HOPPER, **constants: Any) -> Any:
    """TTIR as the front end makes it, before any pass; no cache and no device are involved."""
    return front_end_of(kernel, signature_of(kernel), constants, target)


def front_end_of(kernel: Any, types: dict[str, str], constants: dict[str, Any], target: Any) -> Any:
    """As `module_of`, with the types of the parameters given."""
    source = ASTSource(kernel, types, constants)
    backend = make_backend(target)
    options = backend.parse_options({"enable_fp_fusion": True})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    functions = backend.get_codegen_implementation(options)
    return source.make_ir(target, options, functions, backend.get_module_map(), context)


def sightings(kernel: Any, target: Any = HOPPER, **constants: Any) -> list[Sighting]:
    """What the front end saw of each hint of `kernel`, in no mode's way."""
    with collect(quiet=True) as book:
        module_of(kernel, target, **constants)
    return sorted(book.sightings, key=lambda s: (s.hint.line, s.hint.column))
