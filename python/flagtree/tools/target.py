# SPDX-License-Identifier: MIT
"""From `--backend cpu | cuda:90 | hip:gfx942 | <registered name>` to the target that Triton compiles for."""

from __future__ import annotations

import difflib
from typing import Any

from flagtree.compiler import hardware
from flagtree.upstream import describe


class TargetError(ValueError):
    """A backend that is not there, or a target that is not told completely. The message says what to pass."""


def parse_target(text: str | None) -> Any:
    """`NAME`, `NAME:ARCH` or `NAME:ARCH:WARP_SIZE`; None is the active device. Raises TargetError."""
    if text is None:
        return _active()
    name, _, rest = text.partition(":")
    arch, _, warp = rest.partition(":")
    known = describe.registered()
    if name in known:
        return _of_backend(known[name], arch, warp, text)
    return _of_target(name, arch, warp, text)


def default_target(backend: describe.Registered) -> Any:
    """The target of a registered backend when no architecture is named. Raises TargetError."""
    return _of_backend(backend, "", "", backend.name)


def _active() -> Any:
    try:
        return describe.current_target()
    except Exception as error:
        raise TargetError(f"there is no active device ({error}); name a target with --backend") from None


def _of_backend(backend: describe.Registered, arch: str, warp: str, text: str) -> Any:
    if getattr(backend.driver, "is_host", False):
        if arch:
            raise TargetError(
                f"--backend {text}: {backend.name} compiles for the host only; FLAGTREE_CPU and "
                "FLAGTREE_CPU_FEATURES choose another processor of its kind"
            )
        return backend.driver().get_current_target()
    stated = str(hardware.tables(backend.name).get("device", {}).get("target", ""))
    if stated:
        name, _, default = stated.partition(":")
        return _of_target(name, arch or default, warp, text)
    if backend.is_usable():
        return backend.driver().get_current_target()
    raise TargetError(f"--backend {text}: no architecture is known for {backend.name}; {_forms()}")


def _of_target(name: str, arch: str, warp: str, text: str) -> Any:
    backend = _serving(name)
    if backend is None:
        known = _names()
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise TargetError(
            f"--backend {text}: there is no backend {name!r}; known are {', '.join(known)}{hint}"
        )
    if not arch:
        return default_target(backend)
    if warp and not warp.isdecimal():
        raise TargetError(f"--backend {text}: the warp size is a number, not {warp!r}; {_forms()}")
    return _make(name, arch, int(warp) if warp else _warp_size(backend.name, arch, text))


def _make(name: str, arch: str, warp: int) -> Any:
    from triton.backends.compiler import GPUTarget

    return GPUTarget(name, int(arch) if arch.isdecimal() else arch, warp)


def _serving(name: str) -> describe.Registered | None:
    """The backend whose targets are called `name` ("cuda", "hip")."""
    probe = _make(name, "0", 1)
    return next((b for b in describe.registered().values() if b.serves(probe)), None)


def _names() -> list[str]:
    named = {
        str(hardware.tables(n).get("device", {}).get("target", "")).partition(":")[0]
        for n in describe.registered()
    }
    return sorted({*describe.registered(), *named} - {""})


def _warp_size(backend: str, arch: str, text: str) -> int:
    """From hardware.toml: of this architecture, else what all architectures of the backend agree on."""
    tables = hardware.tables(backend).get("arch", {})
    sizes = {key: table["warp_size"] for key, table in tables.items() if "warp_size" in table}
    for key, size in sizes.items():
        if arch in (key, key.lstrip("abcdefghijklmnopqrstuvwxyz_")):
            return size
    if sizes:
        return next(iter(sizes.values()))
    raise TargetError(f"--backend {text}: the warp size of {arch} is not known here; {_forms()}")


def _forms() -> str:
    return "write NAME:ARCH:WARP_SIZE, for example cuda:90:32"
