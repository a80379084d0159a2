# SPDX-License-Identifier: MIT
"""`flagtree info`: what is installed, what is active and why, and what is switched off."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from flagtree.tools.console import out


def command(
    as_json: Annotated[bool, typer.Option("--json", help="print the same as JSON")] = False,
) -> None:
    """Show versions, backends, devices, toolchains, caches, seams, and what is switched off."""
    from flagtree.tools.facts import collect

    facts = collect()
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    console = out()
    for title, rows in _sections(facts):
        _print(console, title, rows)


def _sections(facts: dict[str, Any]) -> Iterable[tuple[str, list[tuple[str, ...]]]]:
    """Title → rows of cells. A section that could not be answered is one row with the reason."""
    makers = {
        "versions": ("Versions", lambda f: list(f.items())),
        "active": ("Active device", lambda f: [(f["backend"], f["why"])]),
        "backends": ("Backends", lambda f: [_backend(b) for b in f]),
        "devices": ("Devices", lambda f: [tuple(d.split(": ", 1)) for d in f]),
        "seams": ("Attached to Triton", lambda f: list(f.items())),
        "toolchains": ("Toolchains", lambda f: [(t["name"], t["version"], t["path"]) for t in f]),
        "caches": ("Caches", lambda f: [_cache(c) for c in f]),
        "environment": ("Environment", lambda f: list(f.items()) or [("no FLAGTREE_* variable is set",)]),
        "switched_off": ("Switched off", lambda f: [tuple(s.split(": ", 1)) for s in f] or [("nothing",)]),
    }
    for name, (title, make) in makers.items():
        section = facts[name]
        failed = isinstance(section, dict) and set(section) == {"error"}
        yield title, [("error", section["error"])] if failed else make(section)


def _backend(backend: dict[str, Any]) -> tuple[str, ...]:
    stages = " → ".join(backend["stages"]) or backend.get("error", "")
    native = "" if backend["native"] == "not needed" else f"native part {backend['native']}"
    return backend["name"], backend["by"], f"device {backend['device']}", backend["target"], stages, native


def _cache(cache: dict[str, Any]) -> tuple[str, ...]:
    size = f"{cache['bytes'] / 1e6:.1f} MB in {cache['files']} files"
    return cache["holds"], size, cache["path"] + ("" if cache["writable"] else " (not writable)")


def _print(console: Console, title: str, rows: list[tuple[str, ...]]) -> None:
    """Columns as wide as their cells; a line that is longer than the terminal is the terminal's to break."""
    console.print(Text(title, style="bold cyan"))
    columns = max(len(row) for row in rows)
    widths = [max((len(row[i]) for row in rows if i < len(row) - 1), default=0) for i in range(columns)]
    for row in rows:
        line = Text("  ")
        for index, cell in enumerate(row):
            text = cell if index == len(row) - 1 else cell.ljust(widths[index]) + "  "
            line.append(text, style="bold" if index == 0 else _style(cell))
        line.rstrip()
        console.print(line)


def _style(cell: str) -> str:
    if cell in ("attached", "native part loads", "device present"):
        return "green"
    return "yellow" if cell in ("off", "not found", "not installed") or "cannot be loaded" in cell else ""
