# SPDX-License-Identifier: MIT
"""`flagtree explain`: what became of each hint of a kernel."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from flagtree.tools.console import USAGE, fail, note

_HELP = """Show what became of each hint of a kernel and of the functions it calls.

SOURCE is FILE.py::KERNEL, or FILE.py with a single kernel. The kernel is compiled with and without each hint; nothing
is launched, so a target needs no device. Types that are not given are read from the kernel, as in `flagtree compile`.

\b
    flagtree explain kernels.py::softmax --constexpr BLOCK=1024 --backend cuda:90
    flagtree explain kernels.py::softmax --constexpr BLOCK=1024 --backend cuda:90 --html report.html

Exit codes: 0 done, 1 the kernel cannot be compiled, 2 wrong usage."""

_WIDTH = 132


def command(
    source: Annotated[str, typer.Argument(help="FILE.py::KERNEL", show_default=False)],
    backend: Annotated[
        str | None, typer.Option(help="cpu, cuda:90, hip:gfx942, …; the active device when left out")
    ] = None,
    signature: Annotated[
        str | None, typer.Option(help='types: "*fp32,*fp32,i32,1024" or "x=*fp32,n=i32,BLOCK=1024"')
    ] = None,
    constexpr: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE; may be given several times")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(help="compile option NAME=VALUE (num_warps=8); may be given several times"),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="write a report with the IR around each hint")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the account as JSON")] = False,
) -> None:
    from flagtree.hints.account import Fate
    from flagtree.tools.compile import option_of, show_warning

    with warnings.catch_warnings():
        warnings.showwarning = show_warning
        asked = _Question(source, backend, signature, constexpr or [], dict(map(option_of, option or [])))
        found: list[Fate] = asked.fates()
        if html is not None:
            _write_report(html, asked, found)
    if as_json:
        print(json.dumps([_as_json(fate) for fate in found], indent=1, ensure_ascii=False))
    elif found:
        _console().print(_table(found, asked))
    else:
        note(f"{asked.name} has no hints")


command.__doc__ = _HELP


class _Question:
    """A kernel and what it is compiled for. Each mistake ends the command with its exit code."""

    def __init__(
        self,
        source: str,
        backend: str | None,
        signature: str | None,
        constants: list[str],
        options: dict[str, Any],
    ) -> None:
        from flagtree.tools.kernel_file import KernelFileError, KernelImportError, load_kernel, split
        from flagtree.tools.signature import SignatureError, resolve
        from flagtree.tools.target import TargetError, parse_target
        from flagtree.upstream.parameters import first_configuration

        try:
            self.target = parse_target(backend)
            path, name = split(source)
            self.name, self.kernel = load_kernel(path, name)
            self.types = resolve(self.kernel, self.name, signature, constants)
        except KernelImportError as error:
            fail(str(error))
        except (TargetError, KernelFileError, SignatureError) as error:
            fail(str(error), USAGE)
        if self.types.assumed:
            note(f"types of {self.name}: {self.types} (assumed: {', '.join(self.types.assumed)})")
        self.options = {**first_configuration(self.kernel)[1], **options}

    @property
    def target_name(self) -> str:
        """As `--backend` spells it."""
        return f"{self.target.backend}:{self.target.arch}"

    def fates(self) -> list[Any]:
        """The account."""
        from flagtree.hints.account import fates
        from flagtree.hints.mode import HintMode, mode

        if mode() is HintMode.OFF:
            fail("FLAGTREE_HINTS=off makes hints comments; unset it to see what they do", USAGE)
        try:
            return fates(self.kernel, self.types.types, self.types.constexprs, self.target, self.options)
        except Exception as error:
            from flagtree.tools.compile import explain_failure

            fail(explain_failure(error, self.name, self.kernel, self.target.backend))


def _write_report(path: Path, asked: _Question, found: list[Any]) -> None:
    from flagtree.tools.explain_html import page
    from flagtree.tools.explain_steps import steps_of

    steps = steps_of(asked.kernel, asked.types, asked.target, asked.options, found)
    try:
        path.write_text(page(asked.name, asked.target_name, found, steps), encoding="utf-8")
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}")
    note(f"report: {path}")


def _table(found: list[Any], asked: _Question) -> Table:
    from flagtree.tools.hint_words import hint_text, in_words, statement_of

    title = f"Hints of {asked.name} on {asked.target_name}"
    table = Table(title=title, title_style="bold")
    several = len({fate.function for fate in found}) > 1
    if several:
        table.add_column("function", no_wrap=True)
    table.add_column("line", justify="right", no_wrap=True)
    for name in ("source", "hint", "what became of it"):
        table.add_column(name)
    for fate in found:
        cells = [Text(statement_of(fate)), hint_text(fate), in_words(fate, with_reason=True)]
        table.add_row(*([Text(fate.function)] if several else []), str(fate.line), *cells)
    return table


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH)


def _as_json(fate: Any) -> dict[str, Any]:
    return {
        "function": fate.function,
        "file": fate.file,
        "line": fate.line,
        "hint": fate.text,
        "status": fate.status.value,
        "reason": fate.reason,
    }
