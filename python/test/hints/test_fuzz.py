# SPDX-License-Identifier: MIT
"""Random hint comments in kernels: none breaks a compile, none changes a result. `make fuzz-hints` tries many more."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import fuzz_cases
import fuzz_hints
import pytest
from fuzz_cases import PLAIN, Case, seeds_of
from fuzz_kernels import TEMPLATES, Template
from rich.console import Console

import flagtree
from flagtree.frontend.tracker import HintTracker

#: Comments that go through the front end, and those that are compiled and run.
READ, RUN = 4000, 500
_FIRST = 1_000_000  # not where `make fuzz-hints` begins
_TOOL = Path(fuzz_hints.__file__)


@pytest.fixture
def on_the_host() -> Iterator[None]:
    flagtree.use("cpu")
    yield
    flagtree.use(None)


def test_every_comment_gives_verified_ir_and_is_accounted_for() -> None:
    done = fuzz_hints.attempt("read", list(seeds_of(READ, _FIRST)))
    assert done.comments >= READ and not done.failures, done.failures


def test_no_comment_changes_a_result(on_the_host: None) -> None:
    done = fuzz_hints.attempt("run", list(seeds_of(RUN, _FIRST)))
    assert done.comments >= RUN and not done.failures, done.failures


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.name)
def test_a_result_is_right_only_after_the_kernel_ran(template: Template, on_the_host: None) -> None:
    Case(0, template, (PLAIN,) * template.places, None).run()
    assert not template.right(template.arguments()[0])


def test_hints_that_are_lost_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HintTracker, "begin", lambda *_: None)
    failures = fuzz_hints.attempt("read", list(range(5))).failures
    assert any("a hint is lost" in text for text in failures.values())


def test_hints_that_change_the_operations_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_cases, "_plain", lambda *_: "another module")
    assert "changed the operations" in fuzz_hints.attempt("read", [0]).failures[0]


def test_a_failure_is_told_with_the_seed_that_makes_it_again() -> None:
    text = io.StringIO()
    done = fuzz_hints.Done(10, {3: "AssertionError: [broken] on purpose"})
    assert not fuzz_hints.summary(Console(file=text, width=200), [("read", done, 1.0)])
    assert "--seed 3" in text.getvalue() and "[broken] on purpose" in text.getvalue()
    assert fuzz_hints.summary(Console(file=text), [("run", fuzz_hints.Done(10), 1.0)])


def test_an_interrupted_tool_says_what_was_done(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, str(_TOOL), "--comments", "1000000", "--run", "0", "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    while process.poll() is None and not list(tmp_path.glob("flagtree-fuzz-*/triton-*")):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in output and "0 kernels failed" in output
    assert "Traceback" not in output
