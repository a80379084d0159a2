# SPDX-License-Identifier: MIT
"""How the commands talk: results on stdout, notes and errors on stderr, and the exit codes."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text

#: Exit codes of every command.
FAILED, USAGE, INTERRUPTED = 1, 2, 130


def out() -> Console:
    """stdout; colours only on a terminal."""
    return Console(soft_wrap=True, highlight=False)


def err() -> Console:
    """stderr; colours only on a terminal."""
    return Console(stderr=True, soft_wrap=True, highlight=False)


def note(message: str) -> None:
    """A remark beside the result."""
    err().print(Text(message, style="dim"))


def fail(message: str, code: int = FAILED) -> NoReturn:
    """Say what is wrong and leave with `code`."""
    text = Text("error: ", style="bold red")
    text.append(message, style="default not bold")
    err().print(text)
    raise typer.Exit(code)
