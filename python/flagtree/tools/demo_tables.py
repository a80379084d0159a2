# SPDX-License-Identifier: MIT
"""The two tables of the demo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from flagtree.tools.demo_fates import HintRow
from flagtree.tools.hint_words import in_words
from flagtree.tools.interpreter import Interpreted
from flagtree.tools.measure import Measured
from flagtree.tools.tutorials import Case


@dataclass(frozen=True)
class Line:
    """One case and all that was found out. failure: why it could not be measured, or ""."""

    case: Case
    measured: Measured | None
    interpreted: Interpreted | None
    failure: str = ""

    @property
    def right(self) -> bool:
        """True when the kernel ran and its result is right."""
        return self.measured is not None and self.measured.right


def results(lines: Sequence[Line], device: str) -> Table:
    """Result and times of each kernel."""
    table = Table(
        title=f"Kernels on {device}", title_style="bold", caption=_caption(lines), caption_justify="left"
    )
    table.add_column("kernel")
    for name in (
        "result",
        "first call",
        "FlagTree",
        "torch",
        "speed against torch",
        "speed against interpreter",
    ):
        table.add_column(name, justify="left" if name == "result" else "right")
    for line in lines:
        table.add_row(f"{line.case.name}\n{line.case.size}", *_cells(line))
    return table


def hints(rows: Sequence[HintRow]) -> Table:
    """Each hint and what became of it, a column a target."""
    table = Table(title="Hints", title_style="bold", caption=_HINTS_CAPTION, caption_justify="left")
    table.add_column("kernel", no_wrap=True)
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("source")
    table.add_column("hint", no_wrap=True)
    targets = list(rows[0].fates) if rows else []
    for target in targets:
        table.add_column(f"on {target}")
    for row in rows:
        shown = [in_words(row.fates[target]) for target in targets]
        table.add_row(row.kernel, str(row.line), Text(row.source), Text(row.hint), *shown)
    return table


_HINTS_CAPTION = (
    "Found by compiling with and without each hint and comparing the final code; targets other than the first are "
    "compiled for, not run."
)


def _cells(line: Line) -> list[Text | str]:
    m = line.measured
    if m is None:
        return [Text(f"FAILED: {line.failure}", style="bold red"), "", "", "", "", ""]
    verdict = Text("right", style="green") if m.right else Text("WRONG", style="bold red")
    verdict.append(f"\nerror {m.error:.1e}", style="dim")
    return [verdict, _time(m.first), _time(m.ours), _time(m.torch), _ratio(m.torch / m.ours), _against(line)]


def _against(line: Line) -> str:
    if line.interpreted is None:
        return "not run"
    if line.interpreted.failure or line.measured is None:
        return "it failed"
    return _ratio(line.interpreted.whole / line.measured.ours)


def _ratio(value: float) -> str:
    return f"{value:,.0f}×" if value >= 10 else f"{value:.2f}×"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"


def _caption(lines: Sequence[Line]) -> str:
    """How the figures came about; what was scaled is said."""
    text = (
        "error: largest difference from float64. First call: compiling included, the compiler loaded, nothing "
        "cached. Times: median of calls made in turns with torch's."
    )
    for line in lines:
        found = line.interpreted
        if found is not None and found.failure:
            text += f" The interpreter failed on {line.case.name}: {found.failure}."
        elif found is not None and found.fraction < 1:
            text += f" The interpreter ran {found.fraction:.1%} of {line.case.name}; its time is scaled."
    return text
