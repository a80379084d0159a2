# SPDX-License-Identifier: MIT
"""`python -m setup_tools <task>`: the Makefile's recipes that are more than a line."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from . import cmake, docs, layout, registry, suites, system
from .errors import SetupError
from .registry import Backend

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Runs one task; returns its exit status. A SetupError is printed without a traceback."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.task(options) or 0)
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m setup_tools", description=__doc__)
    tasks = parser.add_subparsers(required=True, metavar="TASK")
    tasks.add_parser("system", help="install the system packages of the toolchain").set_defaults(task=_system)
    tasks.add_parser("toolchain", help="show the tools a build would use").set_defaults(task=_toolchain)
    tasks.add_parser("backends", help="list the backends and which are selected").set_defaults(task=_backends)
    build = tasks.add_parser("build", help="configure when needed and build the native code")
    build.add_argument("--preset", default="release", help="a preset of CMakePresets.json (default: release)")
    build.add_argument("targets", nargs="*", help="CMake targets (default: all)")
    build.set_defaults(task=_build)
    test = tasks.add_parser("test", help="run all test suites and sum them up")
    test.add_argument("tritons", nargs="+", help="versions of Triton to run the Python suite under")
    test.set_defaults(task=_test)
    needed = tasks.add_parser("requirements", help="print the requirements of pyproject.toml, a line each")
    needed.add_argument("extras", nargs="*", help="optional dependencies to add")
    needed.set_defaults(task=_requirements)
    page = tasks.add_parser("docs", help="write docs/generated from the ODS files")
    page.add_argument("--check", action="store_true", help="only tell whether it is up to date")
    page.set_defaults(task=_docs)
    return parser


def _selected() -> tuple[Backend, ...]:
    return registry.select(os.environ.get(registry.ENVIRONMENT), registry.discover(ROOT / "third_party"))


def _system(_: argparse.Namespace) -> None:
    installed = system.ensure()
    print(f"system packages: {len(installed)} installed" if installed else "system packages: all present")


def _toolchain(_: argparse.Namespace) -> None:
    print(system.describe())


def _backends(_: argparse.Namespace) -> None:
    chosen = {backend.name for backend in _selected()}
    for name, backend in registry.discover(ROOT / "third_party").items():
        kind = "compiler and driver" if backend.plugin else "extends upstream"
        print(f"{'*' if name in chosen else ' '} {name:12}{kind}")


def _build(options: argparse.Namespace) -> None:
    backends = _selected()
    if options.preset == "release":
        layout.link(ROOT, backends)
    cmake.plan(ROOT, backends, preset=options.preset).build(*options.targets)


def _test(options: argparse.Namespace) -> int:
    return suites.run_all(suites.standard(os.environ.get("MAKE", "make"), options.tritons))


def _requirements(options: argparse.Namespace) -> None:
    print("\n".join(layout.requirements(ROOT, options.extras)))


def _docs(options: argparse.Namespace) -> int:
    if not options.check:
        for path in docs.write(ROOT):
            print(f"updated {path}")
        return 0 if docs.guide(ROOT) else 1
    outdated = docs.stale(ROOT, docs.generate(ROOT))
    for path in outdated:
        print(f"{path} does not match its ODS file: run `make docs` and commit the result", file=sys.stderr)
    current = docs.guide(ROOT, check=True)
    if not current:
        print(
            "docs/hints.md does not match the hints: run `make docs` and commit the result", file=sys.stderr
        )
    return 1 if outdated or not current else 0


if __name__ == "__main__":
    sys.exit(main())
