# SPDX-License-Identifier: MIT
"""What every benchmark shares: paired timing, bars, a table, a JSON file and the closing line."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass
class Row:
    """One measured figure. `bar` is the least value allowed, or with `at_most` the greatest; None: no bar."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    bar: float | None = None
    at_most: bool = False
    unit: str = "×"
    note: str = ""

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        if self.value is None:
            return False
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    @property
    def share_of_bar(self) -> float:
        """1 when the bar is met exactly, less when it is missed."""
        if not self.value or not self.bar:
            return 0.0
        return self.bar / self.value if self.at_most else self.value / self.bar


def arguments(description: str) -> argparse.ArgumentParser:
    """The options of every benchmark; add your own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", type=Path, help="write machine, versions and every figure to this file")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    parser.add_argument("--seed", type=int, default=0, help="moves shapes and data")
    parser.add_argument("--rounds", type=int, default=11, help="pairs of measurements, at least 9")
    return parser


def best_of(call: Callable[[], Any], seconds: float = 0.02) -> float:
    """Mean seconds of one call over a run that lasts at least `seconds`."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            call()
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return elapsed / count
        count = max(2 * count, int(count * seconds / max(elapsed, 1e-9)) + 1)


def compare(ours: Callable[[], Any], peer: Callable[[], Any], rounds: int) -> tuple[float, float, float]:
    """Median, least and greatest of peer/ours over pairs measured in turn; above 1 ours is faster.

    The pause lets the peer's idle workers stop spinning before the other side runs.
    """
    ours(), peer()
    ratios = []
    for index in range(max(rounds, 9)):
        times = {}
        for side in (ours, peer) if index % 2 == 0 else (peer, ours):
            time.sleep(0.03)
            times[side] = best_of(side)
        ratios.append(times[peer] / times[ours])
    return statistics.median(ratios), min(ratios), max(ratios)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("flagtree", "triton", "torch", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    fields = dict(line.split("\t:", 1) for line in lines if "\t:" in line)
    get = lambda key: next((v.strip() for k, v in fields.items() if k.strip() == key), "?")  # noqa: E731
    return f"{get('model name')}, family {get('cpu family')} model {get('model')}"


def _cell(row: Row) -> str:
    if row.value is None:
        return "—"
    spread = f"  [{row.low:.2f} {row.high:.2f}]" if row.low is not None and row.high is not None else ""
    return f"{row.value:.3g}{row.unit}{spread}"


def report(title: str, rows: list[Row], options: argparse.Namespace) -> None:
    """Print the table, write the JSON file, print the closing line and exit."""
    table = Table(title=title)
    for column in ("", "figure", "measured [least greatest]", "bar", "note"):
        table.add_column(column)
    for row in rows:
        mark = {True: "[green]ok[/]", False: "[red]MISS[/]", None: ""}[row.met]
        bar = "" if row.bar is None else f"{'≤' if row.at_most else '≥'} {row.bar:g}{row.unit}"
        table.add_row(mark, row.name, _cell(row), bar, row.note)
    Console().print(table)
    if options.json:
        record = {
            "title": title,
            "machine": {"processor": _processor(), "system": platform.platform()},
            "versions": _versions(),
            "options": {k: str(v) for k, v in vars(options).items()},
            "rows": [asdict(row) | {"met": row.met} for row in rows],
        }
        partial = options.json.with_suffix(options.json.suffix + ".part")
        partial.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        partial.replace(options.json)
    bars = [row for row in rows if row.met is not None]
    missed = [row for row in bars if not row.met]
    worst = min(missed, key=lambda row: row.share_of_bar, default=None)
    closing = f"{len(bars) - len(missed)} of {len(bars)} bars met"
    if worst is not None:
        closing += f", worst: {worst.name} {_cell(worst)}"
    print(closing)
    sys.exit(1 if options.check and (missed or not bars) else 0)
