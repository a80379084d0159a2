# SPDX-License-Identifier: MIT
"""The `flagtree` command. One module a subcommand; each is imported when the command line is built, Triton later."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from flagtree.tools import compile as compile_command
from flagtree.tools import explain as explain_command
from flagtree.tools import info as info_command

app = typer.Typer(
    name="flagtree",
    help="Hints, backends and a launch runtime that attach to upstream Triton.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from flagtree.switches import version

        print(f"flagtree {version()}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="show the version")
    ] = False,
) -> None:
    """Without a subcommand there is nothing to do."""


app.command("info")(info_command.command)
app.command("compile")(compile_command.command)
app.command("explain")(explain_command.command)


def main() -> None:
    """Entry point of the console script. Ends with SystemExit: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not complain while it flushes.
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    main()
