# SPDX-License-Identifier: MIT
"""The symbols that an object file of a kernel leaves to whoever loads it, and which of them are known to be there.

The loader finds them in the process. One that is not there fails at the first launch, and only on that machine; one
that is there may be a call where code was meant (`memrefCopy`, `malloc`). So each has to be allowed here, by name.
"""

from __future__ import annotations

import struct

#: libm, which Python itself is linked to: called for one element after the other, where neither LLVM nor
#: flir-approximate-math has code for the function. Those of libdevice are among them; fp32 has the suffix f.
_LIBM = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 fdim fmax fmin fmod hypot ilogb
    j0 j1 lgamma log log10 log1p log2 logb nextafter pow remainder scalbn sin sinh tan tanh tgamma y0 y1
"""
#: libc: a copy of a whole buffer of known size, longer than LLVM writes out.
_LIBC = frozenset({"memcpy"})
#: Defined by the loader itself (Jit.cpp): rounding to bf16, where LLVM cuts vectors of it into scalars, and fp16 on
#: processors without instructions for it.
_LOADER = frozenset({"__truncsfbf2", "__extendhfsf2", "__truncsfhf2", "__truncdfhf2"})
KNOWN = frozenset(f"{name}{suffix}" for name in _LIBM.split() for suffix in ("", "f")) | _LIBC | _LOADER

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLE = 2


def undefined(obj: bytes) -> set[str]:
    """Names of the undefined symbols of an ELF64 object, little-endian. Raises ValueError for other files."""
    if obj[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no little-endian object of ELF64")
    (start,) = struct.unpack_from("<Q", obj, 0x28)
    (count,) = struct.unpack_from("<H", obj, 0x3C)
    sections = [_SECTION.unpack_from(obj, start + at * _SECTION.size) for at in range(count)]
    names: set[str] = set()
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind != _SYMBOL_TABLE:
            continue
        strings = sections[link][4]
        for at in range(offset, offset + size, _SYMBOL.size):
            name, _, _, section, _, _ = _SYMBOL.unpack_from(obj, at)
            if section == 0 and name:
                names.add(obj[strings + name : obj.index(b"\0", strings + name)].decode())
    return names


def unknown(obj: bytes) -> set[str]:
    """The undefined symbols of an object that nobody has allowed."""
    return undefined(obj) - KNOWN
