# SPDX-License-Identifier: MIT
"""What the library's passes did about hints, as the records that the account of a kernel reads."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from flagtree.hints.passes import APPLIED, FAILED, WAY_BACK, PassRecord, describe

#: The attribute of the kernel in which passes leave their notes: an array of dictionaries.
ATTRIBUTE = "flir.hint_notes"
_NOTE = re.compile(r'\{((?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}')
_ENTRY = re.compile(r'(\w+) = (?:"((?:[^"\\]|\\.)*)"|(\d+))')
#: MLIR writes what is not printable as two hexadecimal digits, byte by byte.
_ESCAPED = re.compile(rb"\\([0-9A-F]{2}|.)")


def records(module: Any, kernel: str) -> list[PassRecord]:
    """One record a note of `module`'s kernel; none where it has no notes."""
    return [_record(note, kernel) for note in _NOTE.findall(module.kernel_attribute(ATTRIBUTE))]


def taken_back(module: Any, kernel: str, stage: str, error: BaseException) -> list[PassRecord]:
    """The records once `stage` failed on `module`: what was applied is not, because of `error`."""
    reason = f"{stage} failed with it: {describe(error)}"
    return [
        replace(each, name=WAY_BACK, outcome=FAILED, reason=reason) if each.outcome == APPLIED else each
        for each in records(module, kernel)
    ]


def _record(note: str, kernel: str) -> PassRecord:
    entry = {name: number or _plain(text) for name, text, number in _ENTRY.findall(note)}
    return PassRecord(
        entry["pass"],
        entry["hint"],
        kernel,
        int(entry["line"]),
        entry["outcome"],
        entry["reason"],
        file=entry["file"],
        column=int(entry["column"]),
    )


def _plain(text: str) -> str:
    def byte(found: re.Match[bytes]) -> bytes:
        return bytes.fromhex(found[1].decode()) if len(found[1]) == 2 else found[1]

    return _ESCAPED.sub(byte, text.encode()).decode(errors="replace")
