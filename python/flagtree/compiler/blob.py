# SPDX-License-Identifier: MIT
"""Object code that knows whether it is whole.

A seal is appended, so tools that read the object format still read the file:
    object bytes | sha256 of them (32) | length (8, little-endian) | magic (8)
"""

from __future__ import annotations

import hashlib
import struct

_MAGIC = b"FTSEAL01"
_TAIL = struct.Struct("<32sQ8s")


class CorruptBlobError(RuntimeError):
    """A cached object is not what was written. The message says what is wrong."""


def seal(obj: bytes) -> bytes:
    """`obj` with its seal appended."""
    return obj + _TAIL.pack(hashlib.sha256(obj).digest(), len(obj), _MAGIC)


def unseal(blob: bytes) -> bytes:
    """The object within `blob`. Raises CorruptBlobError when it was truncated or changed."""
    if len(blob) < _TAIL.size:
        raise CorruptBlobError(f"{len(blob)} bytes are too few for an object file")
    digest, length, magic = _TAIL.unpack_from(blob, len(blob) - _TAIL.size)
    if magic != _MAGIC:
        raise CorruptBlobError(
            "the seal at its end is missing: the file was truncated or comes from elsewhere"
        )
    obj = blob[: -_TAIL.size]
    if len(obj) != length:
        raise CorruptBlobError(f"it holds {len(obj)} bytes and was written with {length}")
    if hashlib.sha256(obj).digest() != digest:
        raise CorruptBlobError("its content does not match its checksum")
    return obj


def is_whole(blob: bytes) -> bool:
    """True when `unseal` would succeed."""
    try:
        unseal(blob)
    except CorruptBlobError:
        return False
    return True
