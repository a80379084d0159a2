# SPDX-License-Identifier: MIT
"""Put an artefact where it belongs: coloured on a terminal, plain through a pipe, whole or not at all in a file."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from flagtree.tools.console import USAGE, fail, out

#: Kind → name of a Pygments lexer. What is not listed is MLIR.
_LEXERS = {"llir": "llvm", "asm": "gas", "ptx": "ptx", "amdgcn": "amdgpu"}


def show(artefact: str | bytes, kind: str, path: Path | None) -> None:
    """Write to `path`, else to stdout. Bytes that are no text are refused on a terminal (exit code 2)."""
    text = _as_text(artefact, kind)
    if path is not None and str(path) != "-":
        _write(path, artefact if isinstance(artefact, bytes) else artefact.encode())
    elif text is None:
        _binary_to_stdout(artefact, kind)
    elif sys.stdout.isatty():
        out().print(_highlighted(text, kind))
    else:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()


def _as_text(artefact: str | bytes, kind: str) -> str | None:
    if isinstance(artefact, str):
        return artefact
    if kind not in _LEXERS:
        return None
    return artefact.decode(errors="replace")


def _binary_to_stdout(artefact: Any, kind: str) -> None:
    if sys.stdout.isatty():
        fail(f"{kind} is {len(artefact)} bytes of binary code: write it to a file with -o PATH", USAGE)
    sys.stdout.buffer.write(artefact)
    sys.stdout.buffer.flush()


def _highlighted(text: str, kind: str) -> Any:
    from rich.syntax import Syntax

    from flagtree.tools.mlir_lexer import MLIRLexer

    lexer = _LEXERS.get(kind) or MLIRLexer()
    return Syntax(text.rstrip("\n"), lexer, theme="ansi_dark", word_wrap=False, background_color="default")


def _write(path: Path, content: bytes) -> None:
    """Replace the file at once, so that nobody ever sees half of it; devices and pipes are written to."""
    temporary: str | None = None
    path = Path(os.path.realpath(path))  # a link stays a link
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}", USAGE)
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
