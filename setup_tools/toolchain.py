# SPDX-License-Identifier: MIT
"""Finds LLVM/MLIR 22 and the tools that compile against it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import SetupError

LLVM_MAJOR = 22
SYSPATH = "LLVM_SYSPATH"
_MLIR_CONFIG = Path("lib/cmake/mlir/MLIRConfig.cmake")


@dataclass(frozen=True)
class Toolchain:
    """What the native build uses. `llvm` is the prefix of LLVM and MLIR, None when nothing needs them."""

    cxx: Path
    llvm: Path | None = None
    lld: Path | None = None
    ccache: Path | None = None


def find(compiler: bool = True, environ: Mapping[str, str] = os.environ) -> Toolchain:
    """The toolchain for a build with (`compiler`) or without the MLIR library.

    Raises SetupError when something needed is absent or of another version.
    """
    path = environ.get("PATH")
    llvm = find_llvm(environ) if compiler else None
    folders = [llvm / "bin"] if llvm else []
    return Toolchain(
        cxx=_find_cxx(folders, compiler, environ),
        llvm=llvm,
        lld=_which((f"ld.lld-{LLVM_MAJOR}", "ld.lld"), folders, path),
        ccache=_which(("ccache",), (), path),
    )


def find_llvm(environ: Mapping[str, str] = os.environ) -> Path:
    """The prefix of LLVM and MLIR 22: LLVM_SYSPATH if set, else what llvm-config says.

    Raises SetupError when there is none, or when LLVM_SYSPATH names something else.
    """
    stated = environ.get(SYSPATH)
    if stated:
        return _check_syspath(Path(stated))
    program = _which((f"llvm-config-{LLVM_MAJOR}", "llvm-config"), (), environ.get("PATH"))
    if program is None:
        raise SetupError(
            f"LLVM {LLVM_MAJOR} not found: {SYSPATH} is unset and there is no llvm-config-{LLVM_MAJOR}"
        )
    prefix, version = _ask(program, "--prefix"), _ask(program, "--version")
    if not _is_wanted(version):
        raise SetupError(f"{program} is of LLVM {version}; FlagTree needs LLVM {LLVM_MAJOR}: set {SYSPATH}")
    if not (Path(prefix) / _MLIR_CONFIG).is_file():
        raise SetupError(
            f"LLVM {version} at {prefix} has no MLIR ({_MLIR_CONFIG} is missing): install MLIR's files"
        )
    return Path(prefix)


def find_tool(name: str, llvm: Path) -> Path:
    """A program of LLVM such as mlir-tblgen. Raises SetupError when it is absent."""
    found = _which((f"{name}-{LLVM_MAJOR}", name), [llvm / "bin"], os.environ.get("PATH"))
    if found is None:
        raise SetupError(f"{name} not found in {llvm / 'bin'} or on PATH: install LLVM {LLVM_MAJOR}'s tools")
    return found


def _check_syspath(prefix: Path) -> Path:
    if not (prefix / _MLIR_CONFIG).is_file():
        raise SetupError(
            f"{SYSPATH}={prefix}: {prefix / _MLIR_CONFIG} does not exist; it must be the prefix of an installed "
            f"LLVM {LLVM_MAJOR} with MLIR"
        )
    program = prefix / "bin" / "llvm-config"
    version = _ask(program, "--version") if program.is_file() else None
    if version and not _is_wanted(version):
        raise SetupError(f"{SYSPATH}={prefix} is LLVM {version}; FlagTree needs LLVM {LLVM_MAJOR}")
    return prefix.absolute()


def _find_cxx(folders: Iterable[Path], compiler: bool, environ: Mapping[str, str]) -> Path:
    path = environ.get("PATH")
    stated = environ.get("CXX", "").split()
    if stated:
        found = _which(stated[:1], (), path)
        if found is None:
            raise SetupError(
                f"CXX={environ['CXX']}: no such program; unset CXX or name an installed compiler"
            )
        return _check_cxx(found, compiler)
    others = () if compiler else ("c++", "g++")
    found = _which((f"clang++-{LLVM_MAJOR}", "clang++", *others), folders, path)
    if found is None:
        raise SetupError(f"no clang++-{LLVM_MAJOR} or clang++ on PATH: install clang, or name it with CXX")
    return found


def _check_cxx(program: Path, compiler: bool) -> Path:
    if compiler and "clang" not in _ask(program, "--version").lower():
        raise SetupError(
            f"CXX={program} is not clang; what includes MLIR must be compiled with clang, since other compilers "
            f"give its types other identities at run time: unset CXX or set it to clang++-{LLVM_MAJOR}"
        )
    return program


def _which(names: Iterable[str], folders: Iterable[Path], path: str | None) -> Path | None:
    """The first of `names` to be found, each looked for in `folders`, then on `path`."""
    places = [str(folder) for folder in folders]
    for name in names:
        for place in (*places, path):
            found = shutil.which(name, path=place)
            if found:
                return Path(found)
    return None


def _ask(program: Path, option: str) -> str:
    try:
        run = subprocess.run([program, option], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{program} {option} failed: {error}") from None
    return run.stdout.strip()


def _is_wanted(version: str) -> bool:
    return bool(re.match(rf"{LLVM_MAJOR}\.", version))
