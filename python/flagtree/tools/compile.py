# SPDX-License-Identifier: MIT
"""`flagtree compile`: a kernel's IR at any level, or its machine code, with no launch and no device needed."""

from __future__ import annotations

import ast
import contextlib
import difflib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from flagtree.tools.console import USAGE, fail, note

_HELP = """Compile a kernel and show its IR or machine code.

SOURCE is FILE.py::KERNEL, FILE.py with a single kernel, or a file of Triton IR (.ttir, .mlir). Nothing is launched,
so a target needs no device. Types that are not given are read from the kernel: what an address is computed from is a
pointer to fp32, everything else i32.

\b
    flagtree compile kernels.py::add --constexpr BLOCK=1024 --emit linalg
    flagtree compile kernels.py::add --signature "*fp16,*fp16,*fp16,i32,1024"
    flagtree compile kernels.py::add --constexpr BLOCK=1024 --backend cuda:90 --emit ptx -o add.ptx

Exit codes: 0 done, 1 the kernel cannot be compiled, 2 wrong usage."""


def command(
    source: Annotated[str, typer.Argument(help="FILE.py::KERNEL or a file of Triton IR", show_default=False)],
    emit: Annotated[
        str,
        typer.Option(help="what to show: source (the front end's IR), ttir, linalg, llir, asm, obj, ptx, …"),
    ] = "ttir",
    signature: Annotated[
        str | None, typer.Option(help='types: "*fp32,*fp32,i32,1024" or "x=*fp32,n=i32:16,BLOCK=1024"')
    ] = None,
    constexpr: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE; may be given several times")
    ] = None,
    backend: Annotated[
        str | None, typer.Option(help="cpu, cuda:90, hip:gfx942, …; the active device when left out")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(help="compile option NAME=VALUE (num_warps=8); may be given several times"),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="file to write; - is stdout")] = None,
    locations: Annotated[bool, typer.Option("--locations", help="keep source locations in the IR")] = False,
) -> None:
    from flagtree.tools.kernel_file import IR_SUFFIXES, KernelFileError, split
    from flagtree.tools.show import show

    try:
        path, kernel = split(source)
    except KernelFileError as error:
        fail(str(error), USAGE)
    is_ir = path.suffix in IR_SUFFIXES
    if is_ir and (kernel or signature or constexpr):
        fail(
            f"{path} is IR: it has its types and its kernel, so give no kernel, signature or constexpr", USAGE
        )
    with warnings.catch_warnings():
        warnings.showwarning = show_warning
        recipe = _Recipe(backend, emit, option or [])
        if is_ir:
            artefact = recipe.from_file(path, locations)
        else:
            artefact = recipe.from_kernel(path, kernel, signature, constexpr or [], locations)
    show(artefact, emit, output)


command.__doc__ = _HELP


class _Recipe:
    """What to make: target, kind of artefact, options. Each mistake ends the command with its exit code."""

    def __init__(self, backend: str | None, emit: str, options: list[str]) -> None:
        from flagtree.tools.target import TargetError, parse_target

        try:
            self.target = parse_target(backend)
        except TargetError as error:
            fail(str(error), USAGE)
        self.emit = emit
        self.options = dict(option_of(text) for text in options)
        self._check()

    def from_file(self, path: Path, locations: bool) -> str | bytes:
        """The artefact of a file of IR."""
        from flagtree.tools.kernel_file import IR_SUFFIXES

        pipeline = self._pipeline({})
        stage = IR_SUFFIXES[path.suffix]
        if stage not in pipeline.stages:
            fail(
                f"{path}: {self.target.backend} has no stage {stage}; its stages are {', '.join(pipeline.stages)}",
                USAGE,
            )
        with _named_after(path, stage) as file:
            return self._lower(pipeline, file, path.name, None, locations)

    def from_kernel(
        self, path: Path, name: str | None, signature: str | None, constants: list[str], locations: bool
    ) -> str | bytes:
        """The artefact of a kernel in a Python file."""
        from flagtree.tools.kernel_file import KernelFileError, KernelImportError, load_kernel
        from flagtree.tools.signature import SignatureError, resolve
        from flagtree.upstream.lower import KernelSource
        from flagtree.upstream.parameters import first_configuration
        from flagtree.upstream.probe import jit_function

        try:
            name, kernel = load_kernel(path, name)
            resolved = resolve(kernel, name, signature, constants)
        except KernelImportError as error:
            fail(str(error))
        except (KernelFileError, SignatureError) as error:
            fail(str(error), USAGE)
        if resolved.assumed:
            note(
                f"types of {name}: {resolved} (assumed: {', '.join(resolved.assumed)}; --signature gives others)"
            )
        _, configured = first_configuration(kernel)
        made = KernelSource(jit_function(kernel), resolved.types, resolved.constexprs, resolved.alignments)
        return self._lower(self._pipeline(configured), made, name, kernel, locations)

    def _check(self) -> None:
        """End the command when the backend knows no such option or kind of artefact."""
        pipeline = self._pipeline({})
        known = pipeline.option_names()
        for given in self.options:
            if given not in known:
                near = difflib.get_close_matches(given, known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                fail(
                    f"--option: {self.target.backend} has no option {given!r}{hint} (it has {', '.join(known)})",
                    USAGE,
                )
        if self.emit not in pipeline.kinds:
            fail(f"--emit {self.emit}: {self.target.backend} can emit {', '.join(pipeline.kinds)}", USAGE)

    def _pipeline(self, configured: dict[str, Any]) -> Any:
        from flagtree.upstream.lower import Pipeline

        try:
            return Pipeline(self.target, {**configured, **self.options})
        except Exception as error:
            fail(
                f"target {self.target.backend}:{self.target.arch} with these options is refused: {error}",
                USAGE,
            )

    def _lower(self, pipeline: Any, source: Any, name: str, kernel: Any, locations: bool) -> str | bytes:
        from flagtree.upstream.lower import text_of

        try:
            return text_of(pipeline.lower(source, self.emit), locations)
        except Exception as error:
            fail(explain_failure(error, name, kernel, self.target.backend))


def explain_failure(error: Exception, name: str, kernel: Any, backend: str) -> str:
    """The message of a failed compile: kernel, line, operation, remedy."""
    from flagtree.compiler.errors import KernelCompileError
    from flagtree.compiler.native import NativeLibraryError

    if isinstance(error, (KernelCompileError, NativeLibraryError)):
        return str(error)
    head = f"kernel `{name}` cannot be compiled for {backend}"
    if kernel is not None:
        from flagtree.upstream.compile_error import explain_front_end

        place = explain_front_end(error, kernel)
        if place is not None:
            return f"{head}\n  {place}\n  change that line, or give other types with --signature"
    return f"{head}\n  {type(error).__name__}: {str(error).strip() or 'no reason was given'}"


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning without the line of Triton that gave it."""
    note(f"warning: {message}")


def option_of(text: str) -> tuple[str, Any]:
    """NAME=VALUE of an --option."""
    name, separator, value = text.partition("=")
    if not separator:
        fail(f"--option {text!r}: write NAME=VALUE, for example num_warps=8", USAGE)
    try:
        return name.strip(), ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name.strip(), value


@contextlib.contextmanager
def _named_after(path: Path, stage: str) -> Iterator[Path]:
    """`path`, or a copy of it whose suffix is the stage's name, which is what upstream goes by."""
    if path.suffix == f".{stage}":
        yield path
        return
    folder = tempfile.mkdtemp(prefix="flagtree-compile-")
    try:
        yield Path(shutil.copy(path, os.path.join(folder, f"{path.stem}.{stage}")))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
