# SPDX-License-Identifier: MIT
"""Runs the test suites one after another and closes with a sum over all of them."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Suite:
    """A command that leaves JUnit XML files in the folder whose name replaces `{xml}` in `environment`."""

    name: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Outcome:
    """What one suite did. `status` is the exit status of its command, `seconds` its wall time."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    status: int = 0
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """A suite that ran no test at all is not good."""
        return self.status == 0 and self.failed == 0 and self.passed > 0


def standard(make: str, tritons: Sequence[str]) -> list[Suite]:
    """The suites of `make test`: lit, GoogleTest, and pytest under each of the given Triton versions."""
    pytests = [
        Suite(
            f"pytest, triton {version}",
            (make, "--no-print-directory", "pytest", f"TRITON={version}"),
            (("PYTEST_ADDOPTS", "--junitxml={xml}/pytest.xml"),),
        )
        for version in tritons
    ]
    return [
        Suite(
            "lit",
            (make, "--no-print-directory", "lit"),
            (("LIT_OPTS", "--xunit-xml-output={xml}/lit.xml"),),
        ),
        Suite("unit", (make, "--no-print-directory", "unit"), (("GTEST_OUTPUT", "xml:{xml}/"),)),
        *pytests,
    ]


def run_all(suites: Iterable[Suite]) -> int:
    """Runs every suite even after a failure; prints a table and the line `N passed, N failed, N skipped`.

    Returns the exit status: 0 when each suite is good.
    """
    outcomes = [run(suite) for suite in suites]
    print(summary(outcomes), flush=True)
    return 0 if outcomes and all(outcome.good for outcome in outcomes) else 1


def run(suite: Suite) -> Outcome:
    """Runs one suite with its output shown, and counts what it reported."""
    print(f"\n=== {suite.name}", flush=True)
    with tempfile.TemporaryDirectory(prefix="flagtree-suite-") as folder:
        environment = dict(os.environ)
        for name, value in suite.environment:
            environment[name] = f"{environment.get(name, '')} {value.replace('{xml}', folder)}".strip()
        start = time.monotonic()
        status = subprocess.run(
            suite.command, env=environment, stdin=subprocess.DEVNULL, check=False
        ).returncode
        seconds = time.monotonic() - start
        passed, failed, skipped = count(Path(folder).rglob("*.xml"))
    return Outcome(suite.name, passed, failed, skipped, status, seconds)


def count(reports: Iterable[Path]) -> tuple[int, int, int]:
    """(passed, failed, skipped) test cases in JUnit XML files."""
    passed = failed = skipped = 0
    for report in reports:
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None or case.get("status") == "notrun":
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped


def summary(outcomes: Sequence[Outcome]) -> str:
    """A table of the suites and the closing line with the sums."""
    rows = ["", f"{'suite':24}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}"]
    for one in outcomes:
        mark = "" if one.good else f"  FAILED (exit status {one.status})"
        rows.append(f"{one.name:24}{one.passed:8}{one.failed:8}{one.skipped:9}{one.seconds:9.1f}{mark}")
    # A suite that broke without a failing case still counts as a failure.
    failed = sum(max(one.failed, int(not one.good)) for one in outcomes)
    passed, skipped = sum(one.passed for one in outcomes), sum(one.skipped for one in outcomes)
    rows += ["", f"{passed} passed, {failed} failed, {skipped} skipped"]
    return "\n".join(rows)
