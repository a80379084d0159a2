# SPDX-License-Identifier: MIT
"""Counting over the test suites: a suite that broke is never taken for one that passed."""

from __future__ import annotations

import sys

from setup_tools import suites
from setup_tools.suites import Outcome, Suite

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b" status="run"/>
<testcase name="c"><failure message="no"/></testcase>
<testcase name="d"><error message="no"/></testcase>
<testcase name="e"><skipped/></testcase>
<testcase name="f" status="notrun"/>
</testsuite></testsuites>"""


def script(code: str) -> Suite:
    return Suite(
        "fake", (sys.executable, "-c", f"import os; folder = os.environ['OUT']; {code}"), (("OUT", "{xml}"),)
    )


def test_cases_are_counted_by_their_outcome(tmp_path):
    report = tmp_path / "r.xml"
    report.write_text(REPORT, encoding="utf-8")
    assert suites.count([report, report]) == (4, 4, 4)


def test_a_suite_that_leaves_a_good_report_passes(capfd):
    good = script("open(folder + '/r.xml', 'w').write('<t><testcase/><testcase/></t>')")
    assert suites.run_all([good, good]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "4 passed, 0 failed, 0 skipped"


def test_a_suite_that_runs_no_test_fails(capfd):
    assert suites.run_all([script("pass")]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


def test_a_crash_after_passing_cases_fails(capfd):
    crash = script("open(folder + '/r.xml', 'w').write('<t><testcase/></t>'); os._exit(9)")
    assert suites.run_all([crash]) == 1
    assert "FAILED (exit status 9)" in capfd.readouterr().out


def test_later_suites_run_after_a_failure(capfd):
    good = script("open(folder + '/r.xml', 'w').write('<t><testcase/></t>')")
    assert suites.run_all([script("os._exit(1)"), good]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


def test_no_suite_is_no_success():
    assert suites.run_all([]) == 1


def test_the_closing_line_sums_all_suites():
    text = suites.summary([Outcome("lit", 3, 0, 1), Outcome("pytest", 5, 2, 0, status=1)])
    assert text.splitlines()[-1] == "8 passed, 2 failed, 1 skipped"


def test_the_python_suite_runs_under_each_triton():
    names = [suite.name for suite in suites.standard("make", ["3.9", "3.6"])]
    assert names == ["lit", "unit", "pytest, triton 3.9", "pytest, triton 3.6"]


def test_a_suites_variable_is_added_to_the_callers(monkeypatch, capfd):
    monkeypatch.setenv("OUT2", "mine")
    code = "import os; print(os.environ['OUT2'])"
    suites.run(Suite("fake", (sys.executable, "-c", code), (("OUT2", "theirs"),)))
    assert "mine theirs" in capfd.readouterr().out
