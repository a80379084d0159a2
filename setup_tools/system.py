# SPDX-License-Identifier: MIT
"""Brings the system's part of the toolchain: by apt where it offers LLVM 22, else by telling the exact lines."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from . import toolchain
from .errors import SetupError
from .toolchain import LLVM_MAJOR, SYSPATH

Runner = Callable[..., "subprocess.CompletedProcess[str]"]

# What every build needs on Debian and its kin, LLVM aside.
BASE_PACKAGES = (
    *("ccache", "cmake", "file", "g++", "git", "libgmock-dev", "libgtest-dev", "libzstd-dev", "make"),
    *("ninja-build", "python3-dev", "python3-venv", "zlib1g-dev"),
)
LLVM_PACKAGES = (
    *(
        f"clang-{LLVM_MAJOR}",
        f"libclang-rt-{LLVM_MAJOR}-dev",
        f"libmlir-{LLVM_MAJOR}-dev",
        f"lld-{LLVM_MAJOR}",
    ),
    *(f"llvm-{LLVM_MAJOR}-dev", f"llvm-{LLVM_MAJOR}-tools", f"mlir-{LLVM_MAJOR}-tools"),
)
# What one test each wants and skips without; not every system has them.
OPTIONAL_PACKAGES = ("chromium-headless-shell",)

_APT_LLVM_ORG = f"""\
  wget https://apt.llvm.org/llvm.sh && sudo bash llvm.sh {LLVM_MAJOR}
  sudo apt-get install -y {" ".join(LLVM_PACKAGES)} {" ".join(BASE_PACKAGES)}"""
_FEDORA = """\
  sudo dnf install -y clang lld llvm-devel mlir-devel mlir ccache cmake ninja-build gtest-devel gmock-devel \\
      gcc-c++ git make python3-devel      # a release that carries LLVM {major}; `dnf info llvm` tells"""
_CONDA = """\
  conda create -y -n flagtree-llvm -c conda-forge "llvmdev={major}.*" "mlir={major}.*" "clangxx={major}.*" \\
      "lld={major}.*" ccache cmake ninja gtest gmock
  export LLVM_SYSPATH="$(conda info --base)/envs/flagtree-llvm" PATH="$LLVM_SYSPATH/bin:$PATH\""""
_SYSPATH = f"  export {SYSPATH}=/path/to/llvm-{LLVM_MAJOR}   # a prefix with lib/cmake/mlir/MLIRConfig.cmake"


def ensure(
    environ: Mapping[str, str] = os.environ,
    release: Path = Path("/etc/os-release"),
    run: Runner = subprocess.run,
) -> list[str]:
    """Installs what is missing and returns the packages installed, [] when nothing was missing.

    Raises SetupError with the lines to type when it cannot: no apt, an apt without LLVM 22, or no right to install.
    """
    if not shutil.which("apt-get", path=environ.get("PATH")):
        _check_toolchain(environ, release)
        return []
    wanted = BASE_PACKAGES if environ.get(SYSPATH) else (*BASE_PACKAGES, *LLVM_PACKAGES)
    missing = _missing(wanted, run)
    optional = _missing(OPTIONAL_PACKAGES, run) if missing or _may_install(environ) else []
    installed = _apt_install(missing, optional, environ, release, run) if missing or optional else []
    _check_toolchain(environ, release)
    return installed


def instructions(release: Path = Path("/etc/os-release")) -> str:
    """The lines that bring LLVM 22 to this system, and the two ways that work on any."""
    family = _family(release)
    ways = {
        "fedora": ("Fedora", _FEDORA.format(major=LLVM_MAJOR)),
        "debian": ("Debian and Ubuntu", _APT_LLVM_ORG),
    }
    chosen = [ways[name] for name in ("debian", "fedora") if name == family]
    chosen += [
        ("Anywhere, with conda", _CONDA.format(major=LLVM_MAJOR)),
        ("With an LLVM of your own", _SYSPATH),
    ]
    return "\n".join(f"{title}:\n{lines}" for title, lines in chosen)


def _check_toolchain(environ: Mapping[str, str], release: Path) -> None:
    try:
        toolchain.find(compiler=True, environ=environ)
    except SetupError as error:
        raise SetupError(
            f"{error}\n\nOne of these brings LLVM {LLVM_MAJOR}:\n\n{instructions(release)}"
        ) from None


def _may_install(environ: Mapping[str, str]) -> bool:
    return os.geteuid() == 0 or shutil.which("sudo", path=environ.get("PATH")) is not None


def _apt_install(
    missing: Sequence[str], optional: Sequence[str], environ: Mapping[str, str], release: Path, run: Runner
) -> list[str]:
    """Installs `missing`, and of `optional` what apt offers; returns what it installed."""
    prefix = _privilege(missing, environ)
    run([*prefix, "apt-get", "update", "-q"], check=False, stdin=subprocess.DEVNULL)
    absent = [name for name in missing if not _offered(name, run)]
    if absent:
        raise SetupError(
            f"apt offers no {', '.join(absent)} here.\n\n"
            f"One of these brings LLVM {LLVM_MAJOR}:\n\n{instructions(release)}"
        )
    wanted = [*missing, *(name for name in optional if _offered(name, run))]
    if not wanted:
        return []
    print(f"Installing with apt: {' '.join(wanted)}", flush=True)
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    command += ["apt-get", "install", "-y", "-q", "--no-install-recommends", *wanted]
    if run(command, check=False, stdin=subprocess.DEVNULL).returncode:
        raise SetupError(f"`{' '.join(command)}` failed; see above")
    return wanted


def _privilege(missing: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo", path=environ.get("PATH"))
    if sudo:
        return [sudo]
    raise SetupError(
        "packages are missing, and installing them needs root or sudo. As root, type:\n"
        f"  apt-get update && apt-get install -y {' '.join(missing)}"
    )


def _missing(names: Sequence[str], run: Runner) -> list[str]:
    query = ["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n", *names]
    listed = run(query, check=False, capture_output=True, text=True).stdout
    installed = {line.split()[0] for line in listed.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in installed]


def _offered(name: str, run: Runner) -> bool:
    found = run(["apt-cache", "policy", name], check=False, capture_output=True, text=True).stdout
    candidates = [line.split(":", 1)[1].strip() for line in found.splitlines() if "Candidate:" in line]
    return bool(candidates) and candidates[0] != "(none)"


def _family(release: Path) -> str:
    """`debian`, `fedora` or "", from the os-release file's ID and ID_LIKE."""
    try:
        lines = release.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    words = " ".join(fields.get(key, "").strip("\"'") for key in ("ID", "ID_LIKE")).split()
    known = {"debian": "debian", "ubuntu": "debian", "fedora": "fedora", "rhel": "fedora"}
    return next((known[word] for word in words if word in known), "")


def describe() -> str:
    """One line a tool: what the build would use."""
    found = toolchain.find()
    rows = {
        "python": sys.executable,
        "llvm": found.llvm,
        "c++": found.cxx,
        "lld": found.lld,
        "ccache": found.ccache,
    }
    return "\n".join(f"{name:8}{value or 'not found'}" for name, value in rows.items())
