# SPDX-License-Identifier: MIT
"""`make demo`: compiles and runs the tutorials and shows what came of it.

    python -m flagtree.tools.demo

Ends with exit status 1 when a result is wrong or a kernel failed, 2 for wrong usage, 130 when interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from flagtree.tools import tutorials
from flagtree.tools.console import FAILED, INTERRUPTED, USAGE, err, fail
from flagtree.tools.demo_fates import HintRow, hint_rows, other_targets
from flagtree.tools.demo_tables import Line, hints, results
from flagtree.tools.demo_warmup import warm_up
from flagtree.tools.interpreter import Interpreted, interpret
from flagtree.tools.measure import measure

#: What the interpreter may take for one case.
_INTERPRETER_SECONDS = 8.0
_WIDTH = 132

Step = Callable[[str], None]


def command(
    folder: Annotated[Path, typer.Option(help="folder of the tutorials")] = tutorials.FOLDER,
    fraction: Annotated[
        float, typer.Option(help="run the cases on this fraction of their size", min=1e-6, max=1.0)
    ] = 1.0,
    interpreter: Annotated[bool, typer.Option(help="time Triton's interpreter too")] = True,
    elsewhere: Annotated[
        bool, typer.Option(help="fates of the hints on targets without a device too")
    ] = True,
) -> None:
    """Compile and run the tutorials; show result, times and the fate of each hint."""
    try:
        files = tutorials.files(folder)
        with _empty_cache():
            lines, rows, device = _run(files, fraction, interpreter, elsewhere)
    except tutorials.TutorialError as error:
        fail(str(error), USAGE)
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    console.print(results(lines, device))
    console.print(hints(rows) if rows else "Hints: none was met")
    wrong = [line.case.name for line in lines if not line.right]
    if wrong:
        fail(f"not right: {', '.join(wrong)}", FAILED)


def _run(
    files: list[Path], fraction: float, interpreter: bool, elsewhere: bool
) -> tuple[list[Line], list[HintRow], str]:
    """Every tutorial in turn: (lines of the first table, of the second, the device in words)."""
    lines: list[Line] = []
    rows: list[HintRow] = []
    with _progress(len(files) * (2 + interpreter)) as step:
        step("choosing the device, loading the compiler")
        here, device = _device()
        others = other_targets() if elsewhere else {}
        for path in files:
            found = tutorials.cases(path, fraction)
            step(f"{path.stem}: compiling, checking, timing")
            measured = [_line(case) for case in found]
            step(f"{path.stem}: comparing IR with and without each hint")
            for line in measured:
                rows += hint_rows(line.case, here, others) if not line.failure else []
            times: list[Interpreted | None] = [None] * len(found)
            if interpreter:
                step(f"{path.stem}: Triton's interpreter")
                times = [*interpret(path, len(found), _INTERPRETER_SECONDS, fraction)]
            lines += [Line(m.case, m.measured, t, m.failure) for m, t in zip(measured, times, strict=True)]
    return lines, rows, device


def _line(case: tutorials.Case) -> Line:
    try:
        return Line(case, measure(case), None)
    except Exception as error:
        return Line(case, None, None, failure=f"{type(error).__name__}: {error}")


def _device() -> tuple[str, str]:
    """(name of the active target, the device and the versions in words)."""
    import torch
    import triton

    from flagtree.tools.facts import processor
    from flagtree.upstream import describe

    target = describe.current_target()
    device = triton.runtime.driver.active.get_active_torch_device()
    with contextlib.suppress(Exception):
        warm_up(device)  # what is wrong here is wrong for every case, and told there
    name = (
        torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else f"{processor()}, {torch.get_num_threads()} threads"
    )
    here = target.backend if device.type == "cpu" else f"{target.backend}:{target.arch}"
    return here, f"{device} ({name}), Triton {triton.__version__}, torch {torch.__version__}"


@contextlib.contextmanager
def _empty_cache() -> Iterator[None]:
    """A cache directory of the demo's own: what is called a first call is one."""
    kept = os.environ.get("TRITON_CACHE_DIR")
    with tempfile.TemporaryDirectory(prefix="flagtree-demo-", ignore_cleanup_errors=True) as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        try:
            yield
        finally:
            os.environ.pop("TRITON_CACHE_DIR")
            if kept is not None:
                os.environ["TRITON_CACHE_DIR"] = kept


@contextlib.contextmanager
def _progress(steps: int) -> Iterator[Step]:
    """A bar on a terminal, a line a step elsewhere."""
    console = err()
    if not console.is_terminal:
        yield console.print
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=steps + 1)

        def step(text: str) -> None:
            progress.update(task, description=text, advance=1)

        yield step


def main() -> None:
    """Entry point of `python -m flagtree.tools.demo`."""
    try:
        typer.run(command)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
