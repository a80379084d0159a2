# SPDX-License-Identifier: MIT
"""The report of `flagtree explain --html`: one file that needs nothing else, source on the left, IR on the right."""

from __future__ import annotations

import ast
import difflib
import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files

from flagtree.hints.account import Fate, Status
from flagtree.hints.hint import shortened
from flagtree.hints.notes import Note
from flagtree.tools.explain_steps import Step

_CLASSES = {Status.APPLIED: "applied", Status.UNUSED: "unused", Status.REJECTED: "rejected"}


def page(name: str, target: str, found: Sequence[Fate], steps: Mapping[Note, Sequence[Step]]) -> str:
    """The whole file."""
    template = (files("flagtree.tools") / "explain.html").read_text("utf-8")
    parts = {
        "TITLE": escape(f"Hints of {name} on {target}"),
        "COUNTS": " ".join(_counts(found)),
        "SOURCE": "\n".join(_functions(found)),
        "PANELS": "\n".join(_panel(at, fate, steps.get(fate.note, ())) for at, fate in enumerate(found)),
    }
    # In one go: what is put in may itself look like a place.
    return re.sub(r"@([A-Z]+)@", lambda place: parts[place[1]], template)


def _counts(found: Sequence[Fate]) -> Iterator[str]:
    for status, css in _CLASSES.items():
        count = sum(fate.status is status for fate in found)
        yield f'<span class="count {css}">{count} {status.value}</span>'


def _functions(found: Sequence[Fate]) -> Iterator[str]:
    """Each function that has hints, with its source."""
    places = dict.fromkeys((fate.file, fate.function) for fate in found)
    for file, function in places:
        mine = {at: f for at, f in enumerate(found) if (f.file, f.function) == (file, function)}
        lines = linecache.getlines(file)
        first, last = _extent(lines, [fate.line for fate in mine.values()])
        yield f"<h2>{escape(function)}</h2><p class=file>{escape(file)}</p><ol class=source start={first}>"
        for number in range(first, last + 1):
            here = {at: fate for at, fate in mine.items() if fate.line == number}
            yield _line(number, lines[number - 1].rstrip("\r\n") if number <= len(lines) else "", here)
        yield "</ol>"


def _extent(lines: Sequence[str], hinted: Sequence[int]) -> tuple[int, int]:
    """First and last line of the function around the lines `hinted`, decorators included."""
    first, last = min(hinted), max(hinted)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return first, last
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if start <= first and (node.end_lineno or start) >= min(hinted):
                first, last = start, max(last, node.end_lineno or start)
    return first, last


def _line(number: int, text: str, here: Mapping[int, Fate]) -> str:
    buttons = "".join(
        f'<button class="hint {_CLASSES[fate.status]}" data-hint={at} '
        f'title="{escape(fate.reason)}">{escape(shortened(fate.text))}</button>'
        for at, fate in here.items()
    )
    marked = " class=hinted" if here else ""
    return f"<li value={number}{marked}><code>{escape(text) or ' '}</code>{buttons}</li>"


def _panel(at: int, fate: Fate, steps: Sequence[Step]) -> str:
    status = f'<span class="{_CLASSES[fate.status]}">{fate.status.value}</span>'
    place = f"{escape(fate.function)}, line {fate.line}: {escape(fate.reason)}"
    title = f"<h2>{status} {escape(shortened(fate.text, 200))}</h2>"
    head = f'<section class="panel" id="hint-{at}">{title}<p>{place}</p>'
    shown = "".join(_step(step) for step in steps) or "<p>No IR was changed for it.</p>"
    return f"{head}{shown}</section>"


def _step(step: Step) -> str:
    before, after = _marked(step.before, step.after)
    return (
        f"<h3>{escape(step.name)}</h3><p>{escape(step.outcome)}</p><div class=pair>"
        f"<figure><figcaption>before</figcaption><pre class=ir>{before}</pre></figure>"
        f"<figure><figcaption>after</figcaption><pre class=ir>{after}</pre></figure></div>"
    )


def _marked(before: str, after: str) -> tuple[str, str]:
    """Both texts, with the lines that differ marked."""
    old, new = before.splitlines(), after.splitlines()
    left, right = [escape(line) for line in old], [escape(line) for line in new]
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            left[i1:i2] = [f"<del>{line}</del>" for line in left[i1:i2]]
            right[j1:j2] = [f"<ins>{line}</ins>" for line in right[j1:j2]]
    return "\n".join(left), "\n".join(right)
