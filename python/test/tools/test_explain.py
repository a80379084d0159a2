# SPDX-License-Identifier: MIT
"""`flagtree explain`: the table, the JSON, and the report in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import hinted_kernels
import pytest

KERNELS = hinted_kernels.__file__
PIPELINED = [f"{KERNELS}::pipelined", "--constexpr", "B=1024", "--backend", "cuda:90"]
NASTY = (
    """
import triton
import triton.language as tl

@triton.jit
def helper(p, i):
    return tl.load(p + i)  #@hint: dma

@triton.jit
def nasty(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    #@hint: num_stages=3, <script>alert("@SOURCE@")</script>, &amp;=1
    for k in tl.range(0, n):  #@hint: größe
        a += helper(x, k * B + i)  #@hint: num_stages=2
    tl.store(o + i, a)  #@hint: """
    + "x" * 5_000
    + "\n"
)


def test_the_table_has_line_source_hint_fate_and_reason(flagtree: Any) -> None:
    done = flagtree("explain", *PIPELINED)
    text = " ".join(done.stdout.split())
    assert done.exit_code == 0 and "Hints of pipelined on cuda:90" in text
    for part in (
        "for k in tl.range(0, n):",
        "num_stages=4",
        "applied: the final code is another",
        "a += tl.load",
    ):
        assert part in text
    assert "unused here: this backend does nothing with it" in text
    first = hinted_kernels.pipelined.starting_line_number
    assert f"  {first + 4} │ for k" in done.stdout


@pytest.mark.parametrize("command", ["explain", "compile"])
def test_no_warning_of_a_default_that_nobody_asked_for(run_python: Any, command: str) -> None:
    emit = ["--emit", "ttgir"] if command == "compile" else []
    code = f"import sys; sys.argv[1:] = {[command, *PIPELINED, *emit]!r}; from flagtree.tools.cli import main; main()"
    done = run_python(code)
    assert "warn" not in done.stderr.lower() and "FUSION" not in done.stderr and "types of" in done.stderr


def test_the_account_as_json(flagtree: Any) -> None:
    found = json.loads(flagtree("explain", *PIPELINED, "--json").stdout)
    assert [(each["hint"], each["status"]) for each in found] == [
        ("num_stages=4", "applied"),
        ("dma", "unused here"),
    ]
    assert {each["file"] for each in found} == {KERNELS} and {each["function"] for each in found} == {
        "pipelined"
    }


def test_on_the_host_the_same_hints_are_unused(flagtree: Any) -> None:
    found = json.loads(flagtree("explain", *PIPELINED[:3], "--backend", "cpu", "--json").stdout)
    assert {each["status"] for each in found} == {"unused here"}


def test_a_kernel_without_hints_says_so(flagtree: Any) -> None:
    done = flagtree("explain", f"{KERNELS}::plain", "--constexpr", "B=64", "--backend", "cpu")
    assert done.exit_code == 0 and "plain has no hints" in done.stderr and not done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([f"{KERNELS}::plane", "--backend", "cpu"], 2, "did you mean plain"),
        ([f"{KERNELS}::plain", "--backend", "gpu9000"], 2, "there is no backend 'gpu9000'"),
        ([f"{KERNELS}::plain", "--backend", "cpu"], 2, "pass --constexpr B=VALUE"),
        (["nothing.py::plain"], 2, "there is no file"),
        ([*PIPELINED, "--html", "/nowhere/report.html"], 1, "cannot be written"),
    ],
)
def test_mistakes_are_told_with_their_exit_code(
    flagtree: Any, arguments: list, code: int, message: str
) -> None:
    done = flagtree("explain", *arguments)
    assert done.exit_code == code and message in " ".join(done.stderr.split())


def test_with_hints_off_it_says_why_there_is_nothing(flagtree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "off")
    done = flagtree("explain", *PIPELINED)
    assert done.exit_code == 2 and "FLAGTREE_HINTS=off" in done.stderr


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    program = browser.find()
    if program is None:
        pytest.skip("no browser is installed (chromium-headless-shell or chromium)")
    with browser.Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def report(flagtree: Any, tmp_path: Path, *arguments: str) -> str:
    path = tmp_path / "report.html"
    done = flagtree("explain", *arguments, "--html", path)
    assert done.exit_code == 0 and str(path) in done.stderr.replace("\n", "")
    assert "http" not in path.read_text("utf-8").replace("https://github", ""), (
        "the report needs nothing else"
    )
    return path.as_uri()


VISIBLE = (
    "[...document.querySelectorAll('.panel')].filter(p => p.offsetParent !== null).map(p => p.innerText)"
)
PRESSED = "[...document.querySelectorAll('button.hint[aria-pressed=true]')].map(b => b.innerText)"


def test_the_report_shows_source_left_and_ir_right(
    flagtree: Any, tmp_path: Path, page: browser.Browser
) -> None:
    page.open(report(flagtree, tmp_path, *PIPELINED))
    assert page.errors == [] and page.evaluate("document.documentElement.dataset.ready") == "true"
    assert page.evaluate("document.title") == "Hints of pipelined on cuda:90"
    source = page.evaluate("document.querySelector('nav').innerText")
    assert "def pipelined(x, o, n, B: tl.constexpr):" in source and "@triton.jit" in source
    (panel,) = page.evaluate(VISIBLE)
    assert "applied num_stages=4" in panel and "front end: attributes" in panel
    assert page.evaluate(PRESSED) == ["num_stages=4"]
    inserted = page.evaluate("document.querySelector('.panel:not([hidden]) ins').innerText")
    assert "tt.num_stages = 4 : i32" in inserted and "flagtree_hints" in inserted
    left, right = (
        page.evaluate(
            f"(b => [b.left, b.right, b.width])(document.querySelector('{name}').getBoundingClientRect())"
        )
        for name in ("nav", "main")
    )
    assert left[1] <= right[0] and left[2] > 300 and right[2] > 600 and right[1] <= 1400


def test_a_click_on_a_hint_shows_what_became_of_it(
    flagtree: Any, tmp_path: Path, page: browser.Browser
) -> None:
    url = report(flagtree, tmp_path, *PIPELINED)
    page.open(url)
    page.click("button.hint.unused")
    assert page.evaluate(PRESSED) == ["dma"]
    (panel,) = page.evaluate(VISIBLE)
    assert panel.startswith("unused here dma") and "flagtree_hints" in panel
    page.open("about:blank")
    page.open(f"{url}#hint-1")
    assert page.evaluate(PRESSED) == ["dma"]
    page.click("button.hint.applied")
    assert page.evaluate(PRESSED) == ["num_stages=4"]
    assert page.errors == []


def test_each_fate_has_a_colour_of_its_own(flagtree: Any, tmp_path: Path, page: browser.Browser) -> None:
    file = tmp_path / "nasty.py"
    file.write_text(NASTY)
    page.open(report(flagtree, tmp_path, f"{file}::nasty", "--constexpr", "B=64", "--backend", "cuda:90"))
    colours = {
        page.evaluate(f"getComputedStyle(document.querySelector('.count.{css}')).color")
        for css in ("applied", "unused", "rejected")
    }
    assert len(colours) == 3 and page.errors == []


def test_nothing_in_a_kernel_can_become_part_of_the_page(
    flagtree: Any, tmp_path: Path, page: browser.Browser
) -> None:
    file = tmp_path / "nasty.py"
    file.write_text(NASTY)
    page.open(report(flagtree, tmp_path, f"{file}::nasty", "--constexpr", "B=64", "--backend", "cuda:90"))
    assert page.evaluate("document.scripts.length") == 1 and page.errors == []
    source = page.evaluate("document.querySelector('nav').innerText")
    assert '<script>alert("@SOURCE@")</script>, &amp;=1' in source and "größe" in source
    assert page.evaluate("[...document.querySelectorAll('nav h2')].map(h => h.innerText)") == [
        "helper",
        "nasty",
    ]
    assert page.evaluate("document.querySelectorAll('button.hint').length") == 7
    assert page.screenshot()[:8] == b"\x89PNG\r\n\x1a\n"
