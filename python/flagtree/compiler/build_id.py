# SPDX-License-Identifier: MIT
"""Identity of the native library, read from its file without loading it."""

from __future__ import annotations

import struct
from pathlib import Path

_NATIVE = Path(__file__).resolve().parents[1] / "_native"
_LIBRARY = "libFlagTree.so"
_PT_NOTE = 4
_NT_GNU_BUILD_ID = 3
#: The notes of a shared object lie in its first pages.
_HEAD_BYTES = 64 * 1024

_known: tuple[tuple[int, int], str] | None = None


def build_id(path: Path | None = None) -> str:
    """The linker's build id of libFlagTree, else its size and time of change, else "absent"."""
    global _known
    path = path or _NATIVE / _LIBRARY
    try:
        stat = path.stat()
    except OSError:
        return "absent"
    stamp = (stat.st_mtime_ns, stat.st_size)
    if path.parent != _NATIVE:
        return _identify(path, stamp)
    if _known is None or _known[0] != stamp:
        _known = (stamp, _identify(path, stamp))
    return _known[1]


def _identify(path: Path, stamp: tuple[int, int]) -> str:
    return _elf_build_id(path) or f"mtime-{stamp[0]}-size-{stamp[1]}"


def _elf_build_id(path: Path) -> str | None:
    """The GNU build id note of a 64-bit little-endian ELF file in hex, or None."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head[:6] != b"\x7fELF\x02\x01":
            return None
        (table,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        for index in range(count):
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", head, table + index * size)
            if kind == _PT_NOTE and (found := _find_note(head[offset : offset + length])):
                return found
    except (OSError, struct.error, OverflowError):
        pass  # not whole, or no ELF file after all
    return None


def _find_note(notes: bytes) -> str | None:
    at = 0
    while at + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from("<III", notes, at)
        name_at = at + 12
        data_at = name_at + (name_size + 3) // 4 * 4
        if kind == _NT_GNU_BUILD_ID and notes[name_at : name_at + name_size] == b"GNU\0":
            return notes[data_at : data_at + size].hex()
        at = data_at + (size + 3) // 4 * 4
    return None
