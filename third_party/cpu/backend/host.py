# SPDX-License-Identifier: MIT
"""Identity of the processor we run on, read without loading a native library."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
#: One processor's block is enough; the file grows with the number of cores and is made as it is read.
_CPUINFO_BYTES = 8192
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
#: Where the system does not tell the size of its caches.
_UNKNOWN_CACHE_BYTES = 32 << 20
#: What tells one instruction set from another, on x86 and on Arm.
_TELLING = (
    "vendor_id",
    "cpu family",
    "model",
    "stepping",
    "flags",
    "Features",
    "CPU implementer",
    "CPU part",
)


def machine() -> str:
    """The architecture, e.g. "x86_64" or "aarch64"."""
    return platform.machine()


def requested_cpu() -> tuple[str, str]:
    """(FLAGTREE_CPU, FLAGTREE_CPU_FEATURES): LLVM's names; empty means the host's."""
    return os.environ.get("FLAGTREE_CPU", ""), os.environ.get("FLAGTREE_CPU_FEATURES", "")


def target_key() -> str:
    """Changes whenever code made for this target could be other code: architecture, processor, what was asked for."""
    cpu, features = requested_cpu()
    return f"{machine()}-{_processor_digest()}-cpu={cpu}-features={features}-streaming={streaming_bytes()}"


@functools.cache
def streaming_bytes() -> int:
    """Bytes stored by one launch from which stores bypass the cache: three quarters of the last level's size.

    The share is the one at which glibc's memcpy stops filling the cache (its tunable x86_non_temporal_threshold).
    """
    return max((size for _, _, size in _caches()), default=_UNKNOWN_CACHE_BYTES) * 3 // 4


def cache_levels() -> dict[int, int]:
    """Level → bytes of the first processor's caches for data, as Linux tells them."""
    return {level: size for level, kind, size in _caches() if kind != "Instruction"}


def _caches() -> Iterator[tuple[int, str, int]]:
    """(level, type, bytes) of each cache of the first processor; sizes are written as "32768K"."""
    for folder in sorted(_CACHES.glob("index*")):
        try:
            level, kind, size = ((folder / name).read_text().strip() for name in ("level", "type", "size"))
            yield int(level), kind, int(size.rstrip("KM")) * {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
        except (OSError, ValueError):
            continue


@functools.cache
def _processor_digest() -> str:
    try:
        with _CPUINFO.open("rb") as file:
            text = file.read(_CPUINFO_BYTES).decode(errors="replace")
    except OSError:
        text = platform.processor()
    first = text.split("\n\n", 1)[0]
    lines = [line for line in first.splitlines() if line.partition("\t")[0].strip() in _TELLING]
    return hashlib.sha256("\n".join(lines or [first]).encode()).hexdigest()[:16]


@functools.cache
def _vector_bytes(cpu: str, features: str) -> int:
    from flagtree.compiler import native

    library = native.compiler()
    try:
        return library.vector_bytes(cpu=cpu, features=features)
    except library.CompileError as error:
        reason = str(error).removeprefix("error: ")
        raise ValueError(f"FLAGTREE_CPU={cpu!r}, FLAGTREE_CPU_FEATURES={features!r}: {reason}") from None


def vector_bytes() -> int:
    """Bytes of the vector register that LLVM prefers on the CPU asked for, else the host. Loads the library."""
    return _vector_bytes(*requested_cpu())


def target_spec() -> str:
    """What passes may ask about the CPU asked for, else the host: MLIR's target spec, as text. Loads the library."""
    return _target_spec(vector_bytes(), streaming_bytes(), not any(requested_cpu()))


@functools.cache
def _target_spec(vector_bytes: int, streaming_bytes: int, is_host: bool) -> str:
    from flagtree.compiler import hardware

    known = hardware.unified("cpu", machine())
    if not is_host:  # caches and cores are those of this processor
        known = replace(known, memories={}, cores=None)
    return known.target_spec(
        vector_bytes=vector_bytes,
        vector_registers=known.registers(8 * vector_bytes),
        streaming_bytes=streaming_bytes,
    )
