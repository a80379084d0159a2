# SPDX-License-Identifier: MIT
"""What `flagtree info` tells, as plain data. No question here may raise: what cannot be told says why."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from flagtree.tools import variables

#: Programs that build or link; the first of each row that is there counts.
_PROGRAMS = (
    ("clang-22", "clang"),
    ("ld.lld-22", "ld.lld"),
    ("llvm-config-22", "llvm-config"),
    ("cmake",),
    ("ninja",),
    ("ccache",),
)
_VERSION_SECONDS = 10


def collect() -> dict[str, Any]:
    """All sections: versions, switched_off, seams, backends, active, devices, toolchains, caches, environment."""
    sections: dict[str, Callable[[], Any]] = {
        "versions": versions,
        "switched_off": switched_off,
        "seams": seams,
        "backends": backends,
        "active": active,
        "devices": devices,
        "toolchains": toolchains,
        "caches": caches,
        "environment": variables.set_here,
    }
    with warnings.catch_warnings():
        # What a backend warns of while it is only looked at is no answer to any question here.
        warnings.simplefilter("ignore")
        return {name: _try(section) for name, section in sections.items()}


def _try(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def versions() -> dict[str, str]:
    """Name → version, "not installed" for what is not there."""
    found = {"python": platform.python_version()}
    for package in ("flagtree", "triton", "torch", "numpy"):
        try:
            found[package] = installed(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    if found["flagtree"] == "not installed":
        from flagtree.switches import version

        found["flagtree"] = version()
    return {**found, **_library()}


def _library() -> dict[str, str]:
    """LLVM in the library and the library's identity, or why it cannot be loaded."""
    from flagtree.compiler.build_id import build_id
    from flagtree.compiler.native import NativeLibraryError, compiler

    try:
        return {"LLVM in the library": compiler().llvm_version(), "library": build_id()}
    except NativeLibraryError as error:
        return {"LLVM in the library": "cannot be loaded", "library": str(error)}


def switched_off(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Everything that makes FlagTree do less than it could, in words."""
    from flagtree.switches import disabled_reason

    found = []
    reason = disabled_reason()
    if reason:
        found.append(f"FlagTree: {reason}")
    if environ.get("FLAGTREE_HINTS", "").strip().lower() == "off":
        found.append("hints: FLAGTREE_HINTS=off")
    if environ.get("TRITON_INTERPRET", "0") not in ("", "0"):
        found.append("compiling: TRITON_INTERPRET is set, so Triton interprets every kernel")
    if environ.get("TRITON_STORE_BINARY_ONLY", "0") not in ("", "0"):
        found.append("fates of hints: TRITON_STORE_BINARY_ONLY keeps no IR that could be compared")
    for name, near in variables.unknown_here(environ).items():
        found.append(f"{name}: nothing reads this variable" + (f"; did you mean {near}?" if near else ""))
    return found


def seams() -> dict[str, str]:
    """Seam → "attached", "off", or the last line of why it failed."""
    import triton.compiler.code_generator  # noqa: F401  (the front end attaches when it is imported)

    from flagtree.switches import disabled
    from flagtree.upstream import attach, describe

    if disabled() or not attach.installed():
        return dict.fromkeys(describe.seams(), "off")
    failed = attach.failures()
    return {seam: _last_line(failed[seam]) if seam in failed else "attached" for seam in describe.seams()}


def backends() -> list[dict[str, Any]]:
    """Each registered backend, then those of ours that only extend one of upstream's and are not registered here."""
    from flagtree import backends as ours
    from flagtree.upstream import describe

    extended = set(ours.available())
    return [_backend(b, b.name in extended) for b in describe.registered().values()]


def _backend(backend: Any, extended: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": backend.name,
        "by": "FlagTree" if backend.is_ours else "Triton, with FlagTree's hints" if extended else "Triton",
        "device": "present" if backend.is_usable() else "absent",
        "native": _native() if backend.is_ours else "not needed",
    }
    try:
        from flagtree.tools.target import default_target
        from flagtree.upstream.lower import Pipeline

        target = default_target(backend)
        found |= {"target": f"{target.backend}:{target.arch}", "stages": Pipeline(target).stages}
    except Exception as error:
        found |= {"target": "", "stages": [], "error": str(error)}
    return found


def _native() -> str:
    """Says `loads`, or why not."""
    from flagtree.compiler import native

    for load in (native.compiler, native.launch):
        try:
            load()
        except native.NativeLibraryError as error:
            return str(error)
    return "loads"


def active() -> dict[str, str]:
    """The active backend and why it is the one."""
    from flagtree.upstream import describe

    name, reason = describe.active()
    return {"backend": name, "why": reason}


def devices() -> list[str]:
    """The host and what torch sees."""
    found = [f"host: {processor()}, {len(os.sched_getaffinity(0))} of {os.cpu_count()} CPUs may be used"]
    try:
        import torch
    except ImportError:
        return found
    if torch.cuda.is_available():
        found += [f"cuda:{i}: {torch.cuda.get_device_name(i)}" for i in range(torch.cuda.device_count())]
    return found


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def toolchains() -> list[dict[str, str]]:
    """Programs on the PATH, then those that come with the backends: name, path, version."""
    from flagtree.upstream import describe

    found = []
    for names in _PROGRAMS:
        paths = [path for name in names if (path := shutil.which(name))]
        found.append(_program(names[0], paths[0] if paths else None))
    for backend in describe.registered().values():
        found += [_program(path.name, str(path)) for path in describe.tools(backend)]
    if os.environ.get("LLVM_SYSPATH"):
        found.append({"name": "LLVM_SYSPATH", "path": os.environ["LLVM_SYSPATH"], "version": ""})
    return found


def _program(name: str, path: str | None) -> dict[str, str]:
    return {"name": name, "path": path or "not found", "version": _version_of(path) if path else ""}


def _version_of(path: str) -> str:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "does not run"
    lines = [line.strip() for line in done.stdout.splitlines() if any(char.isdigit() for char in line)]
    telling = [line for line in lines if "release" in line or "version" in line.lower()]
    return (telling or lines or [""])[0]


def caches() -> list[dict[str, Any]]:
    """Each cache: what it holds, path, bytes and number of files."""
    from flagtree.upstream import describe

    return [_cache("compiled kernels", describe.cache_directory())]


def _cache(holds: str, path: Path) -> dict[str, Any]:
    size = count = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                size += os.lstat(os.path.join(folder, name)).st_size
                count += 1
            except OSError:
                continue  # another process cleans up meanwhile
    nearest = next((p for p in (path, *path.parents) if p.exists()), path)
    return {
        "holds": holds,
        "path": str(path),
        "bytes": size,
        "files": count,
        "writable": os.access(nearest, os.W_OK),
    }


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "failed"
